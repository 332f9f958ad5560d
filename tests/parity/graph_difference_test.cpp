// The comparison of graphs finds differences and nothing else.
#include "graph_difference.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

const std::unordered_set<std::string> kJointNames = {"x", "add", "output"};

Json nodes(const std::string& name, const std::string& args, const std::string& outputs) {
  return Json::parse(R"([{"name":"x","op":"placeholder","target":"x"},{"name":")" + name +
                     R"(","op":"call_function","target":"aten.add.Tensor","args":)" + args +
                     R"(},{"name":"output","op":"output","target":"output","args":)" + outputs + "}]");
}

const Json kAdd = nodes("add", R"([{"node":"x"},1])", R"([[{"node":"add"}]])");

TEST(GraphDifference, IsNoneOfEqualGraphs) { EXPECT_EQ(first_difference(kAdd, kAdd, kJointNames), ""); }

TEST(GraphDifference, IsNoneOfATupleAndAListInTheOutput) {
  const Json tuple = nodes("add", R"([{"node":"x"},1])", R"([{"tuple":[{"node":"add"}]}])");
  EXPECT_EQ(first_difference(kAdd, tuple, kJointNames), "");
}

TEST(GraphDifference, IsNoneWhereAnEmptyKeywordListIsLeftOut) {
  Json written_out = kAdd;
  written_out[1]["kwargs"] = Json::object();
  EXPECT_EQ(first_difference(kAdd, written_out, kJointNames), "");
}

TEST(GraphDifference, IsNoneWhereNodesOfThePartitionerHaveOtherNames) {
  const Json pytorch = nodes("state", R"([{"node":"x"},1])", R"([[{"node":"state"}]])");
  const Json ours = nodes("state_1", R"([{"node":"x"},1])", R"([[{"node":"state_1"}]])");
  EXPECT_EQ(first_difference(pytorch, ours, kJointNames), "");
}

TEST(GraphDifference, SeesAnotherNameOfANodeOfTheJointGraph) {
  const Json ours = nodes("add_1", R"([{"node":"x"},1])", R"([[{"node":"add_1"}]])");
  EXPECT_EQ(first_difference(kAdd, ours, kJointNames), "node 1: add_1, PyTorch has add");
}

TEST(GraphDifference, SeesAnotherReference) {
  const Json ours = nodes("add", R"([{"node":"x"},1])", R"([[{"node":"x"}]])");
  EXPECT_NE(first_difference(kAdd, ours, kJointNames), "");
}

TEST(GraphDifference, TellsIntegersRealsAndBooleansApart) {
  for (const char* args : {R"([{"node":"x"},1.0])", R"([{"node":"x"},true])"}) {
    EXPECT_NE(first_difference(kAdd, nodes("add", args, R"([[{"node":"add"}]])"), kJointNames), "") << args;
  }
}

TEST(GraphDifference, TellsTuplesAndListsApartInCalls) {
  const Json list = nodes("add", R"([[{"node":"x"}]])", "[[]]");
  const Json tuple = nodes("add", R"([{"tuple":[{"node":"x"}]}])", "[[]]");
  EXPECT_NE(first_difference(list, tuple, kJointNames), "");
}

TEST(GraphDifference, SeesAnotherTarget) {
  Json ours = kAdd;
  ours[1]["target"] = "aten.sub.Tensor";
  EXPECT_NE(first_difference(kAdd, ours, kJointNames), "");
}

TEST(GraphDifference, SeesAKeywordArgument) {
  Json ours = kAdd;
  ours[1]["kwargs"] = {{"alpha", 2}};
  EXPECT_NE(first_difference(kAdd, ours, kJointNames), "");
}

TEST(GraphDifference, SeesNodesThatAreMissing) {
  Json ours = kAdd;
  ours.erase(2);
  EXPECT_EQ(first_difference(kAdd, ours, kJointNames), "2 nodes, PyTorch has 3");
  EXPECT_EQ(first_difference(ours, kAdd, kJointNames), "3 nodes, PyTorch has 2");
}

}  // namespace
}  // namespace fxcut
