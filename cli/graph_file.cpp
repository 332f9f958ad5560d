#include "cli/graph_file.h"

#include <fmt/format.h>

#include "cli/narration.h"
#include "cli/settings_options.h"
#include "cli/warnings.h"
#include "write/files.h"

namespace fxcut {
namespace {

GraphFile read(const std::string& path, std::ostream& err, auto&& read_graph) {
  const Stopwatch reading(err);
  GraphFile file;
  file.name = shown_name(path);
  file.document = Document::parse(read_file(path), file.name);
  AnyGraph any = read_graph(*file.document);
  file.form = any.form;
  file.joint = std::move(any.joint);
  reading.done(fmt::format("read {}, {} nodes,", file.name, file.joint.graph.size()));
  warn_of_unknown_release(file.joint, file.name, err);
  warn_of_unknown_operators(file.joint, file.name, err);
  return file;
}

}  // namespace

GraphFile read_graph_file(const std::string& path, std::ostream& err, const std::string& torch_version) {
  return read(path, err, [&](const Document& document) {
    return AnyGraph{GraphForm::Joint, read_joint_graph(document, torch_version)};
  });
}

GraphFile read_any_graph_file(const std::string& path, std::ostream& err, const std::string& torch_version) {
  return read(path, err, [&](const Document& document) { return read_any_graph(document, torch_version); });
}

}  // namespace fxcut
