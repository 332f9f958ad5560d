#include "counted_partition.h"

#include "verify/verify.h"

namespace fxcut {

CountedMemory count_partition(const JointGraph& joint, const Partition& partition) {
  std::vector<CrossingValue> crossings;
  const auto add = [&](const auto& rows) {
    for (const auto& row : rows) crossings.push_back({row.forward_output, row.backward_input, ""});
  };
  add(partition.report.saved_values);
  add(partition.report.saved_opaques);
  add(partition.report.saved_symbols);
  add(partition.report.saved_random_states);
  return count_memory(expand_regions(joint), partition.graphs, crossings);
}

}  // namespace fxcut
