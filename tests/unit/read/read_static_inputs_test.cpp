// Static inputs by a list of names that were numbers of the step's inputs.
#include "read/read_static_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "graph_text.h"
#include "json/document.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

using Names = std::vector<std::string>;

Names static_in(const Graph& graph) {
  Names names;
  for (const Node& node : graph.nodes) {
    if (node.meta.static_lifetime) names.push_back(node.name);
  }
  return names;
}

// `text` is a graph in the tests' notation.
Names static_in(const std::string& text) { return static_in(joint_graph(text).graph); }

// Inputs 0, 2, 3 and 4 of the step are DTensors, 1 is none; `listed`: primals that are marked as static.
std::string with_dtensors(const std::vector<int>& listed) {
  constexpr std::string_view kTensor = "f32[4, 4]", kMesh = "opaque";
  constexpr std::string_view kValues[] = {kTensor, kMesh, kTensor, kTensor, kMesh, kTensor, kMesh, kTensor, kMesh};
  std::string text;
  int number = 0;
  for (const std::string_view value : kValues) {
    ++number;
    const bool is_listed = std::find(listed.begin(), listed.end(), number) != listed.end();
    text += "primals_" + std::to_string(number) + " = placeholder : " + std::string(value) + (is_listed ? " static\n" : "\n");
  }
  return text + "y = aten.add.Tensor(primals_1, primals_3) : f32[4, 4]\nreturn y";
}

TEST(ReadStaticInputs, NamesNumberTheStepsInputsIfAMeshIsListed) {
  EXPECT_EQ(static_in(with_dtensors({1, 3, 4, 5})), (Names{"primals_1", "primals_4", "primals_6", "primals_8"}));
  EXPECT_EQ(static_in(with_dtensors({1, 2})), (Names{"primals_1", "primals_3"}));
}

TEST(ReadStaticInputs, WithoutAMeshTheListIsTakenAsItIs) {
  EXPECT_EQ(static_in(with_dtensors({1, 4, 6, 8})), (Names{"primals_1", "primals_4", "primals_6", "primals_8"}));
}

TEST(ReadStaticInputs, AListOfMoreThanTheStepsInputsLosesItsMeshes) {
  EXPECT_EQ(static_in(with_dtensors({1, 2, 8})), (Names{"primals_1", "primals_8"}));
}

TEST(ReadStaticInputs, TokensOfEffectsAreNoInputsOfTheStep) {
  EXPECT_EQ(static_in(R"(
      primals_1 = placeholder : f32[0] static
      primals_2 = placeholder : f32[4]
      primals_3 = placeholder : f32[4]
      with_effects = higher_order.with_effects(primals_1, op(my.log.default), primals_3) : tuple(f32[0], f32[4])
      getitem = operator.getitem(with_effects, 1) : f32[4]
      y = aten.add.Tensor(getitem, primals_2) : f32[4]
      return y)"),
            Names{"primals_2"});
}

TEST(ReadStaticInputs, ImpossibleEntriesAreReported) {
  const auto document = Document::parse(joint_json(with_dtensors({1, 3, 4, 5})), "g.json");
  const Graph graph = read_joint_graph(*document).graph;
  const StaticInputs inputs = static_inputs_of(document->root(), graph);
  ASSERT_TRUE(inputs.impossible);
  EXPECT_EQ(graph[*inputs.impossible].name, "primals_5");
  EXPECT_TRUE(inputs.is_put_right);
  const auto right = Document::parse(joint_json(with_dtensors({1, 4})), "g.json");
  EXPECT_FALSE(static_inputs_of(right->root(), read_joint_graph(*right).graph).impossible);
}

}  // namespace
}  // namespace fxcut
