#include "sound_partition.h"

#include <algorithm>
#include <stdexcept>

#include "pipeline/pipeline.h"
#include "read/read_file.h"
#include "read/read_graph.h"
#include "write_down.h"

namespace fxcut {

SoundPartition sound_partition(const std::string& graph_path, const Settings& settings) {
  const std::string path = FXCUT_TESTDATA "/" + graph_path, text = read_file(path);
  const auto document = Document::parse(text, path);
  return {Json::parse(text),
          write_down(partition(read_joint_graph(*document, settings.torch_version), settings), *document)};
}

Json& node_named(Json& graph, const std::string& name) {
  for (Json& node : graph.at("nodes")) {
    if (node.at("name") == name) return node;
  }
  throw std::runtime_error("there is no node " + name);
}

bool one_begins(const std::vector<std::string>& problems, const std::string& beginning) {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const std::string& problem) { return problem.starts_with(beginning); });
}

}  // namespace fxcut
