// torch.utils.checkpoint.CheckpointPolicy: what to do with a value.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace fxcut {

enum class CheckpointPolicy : std::uint8_t {
  MustSave,
  PreferSave,
  MustRecompute,
  PreferRecompute,
  MustCpuOffload,
  PreferCpuOffload,
};

// For each name in PyTorch, in the order of the enumeration.
inline constexpr std::array<std::pair<std::string_view, CheckpointPolicy>, 6> kCheckpointPolicies = {{
    {"MUST_SAVE", CheckpointPolicy::MustSave},
    {"PREFER_SAVE", CheckpointPolicy::PreferSave},
    {"MUST_RECOMPUTE", CheckpointPolicy::MustRecompute},
    {"PREFER_RECOMPUTE", CheckpointPolicy::PreferRecompute},
    {"MUST_CPU_OFFLOAD", CheckpointPolicy::MustCpuOffload},
    {"PREFER_CPU_OFFLOAD", CheckpointPolicy::PreferCpuOffload},
}};

// "MUST_SAVE"
constexpr std::string_view name_of(CheckpointPolicy policy) {
  return kCheckpointPolicies[static_cast<std::size_t>(policy)].first;
}

constexpr bool is_must(CheckpointPolicy policy) {
  return policy == CheckpointPolicy::MustSave || policy == CheckpointPolicy::MustRecompute ||
         policy == CheckpointPolicy::MustCpuOffload;
}

constexpr bool is_recompute(CheckpointPolicy policy) {
  return policy == CheckpointPolicy::MustRecompute || policy == CheckpointPolicy::PreferRecompute;
}

constexpr bool offloads(CheckpointPolicy policy) {
  return policy == CheckpointPolicy::MustCpuOffload || policy == CheckpointPolicy::PreferCpuOffload;
}

// Whether the value must not be recomputed; PREFER_SAVE leaves that open.
constexpr bool keeps(CheckpointPolicy policy) {
  return !is_recompute(policy) && policy != CheckpointPolicy::PreferSave;
}

}  // namespace fxcut
