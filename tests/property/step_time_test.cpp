// Estimated times of steps under profiles that differ in one figure, on random and recorded graphs.
#include <gtest/gtest.h>

#include "cost/fused_roofline.h"
#include "inductor/kernel_times.h"
#include "random_partition.h"
#include "read/read_file.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

// About a core's, with figures for masks that are those of other Booleans.
DeviceProfile core() {
  DeviceProfile device{"core", 0.08, 0.16, 0, 0.16, 0.16, 12.7, "made up", 0, {1, 1, 1}};
  device.elements = {10, 12, 4, 0.1, 12, 4};
  return device;
}

double ms_of(const GraphPair& graphs, const DeviceProfile& device) { return step_time(graphs, std::nullopt, device).ms; }

TEST(StepTime, MasksThatTakeAsLongAsBooleansChangeNothing) {
  DeviceProfile without = core();
  without.elements.store_mask_ns = without.elements.load_mask_ns = std::nullopt;
  for_each_partition([&](const JointGraph& joint, const Partition& result, std::uint32_t) {
    EXPECT_EQ(ms_of(result.graphs, core()), ms_of(result.graphs, without));
    EXPECT_EQ(fused_roofline_ms(joint.graph, core()), fused_roofline_ms(joint.graph, without));
  });
}

TEST(StepTime, TrafficThatIsNotHiddenAddsAtMostAsMuchAgain) {
  std::size_t longer = 0;
  for_each_partition([&](const JointGraph&, const Partition& result, std::uint32_t) {
    DeviceProfile device = core();
    const double hidden = ms_of(result.graphs, device);
    device.kernels.exposed_traffic = 0.5;
    const double half = ms_of(result.graphs, device);
    device.kernels.exposed_traffic = 1;
    const double all = ms_of(result.graphs, device);
    EXPECT_LE(hidden, half);
    EXPECT_LE(half, all);
    EXPECT_LE(all, 2 * hidden);
    EXPECT_NEAR(half, (hidden + all) / 2, 1e-9 * all);
    longer += hidden < half ? 1 : 0;
  });
  EXPECT_GT(longer, kGraphs / 4) << "few graphs have products";
}

// One mask of that graph is saved, of 512 elements of which 0.3 are dropped: halfway between a tenth and a half.
TEST(StepTime, ASavedMaskIsPricedWhereItIsStoredAndWhereItIsRead) {
  const auto document = Document::parse(read_file(FXCUT_TESTDATA "/models/dropout_in_checkpoint.json"), "graph.json");
  Settings without_tags;
  without_tags.ignore_tags = true;
  const GraphPair graphs = partition(read_joint_graph(*document), without_tags).graphs;
  const double as_booleans = ms_of(graphs, core());
  const double one_ns = 512 * 0.5 * 1e-6;  // ms
  DeviceProfile storing = core(), loading = core();
  storing.elements.store_mask_ns = 11;
  loading.elements.load_mask_ns = 3;
  EXPECT_NEAR(as_booleans - ms_of(graphs, storing), one_ns, 1e-9);
  EXPECT_NEAR(as_booleans - ms_of(graphs, loading), 2 * one_ns, 1e-9) << "in the forward, too";
}

}  // namespace
}  // namespace fxcut
