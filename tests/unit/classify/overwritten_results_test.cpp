#include "classify/overwritten_results.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

// The names of the results that are overwritten; `body` is over x and y.
std::string overwritten(std::string_view body, std::string_view returned = "x") {
  const Graph graph = joint_graph(fmt::format(R"graph(
    "ops": {{"my.log.default": {{"mutable": true, "returns": 0, "schema": "my::log(Tensor a, Tensor(b!) b) -> ()"}}}}
    x = placeholder : f32[4]{{1}}@0
    y = placeholder : f32[4]{{1}}@1
    {}
    return {})graph", body, returned)).graph;
  std::string names;
  const std::vector<bool> found = find_overwritten_results(graph, find_copies_in_place(graph));
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (found[i]) names += graph.nodes[i].name + " ";
  }
  return names;
}

const std::string kMade = "made = aten.sin.default(x) : f32[4]{1}@2\n";
const std::string kWrite = "write = aten.copy_.default(made, y) : f32[4]{1}@2\n";

TEST(OverwrittenResults, AreReadOnlyLater) {
  EXPECT_EQ(overwritten(kMade + kWrite + "read = aten.cos.default(made) : f32[4]{1}@3", "read"), "made ");
  EXPECT_EQ(overwritten(kMade + "read = aten.cos.default(made) : f32[4]{1}@3\n" + kWrite, "read"), "");
}

TEST(OverwrittenResults, MayBeOverwrittenThroughAView) {
  const std::string view = "view = aten.view.default(made, [2, 2]) : f32[2, 2]{2, 1}@2\n";
  EXPECT_EQ(overwritten(kMade + view + "write = aten.copy_.default(view, y) : f32[2, 2]{2, 1}@2"), "made ");
  EXPECT_EQ(overwritten(kMade + view + "read = aten.cos.default(view) : f32[2, 2]@3\n" + kWrite, "read"), "");
}

TEST(OverwrittenResults, AreNotReadByDeadCode) {
  EXPECT_EQ(overwritten(kMade + "read = aten.cos.default(made) : f32[4]{1}@3\n" + kWrite), "made ");
}

TEST(OverwrittenResults, AreNotWhatTheWriteItselfReads) {
  EXPECT_EQ(overwritten(kMade + "write = aten.add_.Tensor(made, y) : f32[4]{1}@2"), "");
  EXPECT_EQ(overwritten(kMade + "write = aten.copy_.default(made, made) : f32[4]{1}@2"), "");
  EXPECT_EQ(overwritten(kMade + "log = my.log.default(made, y) : none\n" + kWrite), "");
}

TEST(OverwrittenResults, AreNotOverwrittenInPart) {
  EXPECT_EQ(overwritten(kMade + "part = aten.select.int(made, 0, 0) : f32[2]{1}@2\n"
                                "write = aten.copy_.default(part, y) : f32[2]{1}@2"),
            "");
}

TEST(OverwrittenResults, MayBeDrawn) {
  EXPECT_EQ(overwritten("made = aten.bernoulli.default(x) : f32[4]{1}@2\n" + kWrite), "made ");
}

TEST(OverwrittenResults, AreOfCallsThatDoNothingElse) {
  EXPECT_EQ(overwritten("made = prims.inductor_seeds.default(4, device(cpu)) : f32[4]{1}@2\n" + kWrite), "");
  EXPECT_EQ(overwritten("write = aten.copy_.default(x, y) : f32[4]{1}@0"), "");
}

}  // namespace
}  // namespace fxcut
