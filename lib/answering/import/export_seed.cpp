#include "import/export_seed.h"

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

}  // namespace fxcut
