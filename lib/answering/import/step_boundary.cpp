#include "import/step_boundary.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

bool makes_ones_like(const TextNode& node, std::string_view loss) {
  if (node.arguments.empty() || !node.arguments[0].is_name(loss)) return false;
  if (node.target == "aten.ones_like.default") return true;
  if (node.target != "aten.full_like.default" || node.arguments.size() < 2) return false;
  return node.arguments[1].text == "1" || node.arguments[1].text == "1.0";
}

void move_after_inputs(TextGraph& graph, std::size_t position) {
  const auto is_input = [](const TextNode& node) { return node.opcode == Opcode::Placeholder; };
  const auto begin = std::find_if_not(graph.nodes.begin(), graph.nodes.end(), is_input);
  const auto moved = graph.nodes.begin() + static_cast<std::ptrdiff_t>(position);
  graph.nodes[position].opcode = Opcode::Placeholder;
  std::rotate(begin, moved, moved + 1);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) graph.index[graph.nodes[i].name] = i;
}

using Kind = PythonExpression::Kind;

std::size_t count_leaves(const PythonExpression& returned) {
  const bool is_container = returned.is(Kind::List) || returned.is(Kind::Tuple);
  if (!is_container) return 1;
  std::size_t leaves = 0;
  for (const PythonExpression& item : returned.items) leaves += count_leaves(item);
  return leaves;
}

bool has(const std::string& target, std::string_view part) { return target.find(part) != std::string::npos; }

// PyTorch's _is_primal, and the others by their targets.
std::vector<const TextNode*> primals_of(const TextGraph& graph) {
  std::vector<const TextNode*> primals;
  for (const TextNode& node : graph.nodes) {
    const bool is_other = has(node.target, "tangents") || has(node.target, "bwd_seed") ||
                          has(node.target, "bwd_base_offset") || has(node.target, "fwd_seed") ||
                          has(node.target, "fwd_base_offset");
    if (node.opcode == Opcode::Placeholder && !is_other) primals.push_back(&node);
  }
  return primals;
}

// The number of outputs before the first gradient, by the comments after them; "None" is for an input without a gradient.
std::size_t count_described(const std::vector<std::string>& descriptions) {
  const auto first = std::ranges::find_if(descriptions, [](const std::string& description) {
    return description == "None" || description.starts_with("Grad");
  });
  return static_cast<std::size_t>(first - descriptions.begin());
}

bool is_gradient(const SignatureEntry& output) { return output.kind.starts_with("GRADIENT"); }

std::size_t count_exported(const ExportSignature& signature, std::string_view file) {
  const auto first = std::find_if(signature.outputs.begin(), signature.outputs.end(), is_gradient);
  if (!std::all_of(first, signature.outputs.end(), is_gradient)) {
    throw Failure(ExitStatus::BadInput,
                  {{std::string(file), "gradients come before other outputs in the signature", ""}});
  }
  return static_cast<std::size_t>(first - signature.outputs.begin());
}

std::size_t find_forward_outputs(const TextGraph& graph, const GraphSource& source, const BoundaryOptions& options,
                                 std::string_view file, JointGraphHead& head) {
  const TextNode& output = graph.nodes.back();
  const std::size_t leaves = count_leaves(output.arguments[0]);
  if (options.forward_outputs) {
    if (*options.forward_outputs <= leaves) return *options.forward_outputs;
    refuse_text(file, output.place,
                fmt::format("{} forward outputs, but the graph returns {}", *options.forward_outputs, leaves),
                "--forward-outputs sets the number of the forward's outputs");
  }
  if (source.signature) return std::min(count_exported(*source.signature, file), leaves);
  if (graph.output_descriptions.size() == leaves) return count_described(graph.output_descriptions);
  const std::size_t primals = primals_of(graph).size();
  if (leaves < primals) {
    refuse_text(file, output.place,
                fmt::format("outputs: {}, inputs: {}; a joint graph returns a gradient, or None, for each input",
                            leaves, primals),
                "is this a joint graph? if so, set --forward-outputs to the number of the forward's outputs");
  }
  head.assumed.emplace_back(
      "num_fwd_outputs", fmt::format("{} of {} outputs, because each input has a gradient", leaves - primals, leaves));
  return leaves - primals;
}

std::vector<std::string> check_names(const std::vector<const TextNode*>& primals, const std::vector<std::string>& names,
                                     std::string_view file) {
  std::vector<std::string_view> known;
  for (const TextNode* primal : primals) known.push_back(primal->name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw Failure(
        ExitStatus::BadInput,
        {{std::string(file), fmt::format("--static-inputs: unknown input '{}'", name), did_you_mean(name, known)}});
  }
  return names;
}

std::vector<std::string> find_static_inputs(const TextGraph& graph, const GraphSource& source,
                                            const BoundaryOptions& options, std::string_view file, JointGraphHead& head) {
  const std::vector<const TextNode*> primals = primals_of(graph);
  if (options.static_inputs) return check_names(primals, *options.static_inputs, file);
  std::vector<std::string> names;
  if (source.signature) {
    for (const SignatureEntry& input : source.signature->inputs) {
      const bool is_static = input.kind == "PARAMETER" || input.kind == "BUFFER";
      if (is_static && graph.index.contains(input.name)) names.push_back(input.name);
    }
    return names;
  }
  if (source.static_inputs) {
    for (const std::size_t position : *source.static_inputs) {
      if (position < primals.size()) names.push_back(primals[position]->name);
    }
    return names;
  }
  for (const TextNode* primal : primals) {
    const bool is_parameter = primal->description.starts_with("ParamAOTInput");
    if (is_parameter || primal->description.starts_with("BufferAOTInput")) names.push_back(primal->name);
  }
  if (names.empty()) {
    head.assumed.emplace_back("static_lifetime_inputs",
                              "no input is a parameter or buffer, so a saved input counts as held; --static-inputs names them");
  }
  return names;
}

}  // namespace

void replace_loss_gradient(TextGraph& graph, const ExportSignature& signature, std::string_view file, JointGraphHead& head) {
  const auto loss = std::find_if(signature.outputs.begin(), signature.outputs.end(),
                                 [](const SignatureEntry& output) { return output.kind == "LOSS_OUTPUT"; });
  if (loss == signature.outputs.end()) {
    throw Failure(ExitStatus::BadInput,
                  {{std::string(file), "the exported program has no joint graph: its signature has no LOSS_OUTPUT",
                    "torch.export.experimental._export_forward_backward creates one from a program that returns a loss"}});
  }
  const auto seed = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                 [&](const TextNode& node) { return makes_ones_like(node, loss->name); });
  if (seed == graph.nodes.end()) {
    throw Failure(ExitStatus::BadInput,
                  {{std::string(file),
                    fmt::format("no node computes the gradient of the loss '{}', expected ones_like or "
                                "full_like(..., 1) of it",
                                loss->name),
                    ""}});
  }
  seed->target = "tangents_1";
  seed->arguments.clear();
  seed->keywords.clear();
  head.assumed.emplace_back("tangents",
                            fmt::format("'{}', the ones that the graph creates as the gradient of its loss, is an "
                                        "input: the backward begins there",
                                        seed->name));
  move_after_inputs(graph, static_cast<std::size_t>(seed - graph.nodes.begin()));
}

void find_step_boundary(const TextGraph& graph, const GraphSource& source, const BoundaryOptions& options,
                        std::string_view file, JointGraphHead& head) {
  head.num_forward_outputs = find_forward_outputs(graph, source, options, file, head);
  head.static_inputs = find_static_inputs(graph, source, options, file, head);
}

}  // namespace fxcut
