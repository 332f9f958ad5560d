#include "read/read_graph.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/fields.h"
#include "read/nodes_ahead.h"
#include "read/read_operators.h"
#include "read/read_static_inputs.h"
#include "read/unhinted_elements.h"
#include "step/joint_of_step.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

constexpr std::string_view kJointFormat = "fx-joint-graph";
constexpr std::string_view kStepFormat = "fx-step-graph";
constexpr std::string_view kSideFormat = "fx-graph";
constexpr std::int64_t kGraphVersion = 1;

bool has_text(const JsonValue& root, std::string_view key, std::string_view text) {
  const auto field = member(root, key);
  return field && field->is(Type::String) && field->text() == text;
}

bool is_step(const JsonValue& root) { return has_text(root, "format", kStepFormat); }

// Returns whether the rest may be that of a joint graph: not if there are no nodes either.
bool expect_joint_format(const JsonValue& root, Mistakes& mistakes) {
  if (has_text(root, "format", kJointFormat) || is_step(root)) return true;
  const bool is_report = has_text(root, "format", "fxcut-report");
  mistakes.add(member(root, "format").value_or(root),
               fmt::format("expected \"format\": \"{}\" or \"{}\"", kJointFormat, kStepFormat),
               is_report ? "this is a report, which 'fxcut diff', 'fxcut check' and --decision take"
                         : "is this a joint graph? see 'fxcut help partition'");
  return member(root, "nodes").has_value();
}

GraphForm read_form(const JsonValue& root, Mistakes& mistakes) {
  if (has_text(root, "format", kJointFormat) || is_step(root)) return GraphForm::Joint;
  if (!has_text(root, "format", kSideFormat)) {
    mistakes.add(member(root, "format").value_or(root),
                 fmt::format("expected \"format\": \"{}\", \"{}\" or \"{}\"", kJointFormat, kStepFormat, kSideFormat),
                 "is this a graph? see 'fxcut help show'");
    return GraphForm::Joint;
  }
  if (has_text(root, "side", "forward")) return GraphForm::Forward;
  const auto is_side = [&](std::string_view side) { return has_text(root, "side", side); };
  if (!is_side("backward") && !is_side(kInputSide) && !is_side(kWeightSide)) {
    mistakes.add(member(root, "side").value_or(root), "expected \"side\": \"forward\" or \"backward\"");
  }
  return GraphForm::Backward;
}

void read_symbols(const JsonValue& symbols, JointGraph& joint, Mistakes& mistakes) {
  if (!expect(symbols, Type::Object, "", mistakes)) return;
  for (const JsonValue json : symbols) {
    if (!expect(json, Type::Object, "", mistakes)) continue;
    Symbol symbol;
    const auto hint = member(json, "hint");
    if (hint && !hint->is(Type::Null)) symbol.hint = read_integer(*hint, "", mistakes);
    if (const auto backed = member(json, "backed")) symbol.backed = read_boolean(*backed, "", mistakes).value_or(true);
    joint.symbols.emplace(json.key(), symbol);
  }
}

Subgraphs read_subgraphs(const JsonValue& owner, NodesReader& nodes, Mistakes& mistakes) {
  Subgraphs subgraphs;
  const auto json = member(owner, "subgraphs");
  if (!json || !expect(*json, Type::Object, "", mistakes)) return subgraphs;
  for (const JsonValue child : *json) {
    if (!expect(child, Type::Object, "", mistakes)) continue;
    subgraphs.push_back({std::string(child.key()),
                         {nodes.read(child), read_subgraphs(child, nodes, mistakes), child.ticket()}});
  }
  return subgraphs;
}

void read_num_forward_outputs(const JsonValue& root, JointGraph& joint, Mistakes& mistakes) {
  const auto json = member(root, "num_fwd_outputs");
  if (!json) {
    mistakes.add(root, "missing 'num_fwd_outputs', the number of outputs of the forward");
    return;
  }
  const auto count = read_integer(*json, "", mistakes);
  if (!count || !mistakes.empty()) return;  // only a correct graph has countable outputs
  const std::size_t outputs = output_leaves(joint.graph).size();
  if (*count < 0 || static_cast<std::uint64_t>(*count) > outputs) {
    mistakes.add(*json, fmt::format("expected 0 to {} forward outputs, the outputs of the graph; found {}", outputs, *count));
    return;
  }
  joint.num_forward_outputs = static_cast<std::size_t>(*count);
}

