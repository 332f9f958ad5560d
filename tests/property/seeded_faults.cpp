#include "seeded_faults.h"

#include "cost/flops.h"
#include "cost/size.h"
#include "memory/memory_profile.h"

// ld's --wrap=NAME: references to NAME go to __wrap_NAME, and __real_NAME is the original.
#define ORIGINAL(name) __asm__("__real_" name)
#define REPLACEMENT(name) __asm__("__wrap_" name)

namespace fxcut {
namespace {

bool storages_too_large, values_too_small, twice_the_flops, freed_too_early, inputs_forgotten;

}  // namespace

StorageBytes original_storage_bytes(const Graph&) ORIGINAL("_ZN5fxcut13storage_bytesERKNS_5GraphE");
StorageBytes replaced_storage_bytes(const Graph&) REPLACEMENT("_ZN5fxcut13storage_bytesERKNS_5GraphE");
StorageBytes replaced_storage_bytes(const Graph& graph) {
  StorageBytes storages = original_storage_bytes(graph);
  for (auto& [storage, bytes] : storages) bytes += storages_too_large ? 4 : 0;
  return storages;
}

using OptionalSize = std::optional<std::int64_t>;
OptionalSize original_find_size(const Node&, const Settings&) ORIGINAL("_ZN5fxcut9find_sizeERKNS_4NodeERKNS_8SettingsE");
OptionalSize replaced_find_size(const Node&, const Settings&)
    REPLACEMENT("_ZN5fxcut9find_sizeERKNS_4NodeERKNS_8SettingsE");
OptionalSize replaced_find_size(const Node& node, const Settings& settings) {
  const OptionalSize size = original_find_size(node, settings);
  return values_too_small && size && *size > 1 ? OptionalSize(*size - 1) : size;
}

Int128 original_estimate_flops(const Graph&, const Node&, Release)
    ORIGINAL("_ZN5fxcut14estimate_flopsERKNS_5GraphERKNS_4NodeENS_7ReleaseE");
Int128 replaced_estimate_flops(const Graph&, const Node&, Release)
    REPLACEMENT("_ZN5fxcut14estimate_flopsERKNS_5GraphERKNS_4NodeENS_7ReleaseE");
Int128 replaced_estimate_flops(const Graph& graph, const Node& node, Release release) {
  return original_estimate_flops(graph, node, release) * (twice_the_flops ? 2 : 1);
}

MemoryProfile original_profile_memory(Lifetimes) ORIGINAL("_ZN5fxcut14profile_memoryENS_9LifetimesE");
MemoryProfile replaced_profile_memory(Lifetimes) REPLACEMENT("_ZN5fxcut14profile_memoryENS_9LifetimesE");
MemoryProfile replaced_profile_memory(Lifetimes lifetimes) {
  for (Allocation& allocation : lifetimes.allocations) {
    if (freed_too_early && allocation.last_step == Allocation::kKeptByCaller) allocation.last_step = allocation.first_step;
    if (inputs_forgotten && allocation.owner == Allocation::Owner::Inputs) allocation.size_bytes = 0;
  }
  return original_profile_memory(std::move(lifetimes));
}

const std::vector<SeededFault>& seeded_faults() {
  static const std::vector<SeededFault> faults = {
      {"each storage is 4 bytes larger", &storages_too_large},
      {"each value is a byte smaller", &values_too_small},
      {"each call takes twice the FLOPs", &twice_the_flops},
      {"outputs are freed at once", &freed_too_early},
      {"inputs of the step take no memory", &inputs_forgotten},
  };
  return faults;
}

}  // namespace fxcut
