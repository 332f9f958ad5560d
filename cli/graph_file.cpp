#include "cli/graph_file.h"

#include <fmt/format.h>

#include <utility>

#include "classify/operator_table.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/narration.h"
#include "read/nodes_ahead.h"
#include "read/read_static_inputs.h"

namespace fxcut {
namespace {

void warn_of_unknown_release(const JointGraph& joint, const std::string& file_name, std::ostream& err) {
  if (joint.torch.unknown_release.empty()) return;
  warn(err, file_name,
       fmt::format("the graph was made by PyTorch {}, an unknown release: treated as {}\n"
                   "  the setting torch_version selects another",
                   joint.torch.unknown_release, joint.torch.release.version()));
}

void warn_of_unknown_operators(const JointGraph& joint, const std::string& file_name, std::ostream& err) {
  for (const std::string& target : unknown_operators(joint)) {
    warn(err, file_name,
         fmt::format("unknown operator '{}': treated as pure\n"
                     "  describe it in the graph's 'ops' (tags, mutable, returns, builtin, schema)",
                     target));
  }
}

void warn_of_other_static_inputs(const GraphFile& file, std::ostream& err) {
  if (file.form != GraphForm::Joint || file.joint.step) return;
  const Graph& graph = file.joint.graph;
  const StaticInputs inputs = static_inputs_of(file.document->root(), graph);
  if (!inputs.impossible) return;
  const Node& found = graph[*inputs.impossible];
  std::string names;
  for (const NodeId id : inputs.resident) names += (names.empty() ? "" : ", ") + graph[id].name;
  warn(err, file.name,
       fmt::format("static_lifetime_inputs has '{}', {}, which is not a parameter: PyTorch numbers inputs before DTensors are "
                   "unwrapped\n  {}: {}",
                   found.name, is_opaque(found) ? "an opaque object" : "a token of effects",
                   inputs.is_put_right ? "put right" : "there are too few inputs to put the list right; taken as they are",
                   inputs.resident.empty() ? "none" : names));
}

GraphFile read(std::string text, const std::string& name, std::ostream& err, const PassDone& done,
               ParseListener* listener, auto&& read_graph) {
  const Stopwatch reading(err);
  GraphFile file;
  file.name = name;
  file.document = Document::parse(std::move(text), file.name, listener);
  done("parse");
  AnyGraph any = read_graph(*file.document);
  file.form = any.form;
  file.side = std::move(any.side);
  file.joint = std::move(any.joint);
  done("build graph");
  reading.done(fmt::format("read {}, {} nodes,", file.name, file.joint.graph.size()));
  warn_of_unknown_release(file.joint, file.name, err);
  warn_of_unknown_operators(file.joint, file.name, err);
  warn_of_other_static_inputs(file, err);
  return file;
}

}  // namespace

GraphFile read_graph_text(std::string text, const std::string& name, std::ostream& err,
                          const std::string& torch_version, const PassDone& done) {
  return within_memory(name, [&] {
    NodesAhead in_time(torch_version, text.size());
    NodesAhead* const ahead = text.size() < NodesAhead::kWorthAThread ? nullptr : &in_time;
    return read(std::move(text), name, err, done, ahead, [&](const Document& document) {
      return AnyGraph{GraphForm::Joint, read_joint_graph(document, torch_version, ahead)};
    });
  });
}

GraphFile read_graph_file(const std::string& path, std::ostream& err, const std::string& torch_version,
                          const PassDone& done) {
  std::string text = read_text(path);
  done("read file");
  return read_graph_text(std::move(text), shown_name(path), err, torch_version, done);
}

void refuse_step(const GraphFile& file) {
  if (!file.joint.step) return;
  throw Failure(ExitStatus::BadInput, {{file.name, "a whole step is not a stage: its forward and backward are in one graph",
                                        "expected joint graphs (fx-joint-graph)"}});
}

GraphFile read_any_graph_text(std::string text, const std::string& name, std::ostream& err, const std::string& torch_version) {
  return within_memory(name, [&] {
    return read(std::move(text), name, err, kNoProgress, nullptr,
                [&](const Document& document) { return read_any_graph(document, torch_version); });
  });
}

GraphFile read_any_graph_file(const std::string& path, std::ostream& err, const std::string& torch_version) {
  return read_any_graph_text(read_text(path), shown_name(path), err, torch_version);
}

}  // namespace fxcut
