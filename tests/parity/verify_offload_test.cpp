// The verifier of offloading finds what is wrong: a sound partition with one value on the host is damaged in one place.
#include "verify_offload.h"

#include <gtest/gtest.h>

#include "sound_partition.h"

namespace fxcut {
namespace {

using Problems = std::vector<std::string>;

// The forward copies mm behind mm_1, its last use; the backward needs it for mm_2.
SoundPartition with_mm_on_the_host(bool on_stream) {
  Settings settings;
  settings.enable_activation_offloading = true;
  settings.activation_offload_separate_stream = on_stream;
  return sound_partition("oracle/offload_of_a_saved_value.json", settings);
}

class VerifyOffload : public testing::TestWithParam<bool> {
 protected:
  Problems problems() const { return verify_offload(sound_.joint, sound_.written); }
  bool complains(const std::string& beginning) const { return one_begins(problems(), beginning); }
  Json& forward() { return sound_.written.forward; }
  Json& backward() { return sound_.written.backward; }
  Json& report() { return sound_.written.report; }
  // The node that begins the copy, with and without a stream of its own.
  std::string begins(const std::string& copy) const { return GetParam() ? "async_" + copy : copy; }

  SoundPartition sound_ = with_mm_on_the_host(GetParam());
};

TEST_P(VerifyOffload, HasNothingToSayOfASoundOne) {
  ASSERT_EQ(report().at("totals").at("offloaded_values"), 1);
  EXPECT_EQ(problems(), Problems());
}

TEST_P(VerifyOffload, FindsAForwardWithoutACopy) {
  node_named(forward(), begins("cpu_offload_mm"))["target"] = "aten.clone.default";
  EXPECT_EQ(problems(), Problems{"the forward does not copy mm to the host"});
}

TEST_P(VerifyOffload, FindsACopyOfAnotherValue) {
  node_named(forward(), begins("cpu_offload_mm"))["args"][0] = {{"node", "primals_1"}};
  EXPECT_TRUE(complains("the forward does not copy mm to the host"));
}

TEST_P(VerifyOffload, FindsAUseBehindTheCopyToTheHost) {
  Json& nodes = forward()["nodes"];
  Json late = node_named(forward(), "mm");
  late["name"] = "late";
  late["args"] = {{{"node", "mm"}}};
  nodes.insert(nodes.end() - 1, late);
  EXPECT_EQ(problems(), Problems{"the forward's late takes mm behind its copy to the host"});
}

TEST_P(VerifyOffload, FindsThatTheValueItselfIsReturned) {
  Json& returned = node_named(forward(), "output")["args"][0]["tuple"];
  returned.back() = {{"node", "mm"}};
  EXPECT_TRUE(complains("the forward's output takes mm behind its copy to the host"));
}

TEST_P(VerifyOffload, FindsAReportedNameThatIsNoCopy) {
  for (Json& row : report()["saved_values"]) {
    if (row.at("offloaded").get<bool>()) row["host_name"] = "mm";
  }
  EXPECT_TRUE(complains("mm is not the copy of mm"));
}

TEST_P(VerifyOffload, FindsABackwardWithoutACopyBack) {
  node_named(backward(), begins("gpu_reload_mm"))["target"] = "aten.clone.default";
  EXPECT_EQ(problems(), Problems{"the backward does not copy cpu_offload_mm back"});
}

TEST_P(VerifyOffload, FindsACopyToAnotherDevice) {
  node_named(backward(), begins("gpu_reload_mm"))["args"][1] = {{"device", "cuda:1"}};
  EXPECT_EQ(problems(), Problems{"cpu_offload_mm does not go back to {\"device\":\"cpu\"}"});
}

TEST_P(VerifyOffload, FindsAUseOfTheCopyOnTheHost) {
  Json& output = node_named(backward(), "output");
  output["args"][0]["tuple"][0] = {{"node", "cpu_offload_mm"}};
  EXPECT_EQ(problems(), Problems{"the backward's output takes cpu_offload_mm from the host"});
}

TEST_P(VerifyOffload, FindsTheValueItselfInTheBackward) {
  node_named(backward(), "tangents_1")["name"] = "mm";
  EXPECT_EQ(problems(), Problems{"the backward has mm, which is on the host"});
}

TEST_P(VerifyOffload, FindsAnOffloadedValueWithoutAMark) {
  node_named(sound_.joint, "mm")["meta"].erase("should_offload");
  EXPECT_EQ(problems(), Problems{"mm is not marked for offloading"});
}

TEST_P(VerifyOffload, FindsAMarkThatIsPassedOver) {
  node_named(sound_.joint, "primals_1")["meta"]["should_offload"] = true;
  EXPECT_EQ(problems(), Problems{"primals_1 is marked, and the report is silent"});
}

TEST_P(VerifyOffload, FindsAValueThatIsOffloadedAndRefused) {
  report()["offload_refusals"].push_back({{"name", "mm"}, {"why", {{"reason", "view"}, {"text", "it is a view"}}}});
  EXPECT_EQ(problems(), Problems{"mm is offloaded and refused"});
}

TEST_P(VerifyOffload, FindsOffloadingThatIsNotSet) {
  report()["settings"]["enable_activation_offloading"] = false;
  EXPECT_EQ(problems(), Problems{"mm is not marked for offloading"});
}

TEST_P(VerifyOffload, FindsTotalsThatAreNoSums) {
  report()["totals"]["offloaded_bytes"] = 1;
  report()["totals"]["offloaded_values"] = 2;
  EXPECT_EQ(problems(), (Problems{"totals.offloaded_bytes is not 256", "totals.offloaded_values is not 1"}));
}

INSTANTIATE_TEST_SUITE_P(Copies, VerifyOffload, testing::Bool(),
                         [](const auto& on_stream) { return on_stream.param ? "OnAStream" : "InOrder"; });

}  // namespace
}  // namespace fxcut
