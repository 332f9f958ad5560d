// A graph as inductor lowers it: kernels and calls of libraries, in order, and the buffers that they read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "release/release.h"

namespace fxcut {

using BufferId = std::uint32_t;
using KernelId = std::uint32_t;

inline constexpr BufferId kNoBuffer = 0xffffffff;

// Memory that the wrapper of a graph allocates, or one of its inputs.
struct Buffer {
  NodeId node{0};               // that makes it
  std::int64_t bytes = 0;
  std::int64_t elements = 0;
  const Dtype* dtype = nullptr;
  bool is_input = false;
  std::optional<std::int64_t> storage = std::nullopt;  // of an input, which others may share: inductor takes them for several
  bool is_output = false;       // of the graph: it outlives its last reader
  std::optional<BufferId> item_of = std::nullopt;  // the tuple that a library's call returned, of whose bytes its own are part
  bool by_library = false;      // allocated within a library's call, not by the wrapper
  bool unaligned = false;       // may begin anywhere: no aligned buffer takes its memory
  bool vanishes = false;        // read within its own kernel only: allocated only if its memory is taken for what is not
  bool is_local = false;        // vanishes, and is a row that the kernel's threads have for themselves: nothing takes its memory
  bool is_added_up = false;  // the wrapper makes it of a workspace when that has been written, whenever its own kernel would run
  std::optional<BufferId> within = std::nullopt;  // the buffer of which it is a slice: a term of a concatenation
  std::optional<BufferId> changed_from = std::nullopt;  // the buffer that a kernel overwrote: this is its memory
};

// A read at indexed positions: the call, and a number shared by all such reads of the buffer, whatever the index.
struct GatheredPlace {
  NodeId call{0};
  std::uint64_t at_any_index = 0;

  bool operator==(const GatheredPlace&) const = default;
};

// Where a kernel reads a buffer: from an offset in elements, by one stride for each of its loops; or at places that have no
// strides, which a number stands for that equal places share.
struct Access {
  BufferId buffer = 0;
  std::optional<std::vector<std::int64_t>> strides = std::nullopt;
  std::uint64_t place = 0;  // the offset, or that number
  std::int64_t period = 0;  // without strides: after how many elements of the last dimension the same place follows; 0 if never
  std::optional<GatheredPlace> gathered = std::nullopt;  // without strides
  std::optional<std::vector<std::int64_t>> steps = std::nullopt;  // without strides: to the second element of each loop
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
  OuterTiny,  // the same for few results, each of few parts
};

// Numbers of elements that stay, and that are reduced.
struct ReducedElements {
  std::int64_t outer = 1, reduced = 1;

  bool operator==(const ReducedElements&) const = default;
};

// The loops of a kernel, outermost first: over its result, then over what it reduces.
struct Loops {
  std::vector<std::int64_t> sizes;           // as traced; the strides of its accesses are for these
  std::vector<std::int64_t> outer = {};      // in the order in which they run, neighbours merged
  std::vector<std::int64_t> reduced = {};    // the same; empty if it is no reduction
  std::vector<std::size_t> order = {};       // the positions in `sizes` in the order in which they run
  std::vector<std::int64_t> written = {};    // the strides of what it writes, 0 where it reduces
  ReductionHint hint = ReductionHint::Default;
  bool adds = false;  // its reduction, or multiplies
  std::optional<ReducedElements> whole = std::nullopt;  // of the first of two steps: of both
};

struct Kernel {
  NodeId node{0};               // its last
  std::vector<Access> reads = {};
  std::vector<BufferId> writes = {};
  std::vector<BufferId> changes = {};  // that it overwrites: inputs, or what is another buffer from then on
  std::optional<Loops> loops = std::nullopt;  // nothing for a library's call
  bool runs = true;                // false: a concatenation, whose terms are written in place
  bool scatters = false;           // it writes at computed places
  std::int64_t workspace = 0;      // bytes that a library takes and frees within the call (inductor/workspaces.h)
};

struct Kernels {
  std::vector<Buffer> buffers;
  std::vector<Kernel> kernels;
};

// The buffer whose memory a buffer is: the first of those that were overwritten one after the other, or itself.
inline BufferId memory_of(const std::vector<Buffer>& buffers, BufferId id) {
  while (buffers[id].changed_from) id = *buffers[id].changed_from;
  return id;
}

// The concatenation of which it is a slice, or its memory (Scheduler.compute_dependencies takes slices for aliases of the whole).
inline BufferId whole_of(const std::vector<Buffer>& buffers, BufferId id) {
  const BufferId memory = memory_of(buffers, id);
  return buffers[memory].within.value_or(memory);
}

// What inductor does differently by device and by release (torch/_inductor/config.py, StorageBox.should_realize_on_reuse,
// CppScheduling, GraphLowering.decide_layout_opt).
struct InductorRules {
  std::size_t max_operators = 50;       // in an expression with several readers (realize_cpu_opcount_threshold)
  std::size_t max_reads = 12;           // in any expression (realize_cpu_acc_reads_threshold)
  std::size_t max_shared_reads = 4;     // in an expression with several readers (realize_reads_threshold)
  std::int64_t max_two_step_elements = 1024;  // of a variance that computes its mean first (use_two_step_variance_threshold)
  bool unrolls_to_one = false;          // reductions of few elements to a single one are expressions, as others of so few are
  bool stores_heavy = true;             // is_heavy_on_cpu()
  bool nests_loops = true;              // kernels of equal outer loops are nested, and others need equal loops
  bool reorders_loops = false;          // loops stay apart while kernels fuse, and are reordered for it finally
  bool joins_calls = true;              // kernels that follow each other are one call
  bool channels_last = true;            // convolutions take their inputs with channels last
  bool gradients_decide_layout = true;  // so do their backwards in a graph that has no convolution
  bool orders_gradients = true;         // without channels last, convolutions' backwards order what they read as their results
  bool aligned_inputs = false;          // inputs of the graph are known to be aligned
  bool inlines_concatenations = false;  // some are expressions, not written term by term
  bool spares_shared_terms = false;     // not those of which others read a term as well
  bool concatenates_paddings = false;   // paddings at the end of a dimension are concatenations
  bool sums_by_library = true;          // scatter-adds are library calls, multi-threaded (config.cpp.fallback_scatter_reduce_sum)
  bool keeps_between_loops = false;     // values that one loop of a kernel makes and another reads are in memory
  bool fuses_two_ways = true;           // kernels of which one reads what the other makes by merged loops and by others
  bool mixes_reductions = false;        // rows and columns of a tensor may be reduced in one kernel
  bool adds_whole_matrices = false;     // a product adds what is no bias within its call, whoever reads the sum
  bool mixes_flat_reductions = false;   // rows and columns of a tensor are reduced in one kernel whatever its proportions
  bool splits_reductions = false;       // those of much to little are two kernels
  bool allocates_blocks = false;  // the device's allocator rounds up (graph/device_blocks.h), of which inductor knows nothing
};

InductorRules rules_for_cpu(Release release = kNewestRelease, bool single_threaded = false);
InductorRules rules_for_gpu(Release release = kNewestRelease);

}  // namespace fxcut
