#include "cli/graph_file.h"

#include "cli/settings_options.h"
#include "cli/warnings.h"
#include "read/read_graph.h"
#include "write/files.h"

namespace fxcut {

GraphFile read_graph_file(const std::string& path, std::ostream& err, const std::string& torch_version) {
  GraphFile file;
  file.name = shown_name(path);
  file.document = Document::parse(read_file(path), file.name);
  file.joint = read_joint_graph(*file.document, torch_version);
  warn_of_unknown_release(file.joint, file.name, err);
  warn_of_unknown_operators(file.joint, file.name, err);
  return file;
}

}  // namespace fxcut