ReadNodes read_nodes(const JsonValue& root, std::string_view torch_version, Mistakes& mistakes) {
  const auto operators = read_operator_table(member(root, "producer"), member(root, "ops"), torch_version, mistakes);
  ReadNodes nodes{std::make_unique<NodesReader>(operators, mistakes), {}};
  nodes.graph = nodes.reader->read(root);
  return nodes;
}

std::string read_text_if_any(const JsonValue& root, std::string_view key, Mistakes& mistakes) {
  const auto json = member(root, key);
  return std::string(json ? read_string(*json, "", mistakes).value_or("") : "");
}

std::string read_compiler(const JsonValue& root, Mistakes& mistakes) {
  constexpr auto kCompilers =
      std::to_array<std::pair<std::string_view, std::string_view>>({{kInductor, kInductor}, {"aot_eager", "aot_eager"}});
  const auto json = member(root, "compiler");
  return std::string(json ? read_word(*json, kCompilers, "compiler", "", mistakes).value_or("") : "");
}

MatmulPrecision read_matmul_precision(const JsonValue& root, Mistakes& mistakes) {
  constexpr auto kWords = std::to_array<std::pair<std::string_view, MatmulPrecision>>(
      {{kMatmulPrecisions[0], MatmulPrecision::Highest}, {kMatmulPrecisions[1], MatmulPrecision::High},
       {kMatmulPrecisions[2], MatmulPrecision::Medium}});
  const auto json = member(root, "float32_matmul_precision");
  if (!json) return MatmulPrecision::Highest;
  return read_word(*json, kWords, "precision", "", mistakes).value_or(MatmulPrecision::Highest);
}

bool read_flag_if_any(const JsonValue& root, std::string_view key, Mistakes& mistakes) {
  const auto json = member(root, key);
  return json && read_boolean(*json, "", mistakes).value_or(false);
}

JointGraph read(const JsonValue& root, GraphForm form, std::string_view torch_version, std::optional<ReadNodes> nodes,
                Mistakes& mistakes) {
  JointGraph joint;
  expect_version(root, kGraphVersion, mistakes);
  joint.name = read_text_if_any(root, "name", mistakes);
  joint.producer = read_text_if_any(root, "producer", mistakes);
  joint.compiler = read_compiler(root, mistakes);
  joint.single_threaded = read_flag_if_any(root, "single_threaded", mistakes);
  joint.float32_matmul_precision = read_matmul_precision(root, mistakes);
  joint.torch = choose_release(torch_version, joint.producer);
  if (const auto symbols = member(root, "symbols")) read_symbols(*symbols, joint, mistakes);
  if (!nodes) nodes = read_nodes(root, torch_version, mistakes);
  joint.graph = std::move(nodes->graph);
  mark_unhinted_elements(joint);
  joint.subgraphs = read_subgraphs(root, *nodes->reader, mistakes);
  if (!nodes->reader->order().is_kept()) order_by_name(joint.graph, joint.subgraphs);
  read_static_inputs(root, form != GraphForm::Joint, joint.graph, mistakes);  // a side has some of them
  if (is_step(root)) {
    // Unused random calls stay.
    const bool impure_random = read_flag_if_any(root, "impure_random", mistakes);
    return mistakes.empty() ? joint_of_step(std::move(joint), impure_random) : joint;
  }
  if (form != GraphForm::Backward) read_num_forward_outputs(root, joint, mistakes);
  return joint;
}

}  // namespace

JointGraph read_joint_graph(const Document& document, std::string_view torch_version, NodesAhead* ahead) {
  Mistakes own;
  Mistakes& mistakes = ahead ? ahead->mistakes() : own;
  auto nodes = ahead ? ahead->take(document.root()) : std::nullopt;
  JointGraph joint;
  if (expect(document.root(), Type::Object, "", mistakes)) {
    if (!expect_joint_format(document.root(), mistakes)) mistakes.raise();
    joint = read(document.root(), GraphForm::Joint, torch_version, std::move(nodes), mistakes);
  }
  mistakes.raise();
  return joint;
}

AnyGraph read_any_graph(const Document& document, std::string_view torch_version) {
  Mistakes mistakes;
  AnyGraph any;
  if (expect(document.root(), Type::Object, "", mistakes)) {
    any.form = read_form(document.root(), mistakes);
    if (const auto side = member(document.root(), "side"); side && side->is(Type::String)) any.side = side->text();
    any.joint = read(document.root(), any.form, torch_version, std::nullopt, mistakes);
  }
  mistakes.raise();
  return any;
}

}  // namespace fxcut
