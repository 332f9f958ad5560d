#include "step/settings_for_step.h"

#include <utility>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

bool limits_memory(const Settings& settings) {
  return settings.saved_bytes_limit || settings.peak_bytes_limit || settings.activation_memory_budget != 1;
}

// What the release does in the place of settings that it does not have.
Settings as_release_has_them(Settings settings, Release release) {
  if (!release.has(Change::ScriptObjectsMayCountNothing)) settings.unsafe_treat_script_objects_as_zero_size = false;
  if (!release.has(Change::NonBuiltinsMayBeIncluded)) settings.is_non_builtin_to_include = false;
  if (!release.has(Change::StaticInputsAreFree)) settings.treat_parameters_as_free_to_save = false;
  if (!release.has(Change::CollectivesAreSaved)) settings.unsafe_allow_optimization_of_collectives = true;
  if (!release.has(Change::GraphsafeRandomness)) settings.graphsafe_rng_functionalization = false;
  if (!release.has(Change::ViewsMayBeRecomputed)) settings.recompute_views = false;
  return settings;
}

}  // namespace

MemoryOf memory_of(const JointGraph& joint, const Settings& settings) {
  return settings.memory_of.value_or(joint.compiler == kInductor ? MemoryOf::Compiled : MemoryOf::Operators);
}

Settings settings_for(const JointGraph& joint, Settings given) {
  given.memory_of = memory_of(joint, given);
  given = as_release_has_them(std::move(given), joint.torch.release);
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
