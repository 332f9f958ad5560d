// Numbers what the kernels of a program read and write: equal reads and writes share a number, by which kernels are compared.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "inductor/kernels.h"
#include "inductor/memory_deps.h"

namespace fxcut {

using DepNumber = std::uint32_t;
inline constexpr DepNumber kNotWritten = std::numeric_limits<DepNumber>::max();

// The memory that kernels have in common (Scheduler.score_fusion_memory).
struct SharedDeps {
  std::int64_t bytes = 0, elements = 0;
};

class NumberedDeps {
 public:
  // `program` outlives it.
  NumberedDeps(const Kernels& program, LoopsAre loops);

  BufferId buffer(DepNumber dep) const { return deps_[dep].buffer; }
  const MemoryDep& dep(DepNumber dep) const { return deps_[dep]; }
  const std::vector<DepNumber>& reads(KernelId kernel) const { return reads_[kernel]; }

  // The write of a buffer by its kernel; kNotWritten for a library's result.
  DepNumber written(BufferId buffer) const { return written_[buffer]; }

  // Whether a read matches the write of its buffer, or that is unknown (Scheduler.fusable_read_and_write). Unmerged loops are
  // merged for the comparison if their numbers differ.
  bool is_as_written(DepNumber read) const;

  // All reads and writes of the kernel, or of the kernels: ascending, each once.
  const std::vector<DepNumber>& of(KernelId kernel) const { return deps_of_[kernel]; }
  std::vector<DepNumber> of(const std::vector<KernelId>& kernels) const;

  // Both lists are ascending.
  SharedDeps shared(const std::vector<DepNumber>& a, const std::vector<DepNumber>& b) const;

  // To call when the loops of a kernel were reordered.
  void renew(KernelId kernel);

 private:
  std::vector<DepNumber> numbers_of(const std::vector<MemoryDep>& deps);
  DepNumber number_of(const MemoryDep& dep);

  const Kernels& program_;
  const LoopsAre loops_;
  std::vector<MemoryDep> deps_;                          // by number
  std::vector<std::vector<DepNumber>> reads_, deps_of_;  // by kernel
  std::vector<DepNumber> written_;                       // by buffer
  std::map<MemoryDep, DepNumber> later_;                 // all deps, once a kernel was renewed
};

}  // namespace fxcut
