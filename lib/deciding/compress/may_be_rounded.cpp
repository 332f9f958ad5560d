#include "compress/may_be_rounded.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "policy/names.h"
#include "policy/operator_classes.h"
#include "quantize/quantized_dtypes.h"
#include "text/comma_list.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxListed = 5;

OperatorClass class_named(std::string_view name) {
  return std::ranges::find(kOperatorClasses, name, &std::pair<std::string_view, OperatorClass>::first)->second;
}

std::vector<bool> of_classes(const Graph& graph, const Settings& settings) {
  std::vector<bool> may(graph.size(), false);
  for (const std::string& name : split_at_commas(settings.compress_classes)) {
    const std::vector<bool> are = calls_of(graph, class_named(name));
    for (std::size_t i = 0; i < may.size(); ++i) may[i] = may[i] || are[i];
  }
  const std::vector<NodeId> same = same_values(graph, naming_operators(settings));
  for (std::size_t i = 0; i < may.size(); ++i) may[i] = may[i] || may[index_of(same[i])];
  return may;
}

std::string mistake_in(const std::string& name, const MeasuredError& measured,
                       const std::unordered_map<std::string_view, const Node*>& nodes) {
  const auto found = nodes.find(name);
  if (found == nodes.end()) return fmt::format("the graph has no node '{}'", name);
  const Node& node = *found->second;
  const std::string_view op = node.is_call() ? std::string_view(node.callee->target) : "placeholder";
  return op == measured.op ? "" : fmt::format("'{}' is {} in the graph, and {} in the file", name, op, measured.op);
}

void require_dtype(const MeasuredErrors& errors, const Settings& settings) {
  const std::string_view dtype = find_quantized_dtype(settings.compress_dtype)->name;
  if (errors.dtype == dtype) return;
  throw Failure(ExitStatus::Usage,
                fmt::format("compress_errors: the errors are those of rounding to {}, but compress_dtype is {}", errors.dtype,
                            dtype),
                fmt::format("measure again with dtype=\"torch.{}\"", dtype));
}

}  // namespace

std::vector<bool> may_be_rounded(const Graph& graph, const Settings& settings) {
  std::vector<bool> may = settings.compress_classes.empty() ? std::vector<bool>(graph.size(), true) : of_classes(graph, settings);
  if (!settings.compress_error || !settings.compress_errors) return may;
  const auto& errors = settings.compress_errors->by_node;
  for (std::size_t i = 0; i < may.size(); ++i) {
    const auto found = errors.find(graph.nodes[i].name);
    may[i] = may[i] && found != errors.end() && found->second.error && *found->second.error <= *settings.compress_error;
  }
  return may;
}

void require_errors_of_graph(const MeasuredErrors& errors, const Graph& graph, const Settings& settings) {
  require_dtype(errors, settings);
  std::unordered_map<std::string_view, const Node*> nodes;
  for (const Node& node : graph.nodes) nodes.emplace(node.name, &node);
  std::vector<Diagnostic> wrong;
  for (const auto& [name, measured] : errors.by_node) {
    std::string mistake = mistake_in(name, measured, nodes);
    if (!mistake.empty()) wrong.push_back({"", fmt::format("compress_errors of '{}': {}", errors.graph, mistake), ""});
  }
  if (wrong.empty()) return;
  const std::size_t all = wrong.size();
  wrong.resize(std::min(all, kMaxListed));
  if (all > kMaxListed) wrong.push_back({"", fmt::format("{} more of its values are not the graph's", all - kMaxListed), ""});
  wrong.back().hint = "measure the errors of this graph's step: fxcut.measure_compression(model, inputs)";
  throw Failure(ExitStatus::BadInput, std::move(wrong));
}

}  // namespace fxcut
