// That verify holds on partitions of recorded graphs, and on none of them once it is broken in one place.
#include "verify/verify.h"

#include <gtest/gtest.h>

#include <map>

#include "broken_partition.h"
#include "json/document.h"
#include "pipeline/pipeline.h"
#include "read/read_file.h"
#include "read/read_graph.h"
#include "report/report_json.h"
#include "verify/verification_json.h"

namespace fxcut {
namespace {

// Models with writes, random operators, subgraphs, collectives and symbolic sizes.
constexpr const char* kGraphs[] = {
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

struct Sound {
  JointGraph joint;
  WrittenSides written;
};

Sound sound_partition(const std::string& name, bool offload) {
  const std::string path = std::string(FXCUT_TESTDATA "/") + name + ".json";
  const JointGraph joint = read_joint_graph(*Document::parse(read_file(path), path));
  Settings settings;
  settings.enable_activation_offloading = offload;
  const Partition made = partition(joint, settings);
  return {joint,
          {side_of(made.graphs.forward, made, joint), side_of(made.graphs.backward, made, joint),
           nlohmann::json::parse(report_json(made.report))}};
}

Verification verify_all(const Sound& sound) {
  return verify(sound.joint, sound.written.forward, sound.written.backward, &sound.written.report);
}

std::vector<Sound> sound_partitions() {
  std::vector<Sound> all;
  for (const char* name : kGraphs) {
    all.push_back(sound_partition(name, std::string(name).find("offload") != std::string::npos));
    const Verification found = verify_all(all.back());
    EXPECT_EQ(verification_text(found).substr(0, 6), "holds:") << name << "\n" << verification_text(found);
    EXPECT_GT(found.figures, 0U) << name;
  }
  return all;
}

TEST(Verify, FindsWhatIsBroken) {
  constexpr std::size_t kBroken = 2000;
  const std::vector<Sound> partitions = sound_partitions();
  std::map<std::string, std::size_t> by_kind;
  std::size_t broken = 0;
  for (std::uint32_t seed = 1; broken < kBroken; ++seed) {
    ASSERT_LT(seed, 20 * kBroken) << "too few changes apply";
    std::mt19937 random(seed);
    Sound damaged = partitions[random() % partitions.size()];
    const Breaking& breaking = breakings()[random() % breakings().size()];
    const auto where = breaking.apply(damaged.written, random);
    if (!where) continue;
    ++broken;
    ++by_kind[breaking.name];
    EXPECT_FALSE(verify_all(damaged).mismatches.empty())
        << "seed " << seed << ": " << damaged.joint.name << ": " << breaking.name << " " << *where;
  }
  for (const Breaking& breaking : breakings()) EXPECT_GE(by_kind[breaking.name], 10U) << breaking.name;
}

}  // namespace
}  // namespace fxcut
