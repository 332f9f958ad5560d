// What PyTorch's pass made of whole steps (testdata/steps): the tool makes the same, node by node, or refuses what PyTorch refuses;
// and without the setting that follows PyTorch in that, each step is served.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "graph_difference.h"
#include "json_graph.h"
#include "pipeline/pipeline.h"
#include "read/read_file.h"
#include "read/read_graph.h"
#include "write/graph_json.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".expected.json";

std::vector<std::string> recorded_steps() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(FXCUT_TESTDATA) / "steps")) {
    const std::string name = entry.path().filename();
    if (name.ends_with(kEnding)) names.push_back(name.substr(0, name.size() - kEnding.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Steps : public testing::TestWithParam<std::string> {
 protected:
  Json file(const std::string& ending) const {
    return Json::parse(read_file((fs::path(FXCUT_TESTDATA) / "steps" / (GetParam() + ending)).string()));
  }

  Json step_of(Settings settings) const {
    const auto document = Document::parse(file(".json").dump(), GetParam());
    const Partition made = partition(read_joint_graph(*document), settings);
    return Json::parse(graph_json(made.step.value(), made.subgraphs, "step", *document));
  }
};

TEST_P(Steps, AreWhatPyTorchMakesOfThem) {
  Settings settings;
  settings.partitioner = Partitioner::Tags;
  settings.chooses_partitioner = true;
  for (const Json& answer : file(std::string(kEnding)).at("cases")) {
    if (answer.contains("error")) {
      EXPECT_THROW(step_of(settings), Failure) << answer.at("error");
    } else {
      const Json& nodes = answer.at("step").at("nodes");
      EXPECT_EQ(first_difference(nodes, step_of(settings).at("nodes"), names_of(nodes)), "");
    }
  }
}

TEST_P(Steps, AreServedByDefault) { EXPECT_NO_THROW(step_of({})); }

INSTANTIATE_TEST_SUITE_P(Recorded, Steps, testing::ValuesIn(recorded_steps()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace fxcut
