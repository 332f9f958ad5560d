// A graph as inductor lowers it: kernels and calls of libraries, in order, and the buffers that they read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/extents.h"
#include "graph/graph.h"
#include "graph/small_list.h"
#include "release/release.h"

namespace fxcut {

using BufferId = std::uint32_t;
using KernelId = std::uint32_t;

inline constexpr BufferId kNoBuffer = 0xffffffff;

// Memory that the wrapper of a graph allocates, or one of its inputs.
struct Buffer {
  NodeId node{0};               // its maker
  std::int64_t bytes = 0;
  std::int64_t elements = 0;
  const Dtype* dtype = nullptr;
  bool is_input = false;
  std::optional<std::int64_t> storage = std::nullopt;  // of an input; inductor treats inputs that share one as several
  bool is_output = false;       // of the graph: it outlives its last reader
  std::optional<BufferId> item_of = std::nullopt;  // the tuple, returned by a library call, whose bytes include its own
  bool by_library = false;      // allocated within a library's call, not by the wrapper
  bool unaligned = false;       // may begin anywhere: no aligned buffer takes its memory
  bool vanishes = false;        // read only within its own kernel: allocated only if another buffer reuses its memory
  bool is_local = false;        // vanishes, and is a row private to the kernel's threads: nothing reuses its memory
  bool is_added_up = false;  // the wrapper makes it from a workspace once that is written, whenever its own kernel would run
  std::optional<BufferId> within = std::nullopt;  // the buffer that it is a slice of: it is a term of a concatenation
  std::optional<BufferId> changed_from = std::nullopt;  // the buffer that a kernel overwrote: this is its memory
};

// A read at indexed positions: the call, and a number shared by all such reads of the buffer, whatever the index.
struct GatheredPlace {
  NodeId call{0};
  std::uint64_t at_any_index = 0;

  bool operator==(const GatheredPlace&) const = default;
};

// A read of a buffer by a kernel: from an offset in elements, with a stride for each loop of the kernel; or, without strides, at
// places identified by a number that equal places share.
struct Access {
  BufferId buffer = 0;
  std::optional<Extents> strides = std::nullopt;
  std::uint64_t place = 0;  // the offset, or that number
  std::int64_t period = 0;  // without strides: elements of the last dimension after which places repeat; 0 if never
  std::optional<GatheredPlace> gathered = std::nullopt;  // without strides
  std::optional<Extents> steps = std::nullopt;  // without strides: to the second element of each loop
  std::optional<std::int64_t> taken = std::nullopt;  // without strides: distinct elements read; unset: all
  std::uint32_t times = 1;  // how often an expression loads it: each load counts when loops are ordered

  bool is_position() const { return buffer == kNoBuffer; }  // no load: the numbers of the loops themselves (ops.index_expr)

  bool operator==(const Access& other) const {
    return buffer == other.buffer && strides == other.strides && place == other.place && period == other.period &&
           gathered == other.gathered && taken == other.taken;
  }
};

// How a reduction walks what it reads (torch/_inductor/runtime/hints.py).
enum class ReductionHint : std::uint8_t {
  Default,
  Inner,      // along memory
  Outer,      // across it
  OuterTiny,  // the same for few results of few parts each
};

// Numbers of elements that are kept and reduced.
struct ReducedElements {
  std::int64_t outer = 1, reduced = 1;

