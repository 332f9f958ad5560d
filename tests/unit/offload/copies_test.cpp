// The nodes that copy a value between a device and the host.
#include "offload/copies.h"

#include <gtest/gtest.h>

#include "classify/host_copies.h"
#include "graph_text.h"
#include "json/value_json.h"

namespace fxcut {
namespace {

constexpr NodeId kX{0};

// The line of a node that takes `x`, and perhaps `y`.
std::string line_of(Node node) {
  Graph graph = joint_graph("x = placeholder\ny = placeholder\nreturn x").graph;
  graph.nodes.pop_back();
  graph.nodes.push_back(std::move(node));
  const std::string text = text_of(graph);
  return text.substr(text.find('\n', text.find("y =")) + 1);
}

std::shared_ptr<const Value> value_of(const std::string& value) {
  return joint_graph("x = placeholder : " + value + "\nreturn x").graph.nodes[0].value;
}

std::string json_of(const Value& value) {
  std::string json;
  append_value(value, json);
  return json;
}

TEST(Copies, OnTheDevicesOwnStreamAreOneNode) {
  const auto on_host = value_of("f32[4] on cpu");
  const Node node = make_device_put(kX, "cpu", on_host, "cpu_offload_x");
  EXPECT_EQ(line_of(node), "cpu_offload_x = prims.device_put.default(x, cpu, non_blocking=True)\n");
  EXPECT_EQ(node.value, on_host);
  EXPECT_EQ(node.origin, kNoOrigin);
}

TEST(Copies, OnAStreamOfTheirOwnAreStartedAndWaitedFor) {
  EXPECT_EQ(line_of(make_copy(kOffload, kX, nullptr, "start")), "start = ao.offload.default(x)\n");
  EXPECT_EQ(line_of(make_wait(kX, node_id(1), nullptr, "wait")), "wait = ao.wait_tensor.default(x, y)\n");
}

TEST(Copies, BackNameTheDeviceTheSizesAndTheStridesOfTheOriginal) {
  const Tensor original = value_of("f32[2, 3]{3, 1}@7 on cuda:0")->tensor;
  const Node node = make_reload(kX, original, "start");
  EXPECT_EQ(line_of(node), "start = ao.reload.default(x, cuda:0, [2, 3], [3, 1])\n");
  EXPECT_EQ(json_of(*node.value), json_of(*value_of("f32[2, 3]{3, 1} on cuda:0"))) << "in memory of its own";
}

TEST(Copies, BackKeepSymbolicSizes) {
  const Tensor original = value_of("f32[2*s0=8]{1} on cuda:0")->tensor;
  EXPECT_EQ(line_of(make_reload(kX, original, "start")),
            "start = ao.reload.default(x, cuda:0, [{\"expr\":\"2*s0\",\"hint\":8,\"symbols\":[\"s0\"]}], [1])\n");
}

TEST(Copies, AreInOtherMemoryUnlessTheValueIsThereAlready) {
  const auto value = value_of("f32[2, 3]{3, 1}@7 on cuda:0");
  EXPECT_EQ(json_of(*moved_value(*value, "cpu")), json_of(*value_of("f32[2, 3]{3, 1} on cpu")));
  EXPECT_EQ(json_of(*moved_value(*value, "cuda:0")), json_of(*value));
}

}  // namespace
}  // namespace fxcut
