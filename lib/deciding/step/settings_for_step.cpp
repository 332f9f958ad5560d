#include "step/settings_for_step.h"

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

bool limits_memory(const Settings& settings) {
  return settings.saved_bytes_limit || settings.peak_bytes_limit || settings.activation_memory_budget != 1;
}

}  // namespace

MemoryOf memory_of(const JointGraph& joint, const Settings& settings) {
  return settings.memory_of.value_or(joint.compiler == kInductor ? MemoryOf::Compiled : MemoryOf::Operators);
}

Settings settings_for(const JointGraph& joint, Settings given) {
  given.memory_of = memory_of(joint, given);
  if (!joint.step) {
    if (given.partitioner == Partitioner::Tags) {
      throw Failure(ExitStatus::Usage, "the partitioner 'tags' decides on whole steps, and this is a joint graph",
                    "expected min_cut or default");
    }
    return given;
  }
  if (!given.chooses_partitioner && !limits_memory(given)) given.partitioner = Partitioner::Default;
  if (given.partitioner == Partitioner::MinCut && given.sound == Soundness::Own) given.sound = Soundness::Always;
  given.graphsafe_rng_functionalization = false;
  return given;
}

}  // namespace fxcut