  bool operator==(const ReducedElements&) const = default;
};

using LoopOrder = SmallList<std::size_t, 6>;

// The loops of a kernel, outermost first: over its result, then over what it reduces.
struct Loops {
  Extents sizes;                             // as traced; the strides of its accesses are for these
  Extents outer = {};                        // in the order in which they run, neighbours merged
  Extents reduced = {};                      // the same; empty if it is no reduction
  LoopOrder order = {};                      // the positions in `sizes` in the order in which they run
  Extents written = {};                      // the strides of what it writes, 0 where it reduces
  ReductionHint hint = ReductionHint::Default;
  bool adds = false;  // its reduction adds; false: it multiplies
  std::optional<ReducedElements> whole = std::nullopt;  // in the first of two steps: those of both
};

struct Kernel {
  NodeId node{0};               // its last
  std::vector<Access> reads = {};
  std::vector<BufferId> writes = {};
  std::vector<BufferId> changes = {};  // buffers that it overwrites: inputs, or buffers that become another one
  std::optional<Loops> loops = std::nullopt;  // nothing for a library's call
  bool runs = true;                // false: a concatenation, whose terms are written in place
  bool scatters = false;           // it writes at computed places
  std::int64_t workspace = 0;      // bytes that a library takes and frees within the call (inductor/workspaces.h)
};

struct Kernels {
  std::vector<Buffer> buffers;
  std::vector<Kernel> kernels;
};

// The buffer whose memory it occupies: the first in a chain of overwritten buffers, or itself.
inline BufferId memory_of(const std::vector<Buffer>& buffers, BufferId id) {
  while (buffers[id].changed_from) id = *buffers[id].changed_from;
  return id;
}

// The concatenation that it is a slice of, or its memory (Scheduler.compute_dependencies treats slices as aliases of the whole).
inline BufferId whole_of(const std::vector<Buffer>& buffers, BufferId id) {
  const BufferId memory = memory_of(buffers, id);
  return buffers[memory].within.value_or(memory);
}

// The rules of inductor that differ by device and by release (torch/_inductor/config.py, StorageBox.should_realize_on_reuse,
// CppScheduling, GraphLowering.decide_layout_opt).
struct InductorRules {
  std::size_t max_operators = 50;       // in an expression with several readers (realize_cpu_opcount_threshold)
  std::size_t max_reads = 12;           // in any expression (realize_cpu_acc_reads_threshold)
  std::size_t max_shared_reads = 4;     // in an expression with several readers (realize_reads_threshold)
  std::int64_t max_two_step_elements = 1024;  // of a variance that computes its mean first (use_two_step_variance_threshold)
  bool unrolls_to_one = false;          // reductions of few elements to a single one are expressions, too
  bool stores_heavy = true;             // is_heavy_on_cpu()
  bool nests_loops = true;              // kernels with equal outer loops are nested; others need equal loops
  bool reorders_loops = false;          // loops stay unmerged while kernels fuse, and are finally reordered to fuse more
  bool joins_calls = true;              // kernels that follow each other are one call
  bool channels_last = true;            // convolutions take channels-last inputs
  bool gradients_decide_layout = true;  // convolution backwards do so even in a graph without convolutions
  bool orders_gradients = true;         // without channels last, convolution backwards order their inputs like their results
  bool aligned_inputs = false;          // inputs of the graph are known to be aligned
  bool inlines_concatenations = false;  // some are expressions, not written term by term
  bool spares_shared_terms = false;     // but not if others read a term as well
  bool concatenates_paddings = false;   // paddings at the end of a dimension are concatenations
  bool sums_by_library = true;          // scatter-adds are library calls, multi-threaded (config.cpp.fallback_scatter_reduce_sum)
  bool keeps_between_loops = false;     // values passed between loops of a kernel are in memory
  bool fuses_two_ways = true;           // a producer and a reader that reads by merged loops and by others
  bool mixes_reductions = false;        // rows and columns of a tensor may be reduced in one kernel
  bool adds_whole_matrices = false;     // products also add matrices that are not biases, whoever reads the sum
  bool mixes_flat_reductions = false;   // rows and columns of a tensor are reduced in one kernel whatever its proportions
  bool splits_reductions = false;       // reductions of many elements to few are two kernels
  bool allocates_blocks = false;  // the device's allocator rounds up (graph/device_blocks.h); inductor ignores that
};

InductorRules rules_for_cpu(Release release = kNewestRelease, bool single_threaded = false);
InductorRules rules_for_gpu(Release release = kNewestRelease);

}  // namespace fxcut
