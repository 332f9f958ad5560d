// verify counts the figures of a report for itself: it finds a fault in each of the functions that make them.
#include "seeded_faults.h"

#include <gtest/gtest.h>

#include "written_partition.h"

namespace fxcut {
namespace {

// Each with recomputed matrix products, views and inputs that are not parameters.
constexpr const char* kFaultyGraphs[] = {
    "llama3_8b",
    "mlp",
    "models/checkpointed_allgather",
    "models/consecutive_checkpoints",
    "models/dropout_in_checkpoint",
    "models/dynamic_mlp_2_15",
    "models/input_mutation",
    "models/nested_region",
    "models/softmax_attention_2_15",
    "models/tensor_parallel_collectives",
};

class Seeding {
 public:
  explicit Seeding(const SeededFault& fault) : fault_(fault) { *fault_.is_seeded = true; }
  Seeding(const Seeding&) = delete;
  Seeding& operator=(const Seeding&) = delete;
  ~Seeding() { *fault_.is_seeded = false; }

 private:
  const SeededFault& fault_;
};

WrittenPartition write_faulty_partition(const JointGraph& joint, const SeededFault& fault) {
  const Seeding seeding(fault);
  return write_partition(joint, {});
}

TEST(SeededFaults, VerifyFindsEach) {
  for (const SeededFault& fault : seeded_faults()) {
    std::size_t spoilt = 0;
    for (const char* name : kFaultyGraphs) {
      SCOPED_TRACE(std::string(fault.name) + ": " + name);
      const JointGraph joint = recorded_graph(name);
      const WrittenPartition sound = write_partition(joint, {}), faulty = write_faulty_partition(joint, fault);
      EXPECT_TRUE(sound.verify().mismatches.empty());
      if (faulty.written.report == sound.written.report) continue;
      ++spoilt;
      EXPECT_FALSE(faulty.verify().mismatches.empty());
    }
    EXPECT_GE(spoilt, 4U) << "the fault spoils few reports: " << fault.name;
  }
}

// A decision that follows from a wrong price is not a wrong figure: the report has the graphs' own figures.
TEST(SeededFaults, TheMismatchIsAtTheSpoiltFigure) {
  const JointGraph joint = recorded_graph("mlp");
  const WrittenPartition faulty = write_faulty_partition(joint, seeded_faults().front());
  for (const Mismatch& mismatch : faulty.verify().mismatches) {
    const bool is_of_storages = mismatch.where.find("/kept_bytes") != std::string::npos ||
                                mismatch.where.find("/memory/") != std::string::npos ||
                                mismatch.where == "report: /totals/saved_bytes_not_static";
    EXPECT_TRUE(is_of_storages) << mismatch.where;
  }
}

}  // namespace
}  // namespace fxcut
