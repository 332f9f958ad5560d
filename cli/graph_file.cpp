#include "cli/graph_file.h"

#include <fmt/format.h>

#include <utility>

#include "classify/operator_table.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/narration.h"
#include "read/nodes_ahead.h"

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

GraphFile read(std::string text, const std::string& name, std::ostream& err, const StageDone& done,
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
  return file;
}

}  // namespace

GraphFile read_graph_text(std::string text, const std::string& name, std::ostream& err,
                          const std::string& torch_version, const StageDone& done) {
  return within_memory(name, [&] {
    NodesAhead in_time(torch_version, text.size());
    NodesAhead* const ahead = text.size() < NodesAhead::kWorthAThread ? nullptr : &in_time;
    return read(std::move(text), name, err, done, ahead, [&](const Document& document) {
      return AnyGraph{GraphForm::Joint, read_joint_graph(document, torch_version, ahead)};
    });
  });
}

GraphFile read_graph_file(const std::string& path, std::ostream& err, const std::string& torch_version,
                          const StageDone& done) {
  std::string text = read_text(path);
  done("read file");
  return read_graph_text(std::move(text), shown_name(path), err, torch_version, done);
}

void refuse_step(const GraphFile& file) {
  if (!file.joint.step) return;
  throw Failure(ExitStatus::BadInput, {{file.name, "a whole step is no stage: its forward and backward are in one graph",
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
