// A node's meta.
#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "unit/without_excerpts.h"

namespace fxcut {
namespace {

Node read_node(const std::string& words) { return joint_graph("x = placeholder " + words + "\nreturn x").graph.nodes[0]; }

std::string refusal_of_meta(const std::string& words) {
  try {
    read_node(words);
    return "";
  } catch (const Failure& failure) {
    return without_excerpts(failure);
  }
}

TEST(ReadMeta, CheckpointPolicies) {
  EXPECT_EQ(read_node("").meta.recompute, std::nullopt);
  EXPECT_EQ(read_node("recompute=MUST_SAVE").meta.recompute, CheckpointPolicy::MustSave);
  EXPECT_EQ(read_node("recompute=PREFER_SAVE").meta.recompute, CheckpointPolicy::PreferSave);
  EXPECT_EQ(read_node("recompute=MUST_RECOMPUTE").meta.recompute, CheckpointPolicy::MustRecompute);
  EXPECT_EQ(read_node("recompute=PREFER_RECOMPUTE").meta.recompute, CheckpointPolicy::PreferRecompute);
  EXPECT_EQ(read_node("recompute=MUST_CPU_OFFLOAD").meta.recompute, CheckpointPolicy::MustCpuOffload);
  EXPECT_EQ(read_node("recompute=PREFER_CPU_OFFLOAD").meta.recompute, CheckpointPolicy::PreferCpuOffload);
}

TEST(ReadMeta, NodesFromOnePlaceShareItsDescription) {
  const Graph graph = joint_graph(R"(
    x = placeholder
    a = aten.sin.default(x) module=one
    b = aten.sin.default(x) module=one
    c = aten.sin.default(x) module=two
    d = aten.sin.default(x) module=one
    return d)").graph;
  const auto place = [&](std::size_t node) { return graph.nodes[node].provenance; };
  EXPECT_EQ(place(1)->module, "one");
  EXPECT_EQ(place(3)->module, "two");
  EXPECT_EQ(place(2), place(1));
  EXPECT_EQ(place(4), place(1));
}

TEST(ReadMeta, PartitionerTags) {
  EXPECT_EQ(read_node("").meta.tag, PartitionerTag::None);
  EXPECT_EQ(read_node("partitioner_tag=is_forward").meta.tag, PartitionerTag::IsForward);
  EXPECT_EQ(read_node("partitioner_tag=is_backward").meta.tag, PartitionerTag::IsBackward);
  EXPECT_EQ(read_node("partitioner_tag=must_be_in_forward").meta.tag, PartitionerTag::MustBeInForward);
  EXPECT_EQ(read_node("partitioner_tag=must_be_in_backward").meta.tag, PartitionerTag::MustBeInBackward);
}

TEST(ReadMeta, NumbersAndFlags) {
  EXPECT_EQ(read_node("ac_graph_id=3").meta.ac_graph_id, 3);
  EXPECT_TRUE(read_node("has_backward_hook=true").meta.has_backward_hook);
  EXPECT_FALSE(read_node("has_backward_hook=false").meta.has_backward_hook);
  EXPECT_TRUE(read_node("saved_tensor_with_no_vc_check=true").meta.saved_without_version_check);
  EXPECT_EQ(read_node("memory_budget=0.0").meta.memory_budget, 0.0);
  EXPECT_EQ(read_node("memory_budget=1").meta.memory_budget, std::nullopt) << "PyTorch heeds a float only";
  EXPECT_EQ(read_node(R"(custom={"_region_activation_memory_budget":1})").meta.region_budget, 1.0);
  EXPECT_EQ(read_node(R"(custom={"_region_activation_memory_budget":null})").meta.region_budget, std::nullopt);
  EXPECT_EQ(read_node(R"(custom={"mine":[1]})").meta.region_budget, std::nullopt);
}

TEST(ReadMeta, ReadsWhatOffloadingAndPrefetchingNeed) {
  EXPECT_TRUE(read_node("should_offload=true").meta.should_offload);
  EXPECT_FALSE(read_node("should_offload=false").meta.should_offload);
  EXPECT_FALSE(read_node("").meta.should_offload);
  EXPECT_EQ(read_node("runtime_ms=0.25").meta.runtime_ms, 0.25);
  EXPECT_EQ(read_node("runtime_ms=3").meta.runtime_ms, 3.0);
  EXPECT_EQ(read_node("").meta.runtime_ms, std::nullopt);
  EXPECT_TRUE(read_node("aot_runtime_epilogue_input_mutation=true").meta.replayed_mutation);
}

TEST(ReadMeta, StreamAndMemoryPoolAsPythonComparesThem) {
  const auto context = [](const std::string& custom) { return read_node("custom=" + custom).context; };
  EXPECT_EQ(context("{}"), nullptr);
  EXPECT_EQ(context(R"({"stream":0})"), nullptr) << "the stream of those that say nothing";
  ASSERT_NE(context(R"({"stream":1})"), nullptr);
  EXPECT_EQ(*context(R"({"stream":1})"), *context(R"({"stream":1.0})"));
  EXPECT_EQ(*context(R"({"stream":1})"), *context(R"({"stream":true})"));
  EXPECT_NE(context(R"({"stream":null})"), nullptr) << "None is not 0";
  EXPECT_EQ(context(R"({"mempool":null,"mempool_device":null})"), nullptr);
  EXPECT_NE(*context(R"({"mempool":[1,2]})"), *context(R"({"mempool":[2,1]})"));
  EXPECT_NE(*context(R"({"mempool":1})"), *context(R"({"mempool_device":1})"));
}

TEST(ReadMeta, ReadsWhereANodeComesFrom) {
  const Node node =
      read_node(R"(module=layers.0.mlp checkpoint_name=block source={"file":"model.py","line":12,"function":"forward"})");
  EXPECT_EQ(node.provenance->module, "layers.0.mlp");
  EXPECT_EQ(node.provenance->checkpoint_name, "block");
  EXPECT_EQ(node.provenance->source_file, "model.py");
  EXPECT_EQ(node.provenance->source_line, 12);
  EXPECT_EQ(node.provenance->source_function, "forward");
}

TEST(ReadMeta, TheUsersOwnLineThatLedThere) {
  const Graph graph = joint_graph(R"(
    x = placeholder
    a = aten.sin.default(x) user_source={"file":"train/step.py","line":3,"function":"step"}
    b = aten.sin.default(x) user_source={"file":"train/step.py","line":4,"function":"step"}
    c = aten.sin.default(x) user_source={"file":"train/step.py","line":3,"function":"step"}
    return c)").graph;
  const auto place = [&](std::size_t node) { return graph.nodes[node].provenance; };
  EXPECT_EQ(place(1)->user_file, "train/step.py");
  EXPECT_EQ(place(1)->user_line, 3);
  EXPECT_EQ(place(1)->user_function, "step");
  EXPECT_EQ(place(2)->user_line, 4);
  EXPECT_EQ(place(3), place(1));
}

// Reports made from it count lines from 0.
TEST(ReadMeta, ALineBelowZeroIsUnknown) {
  const Node node = read_node(R"(source={"file":"a.py","line":-3} user_source={"file":"b.py","line":-1})");
  EXPECT_EQ(node.provenance->source_file, "a.py");
  EXPECT_EQ(node.provenance->source_line, 0);
  EXPECT_EQ(node.provenance->user_file, "b.py");
  EXPECT_EQ(node.provenance->user_line, 0);
}

TEST(ReadMeta, NullsAndUnknownKeysMeanNothing) {
  EXPECT_EQ(refusal_of_meta("recompute=null ac_graph_id=null unknown=[1,2]"), "");
  EXPECT_EQ(read_node("recompute=null").meta.recompute, std::nullopt);
}

TEST(ReadMeta, PlacesAreOfTheTypesThatTheSchemaHas) {
  for (const std::string meta : {"module=3", "checkpoint_name=true", R"(source="model.py:12")", R"(source={"file":7})",
                                 R"(source={"line":"12"})", R"(user_source={"function":[]})"}) {
    EXPECT_NE(refusal_of_meta(meta).find("expected "), std::string::npos) << meta;
  }
}

TEST(ReadMeta, MistakesAreNamed) {
  EXPECT_EQ(refusal_of_meta("recompute=MUST_SAFE"),
            "fxcut: test.json:2:65: /nodes/0/meta/recompute (node 'x'): error: unknown checkpoint policy 'MUST_SAFE'\n"
            "  did you mean 'MUST_SAVE'?");
  EXPECT_EQ(refusal_of_meta("partitioner_tag=forward"),
            "fxcut: test.json:2:71: /nodes/0/meta/partitioner_tag (node 'x'): error: unknown partitioner tag 'forward'\n"
            "  expected one of is_forward, is_backward, must_be_in_forward, must_be_in_backward");
  EXPECT_NE(refusal_of_meta("runtime_ms=-0.5").find("expected a run time of 0 ms or more, found -0.5"), std::string::npos);
  EXPECT_NE(refusal_of_meta("should_offload=yes").find("expected a boolean, found a string"), std::string::npos);
  EXPECT_NE(refusal_of_meta("ac_graph_id=one").find("expected an integer, found a string"), std::string::npos);
  EXPECT_NE(refusal_of_meta("has_backward_hook=1").find("expected a boolean, found an integer"), std::string::npos);
  EXPECT_NE(
      refusal_of_meta(R"(custom={"_region_activation_memory_budget":"half"})").find("expected a real number, found a string"),
      std::string::npos);
}

}  // namespace
}  // namespace fxcut
