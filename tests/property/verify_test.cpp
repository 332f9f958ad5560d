// verify accepts partitions of recorded graphs, and none of them once it is broken in one place.
#include "verify/verify.h"

#include <gtest/gtest.h>

#include <map>

#include "broken_partition.h"
#include "written_partition.h"

namespace fxcut {
namespace {

// Models with writes, random operators, subgraphs, collectives and symbolic sizes.
constexpr const char* kRecordedGraphs[] = {
    "mlp",
    "models/batchnorm_mutation",
    "models/checkpointed_allgather",
    "models/cond_branches",
    "models/consecutive_checkpoints",
    "models/dropout_in_checkpoint",
    "models/dropout_in_checkpoint_eager",
    "models/dropout_in_checkpoint_eager.cuda",
    "models/dynamic_mlp_2_15",
    "models/dynamic_mlp.offload_2_15",
    "models/input_mutation",
    "models/nested_region",
    "models/pool_sort_topk",
    "models/sac_save_mm_2_15",
    "models/seed_sin_cos_chain.offload_2_15",
    "models/softmax_attention_2_15",
    "models/tensor_parallel_collectives",
    "models/unbacked_nonzero_2_15",
};

std::vector<WrittenPartition> sound_partitions() {
  std::vector<WrittenPartition> all;
  for (const char* name : kRecordedGraphs) {
    Settings settings;
    settings.enable_activation_offloading = std::string(name).find("offload") != std::string::npos;
    all.push_back(write_partition(recorded_graph(name), settings));
    const Verification found = all.back().verify();
    EXPECT_TRUE(found.mismatches.empty()) << name << "\n" << verification_text(found);
    EXPECT_GT(found.figures, 0U) << name;
  }
  return all;
}

TEST(Verify, FindsWhatIsBroken) {
  constexpr std::size_t kBroken = 2000;
  const std::vector<WrittenPartition> partitions = sound_partitions();
  std::map<std::string, std::size_t> by_kind;
  std::size_t broken = 0;
  for (std::uint32_t seed = 1; broken < kBroken; ++seed) {
    ASSERT_LT(seed, 20 * kBroken) << "too few changes apply";
    std::mt19937 random(seed);
    WrittenPartition damaged = partitions[random() % partitions.size()];
    const Breaking& breaking = breakings()[random() % breakings().size()];
    const auto where = breaking.apply(damaged.written, random);
    if (!where) continue;
    ++broken;
    ++by_kind[breaking.name];
    EXPECT_FALSE(damaged.verify().mismatches.empty())
        << "seed " << seed << ": " << damaged.joint.name << ": " << breaking.name << " " << *where;
  }
  for (const Breaking& breaking : breakings()) EXPECT_GE(by_kind[breaking.name], 10U) << breaking.name;
}

}  // namespace
}  // namespace fxcut
