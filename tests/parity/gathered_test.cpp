// --recompute-gathered is what PyTorch decides where torchtitan's pass for reshard_after_forward has marked the graph
// (testdata/distributed): the same values are saved, in the same order.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "json_graph.h"
#include "partition/partition.h"
#include "read/read_file.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

std::string text_of(const std::string& name) { return read_file(FXCUT_TESTDATA "/distributed/" + name); }

TEST(RecomputeGathered, DecidesAsPyTorchDoesOnMarkedGraphs) {
  PolicyRule rule;
  rule.match.kind = NodeKind::Gathered;
  rule.policy = CheckpointPolicy::MustRecompute;
  const PolicyStack policies = {{"gathered", RuleList{{rule}, std::nullopt}}};
  const JointGraph joint = read_joint_graph(*Document::parse(text_of("fsdp_block.json"), "fsdp_block.json"));
  const Json answer = Json::parse(text_of("fsdp_block_resharded.expected.json")).at("cases").at(0);
  const Report report = partition(joint, {}, policies).report;
  Json saved = Json::array();
  for (const SavedValue& value : report.saved_values) saved.push_back(value.name);
  EXPECT_EQ(saved, answer.at("saved_values"));
  EXPECT_EQ(Json(report.totals.saved_bytes), answer.at("saved_bytes"));
  EXPECT_EQ(Json(report.totals.saved_bytes_not_static), answer.at("saved_bytes_not_static"));
  EXPECT_EQ(Json(static_cast<std::int64_t>(report.totals.recomputed_flops)), answer.at("recomputed_flops"));
}

}  // namespace
}  // namespace fxcut
