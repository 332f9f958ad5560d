#include "inductor/memory_deps.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "inductor/accesses.h"
#include "inductor/walks.h"

namespace fxcut {
namespace {

// Inductor numbers the indices of a kernel in the order of its reads, so the first index of one kernel equals the first of
// another, whatever tensor it is read from (dependencies.py, extract_loop_body_with_args).
class GatheredDeps {
 public:
  MemoryDep operator()(const Access& read) {
    const auto found = std::ranges::find(calls_, read.gathered->call);
    const auto number = static_cast<std::size_t>(found - calls_.begin());
    if (found == calls_.end()) calls_.push_back(read.gathered->call);
    return {read.buffer, place_after(read.gathered->at_any_index, node_id(number)), {}, false};
  }

 private:
  std::vector<NodeId> calls_;
};

// `number`: the offset, or that of a place without strides.
MemoryDep dep_of(BufferId buffer, std::uint64_t number, const Extents* strides, const Loops& loops, LoopsAre are) {
  std::optional<Walk> walk = strides ? walk_of(*strides, loops) : std::nullopt;
  if (!walk) return {buffer, number, {}, false};
  return {buffer, number, are == LoopsAre::Merged ? merged(*walk) : *walk};
}

}  // namespace

void append_read_deps(const Kernel& kernel, LoopsAre loops, std::vector<MemoryDep>& deps) {
  if (!kernel.loops) return;
  GatheredDeps gathered;
  for (const Access& read : kernel.reads) {
    const Extents* const strides = read.strides ? &*read.strides : nullptr;
    deps.push_back(read.gathered ? gathered(read) : dep_of(read.buffer, read.place, strides, *kernel.loops, loops));
  }
}

void append_written_deps(const Kernel& kernel, LoopsAre loops, std::vector<MemoryDep>& deps) {
  if (!kernel.loops) return;
  for (const BufferId written : kernel.writes) {
    if (kernel.scatters) deps.push_back({written, place_after(0, kernel.node), {}, false});
    else deps.push_back(dep_of(written, 0, &kernel.loops->written, *kernel.loops, loops));
  }
}

std::vector<MemoryDep> read_deps(const Kernel& kernel, LoopsAre loops) {
  std::vector<MemoryDep> deps;
  deps.reserve(kernel.reads.size());
  append_read_deps(kernel, loops, deps);
  return deps;
}

std::vector<MemoryDep> written_deps(const Kernel& kernel, LoopsAre loops) {
  std::vector<MemoryDep> deps;
  append_written_deps(kernel, loops, deps);
  return deps;
}

}  // namespace fxcut
