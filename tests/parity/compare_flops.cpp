// The FLOPs of every operator of recorded graphs, by reports and by verify, against PyTorch's own count.
//
//     compare_flops DIRECTORY...
//
// For each NAME.expected.json under the directories that lists `flops`: each operator of NAME.json counts as listed there, or 1
// if it is not listed. Prints a line for each that differs, and how many were compared. Exit status 0 if all agree, 1 if one does
// not, 2 if there was nothing to compare.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <set>
#include <string>

#include "cost/flops.h"
#include "json_graph.h"
#include "read/read_file.h"
#include "read/read_graph.h"
#include "verify/counted_flops.h"

namespace fxcut {
namespace {

struct Count {
  std::size_t graphs = 0, operators = 0, counted = 0, different = 0;  // counted: of more than 1 FLOP
};

void compare(const std::string& graph_path, const Json& tagged, Count& count) {
  const JointGraph joint = read_joint_graph(*Document::parse(read_file(graph_path), graph_path), kAsProducer);
  ++count.graphs;
  std::set<std::string> calls;
  for (const Node& node : joint.graph.nodes) {
    if (!node.is_call()) continue;
    calls.insert(node.name);
    const auto flops = static_cast<double>(estimate_flops(joint.graph, node, joint.torch.release));
    const auto by_verify = static_cast<double>(count_flops(joint.graph, node, joint.torch.release));
    const double by_pytorch = tagged.value(node.name, 1.0);
    ++count.operators;
    count.counted += by_pytorch > 1;
    if (flops == by_pytorch && by_verify == by_pytorch) continue;
    ++count.different;
    fmt::print("{}: {} ({}) counts {}, verify counts {}, PyTorch counts {}\n", graph_path, node.name,
               node.callee->target, flops, by_verify, by_pytorch);
  }
  for (const auto& [name, flops] : tagged.items()) {
    if (calls.contains(name)) continue;
    ++count.different;
    fmt::print("{}: PyTorch counts {} FLOPs of {}, which is no operator there\n", graph_path, flops.dump(), name);
  }
}

Count compare_all(const std::vector<std::string>& directories) {
  constexpr std::string_view kSuffix = ".expected.json";
  Count count;
  for (const std::string& directory : directories) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
      const std::string path = entry.path().string();
      if (!path.ends_with(kSuffix)) continue;
      const Json recorded = Json::parse(read_file(path));
      const Json flops = recorded.value("flops", Json::object());
      if (!flops.empty()) compare(path.substr(0, path.size() - kSuffix.size()) + ".json", flops, count);
    }
  }
  return count;
}

}  // namespace
}  // namespace fxcut

int main(int argc, char** argv) {
  try {
    const fxcut::Count count = fxcut::compare_all({argv + 1, argv + argc});
    fmt::print("{} operators of {} graphs, {} of them counted by a formula: {} differ from PyTorch\n", count.operators,
               count.graphs, count.counted, count.different);
    return count.counted == 0 ? 2 : count.different > 0 ? 1 : 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "compare_flops: {}\n", error.what());
    return 1;
  }
}
