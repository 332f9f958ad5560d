#include "step/settings_for_step.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

bool limits_memory(const Settings& settings) {
  return settings.saved_bytes_limit || settings.peak_bytes_limit || settings.activation_memory_budget != 1;
}

struct SettingOfNewerReleases {
  Change since;
  std::string_view name;
  bool Settings::*member;
  bool before;  // what older releases act by
};

constexpr std::array<SettingOfNewerReleases, 6> kOfNewerReleases = {{
    {Change::ScriptObjectsMayCountNothing, "unsafe_treat_script_objects_as_zero_size",
     &Settings::unsafe_treat_script_objects_as_zero_size, false},
    {Change::NonBuiltinsMayBeIncluded, "is_non_builtin_to_include", &Settings::is_non_builtin_to_include, false},
    {Change::StaticInputsAreFree, "treat_parameters_as_free_to_save", &Settings::treat_parameters_as_free_to_save, false},
    {Change::CollectivesAreSaved, "unsafe_allow_optimization_of_collectives",
     &Settings::unsafe_allow_optimization_of_collectives, true},
    {Change::GraphsafeRandomness, "graphsafe_rng_functionalization", &Settings::graphsafe_rng_functionalization, false},
    {Change::ViewsMayBeRecomputed, "recompute_views", &Settings::recompute_views, false},
}};

Settings as_release_has_them(Settings settings, Release release) {
  for (const auto& [since, name, member, before] : kOfNewerReleases) {
    if (!release.has(since)) settings.*member = before;
  }
  return settings;
}

void require_joint_graph_of_known_pass(const JointGraph& joint, const Settings& settings) {
  if (!settings.activation_quantization.is_on) return;
  if (joint.step) {
    throw Failure(ExitStatus::Usage, "activation_quantization_aten_pass is for joint graphs, and this is a whole step",
                  "leave it out of the settings: PyTorch quantizes nothing in a whole step");
  }
  if (!joint.torch.release.has(Change::CallersOutputsAreNotQuantized)) {
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("activation_quantization_aten_pass is known as of PyTorch 2.12, not as of PyTorch {}",
                              joint.torch.release.version()),
                  "decide as a later release, with torch_version, or leave it out of the settings");
  }
}

}  // namespace

MemoryOf memory_of(const JointGraph& joint, const Settings& settings) {
  return settings.memory_of == MemoryOf::OfGraph && joint.compiler == kInductor ? MemoryOf::Compiled : settings.memory_of;
}

std::vector<std::string> settings_without_effect(Release release, const Settings& given) {
  const Settings defaults;
  std::vector<std::string> warnings;
  for (const auto& [since, name, member, before] : kOfNewerReleases) {
    const bool is_chosen = given.*member != defaults.*member && given.*member != before;
    if (!is_chosen || release.has(since)) continue;
    warnings.push_back(fmt::format("PyTorch {} has no setting '{}': decided without it", release.version(), name));
  }
  return warnings;
}

Settings settings_for(const JointGraph& joint, Settings given) {
  given.memory_of = memory_of(joint, given);
  if (!given.float32_matmul_precision) given.float32_matmul_precision = joint.float32_matmul_precision;
  require_joint_graph_of_known_pass(joint, given);
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
