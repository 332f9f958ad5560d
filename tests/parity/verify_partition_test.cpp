// The verifier finds what is wrong: a sound partition of testdata's mlp is damaged in one place, and the complaint is
// about that place.
#include "verify_partition.h"

#include <gtest/gtest.h>

#include "sound_partition.h"

namespace fxcut {
namespace {

using Problems = std::vector<std::string>;

class VerifyPartition : public testing::Test {
 protected:
  void SetUp() override {
    Settings settings;
    settings.activation_memory_budget = 0;  // mm and sigmoid are recomputed
    SoundPartition sound = sound_partition("mlp.json", settings);
    joint_ = std::move(sound.joint);
    written_ = std::move(sound.written);
  }

  Problems problems() const { return verify_partition(joint_, written_); }
  bool complains(const std::string& beginning) const { return one_begins(problems(), beginning); }
  static Json& node(Json& graph, const std::string& name) { return node_named(graph, name); }

  Json joint_;
  WrittenPartition written_;
};

TEST_F(VerifyPartition, HasNothingToSayOfASoundOne) { EXPECT_EQ(problems(), Problems()); }

TEST_F(VerifyPartition, FindsANodeThatTakesALaterOne) {
  node(written_.forward, "sigmoid")["args"] = {{{"node", "mm_1"}}};
  EXPECT_EQ(problems(), Problems{"forward: sigmoid takes mm_1, which is no earlier node"});
}

TEST_F(VerifyPartition, FindsASubgraphThatNothingRefersTo) {
  written_.backward["subgraphs"]["left_over"] = joint_;
  EXPECT_EQ(problems(), Problems{"backward: nothing refers to the subgraph left_over"});
}

TEST_F(VerifyPartition, FindsASavedValueAtAnotherForwardOutput) {
  written_.report["saved_values"][0]["forward_output"] = 2;
  EXPECT_TRUE(complains("primals_1 is not the forward's output 2"));
  EXPECT_TRUE(complains("primals_2 shares its place among the forward's outputs"));
}

TEST_F(VerifyPartition, FindsASavedValueInThePlaceOfAnOutput) {
  written_.report["saved_values"][0]["forward_output"] = 0;
  EXPECT_TRUE(complains("primals_1 takes the place of an output of the step"));
}

TEST_F(VerifyPartition, FindsASavedValueAtAnotherBackwardInput) {
  written_.report["saved_values"][0]["backward_input"] = 1;
  EXPECT_TRUE(complains("primals_1 is not the backward's input 1"));
  EXPECT_TRUE(complains("nobody hands the backward its input primals_1"));
}

TEST_F(VerifyPartition, FindsAPositionThatDoesNotExist) {
  written_.report["saved_values"][0]["forward_output"] = 99;
  written_.report["saved_values"][0]["backward_input"] = 99;
  EXPECT_TRUE(complains("primals_1 is not the forward's output 99"));
  EXPECT_TRUE(complains("primals_1 is not the backward's input 99"));
}

TEST_F(VerifyPartition, FindsAForwardThatTakesATangent) {
  written_.forward["nodes"].insert(written_.forward["nodes"].begin(), node(joint_, "tangents_1"));
  EXPECT_EQ(problems(), Problems{"the forward takes tangents_1, which is no primal"});
}

TEST_F(VerifyPartition, FindsAnOutputThatIsMissing) {
  node(written_.backward, "output")["args"] = {{{"tuple", {nullptr, {{"node", "mm_4"}}}}}};
  EXPECT_EQ(problems(), Problems{"the number of the backward's outputs is 2, expected 3"});
}

TEST_F(VerifyPartition, FindsACallThatIsNoLongerTheJointGraphs) {
  node(written_.backward, "mm_3")["target"] = "aten.bmm.default";
  EXPECT_EQ(problems(), Problems{"backward: the target of mm_3 is \"aten.bmm.default\", expected \"aten.mm.default\""});
}

TEST_F(VerifyPartition, FindsARecomputedValueThatIsNotReported) {
  written_.report["recomputed_values"].erase(0);
  EXPECT_TRUE(complains("mm is recomputed, and the report is silent"));
  EXPECT_TRUE(complains("totals.recomputed_operators is 2, expected 1"));
  EXPECT_TRUE(complains("totals.recomputed_by_operator is "));
}

TEST_F(VerifyPartition, FindsAReportedValueThatIsNotRecomputed) {
  written_.report["recomputed_values"][0]["name"] = "mm_1";
  EXPECT_TRUE(complains("mm_1 is reported as recomputed and is not"));
}

TEST_F(VerifyPartition, FindsTotalsThatAreNotTheSums) {
  for (const char* total :
       {"saved_bytes", "saved_bytes_static", "saved_values", "saved_symbols", "forward_operators"}) {
    written_.report["totals"][total] = 7;
    EXPECT_TRUE(complains("totals." + std::string(total) + " is 7, expected ")) << total;
  }
}

}  // namespace
}  // namespace fxcut
