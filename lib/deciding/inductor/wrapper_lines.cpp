#include "inductor/wrapper_lines.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "inductor/memory_deps.h"

namespace fxcut {
namespace {

using Line = WrapperLine;

class WrapperCodegen {
 public:
  WrapperCodegen(const Kernels& program, const std::vector<FusedKernel>& kernels, const KernelOrder& order,
          const std::vector<bool>& freeable, const std::vector<bool>& donated, const InductorRules& rules)
      : program_(program), kernels_(kernels), order_(order), freeable_(freeable), donated_(donated), rules_(rules),
        last_use_(program.buffers.size(), 0), concatenated_(program.buffers.size(), false), taken_(program.buffers.size()),
        reads_(program.kernels.size()) {
    for (const Buffer& buffer : program.buffers) {
      unaligned_.push_back(buffer.unaligned);
      needed_.push_back(!buffer.vanishes);
    }
    for (const Buffer& buffer : program.buffers) {
      if (buffer.within) concatenated_[*buffer.within] = true;
    }
    for (std::uint32_t turn = 0; turn < order.order.size(); ++turn) {
      const FusedKernel& kernel = kernels[order.order[turn]];
      for (const auto* buffers : {&kernel.reads, &kernel.writes, &kernel.changes}) {
        for (const BufferId b : *buffers) last_use_[b] = last_use_[program.buffers[b].within.value_or(b)] = turn;
      }
    }
  }

  std::vector<Line> lines() {
    for (std::uint32_t turn = 0; turn < order_.order.size();) {
      const std::uint32_t end = end_of_call(turn);
      std::vector<BufferId> freed;
      for (std::uint32_t t = turn; t < end; ++t) allocate(t, freed);
      const FusedKernel& kernel = kernels_[order_.order[turn]];
      if (kernel.workspace) lines_.push_back({Line::Kind::Allocate, *kernel.workspace, turn});
      lines_.push_back({Line::Kind::Call, 0, turn});
      if (kernel.workspace) add_up(kernel, turn);
      for (const BufferId b : freed) lines_.push_back({Line::Kind::Free, b, end - 1});
      turn = end;
    }
    reuse();
    return std::move(lines_);
  }

 private:
  // Adds up the workspace in the wrapper, and calls what depends on the sums.
  void add_up(const FusedKernel& kernel, std::uint32_t turn) {
    for (const BufferId result : kernel.added_up) lines_.push_back({Line::Kind::Allocate, result, turn});
    lines_.push_back({Line::Kind::Free, *kernel.workspace, turn});
    for (const KernelId part : kernel.later) {
      for (const BufferId written : program_.kernels[part].writes) {
        if (needed_[written]) lines_.push_back({Line::Kind::Allocate, written, turn});
      }
    }
    if (!kernel.later.empty()) lines_.push_back({Line::Kind::Call, 0, turn});
  }

  std::uint32_t end_of_call(std::uint32_t turn) const {
    const auto is_library = [&](std::uint32_t t) { return kernels_[order_.order[t]].library; };
    std::uint32_t end = turn + 1;
    if (!rules_.joins_calls || is_library(turn)) return end;
    while (end < order_.order.size() && !is_library(end)) ++end;
    return end;
  }

  bool dies(BufferId b, std::uint32_t turn) const {
    const Buffer& buffer = program_.buffers[b];
    if (buffer.is_output || buffer.vanishes || buffer.within || buffer.changed_from) return false;
    return last_use_[b] == turn && (!buffer.is_input || freeable_[b]);
  }

  void allocate(std::uint32_t turn, std::vector<BufferId>& freed) {
    const FusedKernel& kernel = kernels_[order_.order[turn]];
    std::vector<BufferId> dead;
    std::ranges::copy_if(kernel.reads, std::back_inserter(dead), [&](BufferId b) { return dies(b, turn); });
    if (!kernel.library && kernel.runs) take_in_place(kernel, dead);
    for (const KernelId part : kernel.parts) {
      for (const BufferId written : program_.kernels[part].writes) {
        const Buffer& buffer = program_.buffers[written];
        if (buffer.changed_from || buffer.item_of || buffer.is_added_up || is_later(kernel, part)) continue;
        if (program_.buffers[written].within || !kernel.runs) {
          allocate_once(program_.buffers[written].within.value_or(written), turn);
        } else if (needed_[written]) {
          const auto kind = taken_[written] ? Line::Kind::TakeOver : Line::Kind::Allocate;
          lines_.push_back({kind, written, turn, false, taken_[written].value_or(0)});
        }
      }
    }
    std::ranges::copy_if(dead, std::back_inserter(freed), [&](BufferId b) { return needed_[b]; });
    for (const auto* buffers : {&kernel.writes, &kernel.changes}) {
      std::ranges::copy_if(*buffers, std::back_inserter(freed), [&](BufferId b) { return dies(b, turn); });
    }
    for (const auto* buffers : {&kernel.reads, &kernel.writes}) free_wholes(*buffers, turn, freed);
  }

  static bool is_later(const FusedKernel& kernel, KernelId part) {
    return std::ranges::find(kernel.later, part) != kernel.later.end();
  }

  // Using a slice uses the whole concatenation (BaseSchedulerNode.used_or_aliased_buffer_names).
  void free_wholes(const std::vector<BufferId>& slices, std::uint32_t turn, std::vector<BufferId>& freed) const {
    for (const BufferId slice : slices) {
      const std::optional<BufferId> whole = program_.buffers[slice].within;
      if (whole && dies(*whole, turn) && std::ranges::find(freed, *whole) == freed.end()) freed.push_back(*whole);
    }
  }

  void allocate_once(BufferId concatenated, std::uint32_t turn) {
    if (allocated_.insert(concatenated).second) lines_.push_back({Line::Kind::Allocate, concatenated, turn});
  }

  // Results of each part take memory from `dead`, which is left with the buffers that nothing took. Kernel-local buffers join
  // `dead` once written: if a buffer that is read elsewhere takes the memory of one, it is allocated, too.
  void take_in_place(const FusedKernel& kernel, std::vector<BufferId>& dead) {
    for (std::size_t part = 0; part < kernel.parts.size(); ++part) {
      for (const BufferId written : program_.kernels[kernel.parts[part]].writes) {
        const Buffer& buffer = program_.buffers[written];
        if (buffer.within || buffer.changed_from || buffer.is_local || buffer.is_added_up) continue;
        if (is_later(kernel, kernel.parts[part])) continue;
        taken_[written] = taken_by(kernel, part, written, dead);
        if (taken_[written]) {
          std::erase(dead, *taken_[written]);
          unaligned_[written] = unaligned_[*taken_[written]];
        }
        if (program_.buffers[written].vanishes) dead.push_back(written);
      }
    }
    for (const KernelId part : kernel.parts) {
      for (const BufferId written : program_.kernels[part].writes) mark_needed(written);
    }
  }

  // All buffers of a chain that shares one memory are needed if the first is a kernel input, or one of them is read elsewhere.
  void mark_needed(BufferId last) {
    bool needed = false;
    for (std::optional<BufferId> b = last; b; b = taken_[*b]) needed |= needed_[*b];
    for (std::optional<BufferId> b = last; needed && b; b = taken_[*b]) needed_[*b] = true;
  }

  // The first of `dead` that the part is the last to read and reads where it writes. Parts that read it before are its ancestors.
  std::optional<BufferId> taken_by(const FusedKernel& kernel, std::size_t part, BufferId written,
                                   const std::vector<BufferId>& dead) {
    const Kernel& writer = program_.kernels[kernel.parts[part]];
    std::vector<MemoryDep> target;
    std::vector<bool> ancestors;
    for (const Access& read : writer.reads) {
      if (std::ranges::find(dead, read.buffer) == dead.end() || !same_memory(read.buffer, written)) continue;
      if (concatenated_[read.buffer] || (program_.buffers[read.buffer].is_input && !donated_[read.buffer])) continue;
      if (ancestors.empty()) {
        target = written_deps(writer);
        ancestors = ancestors_of(kernel, part);
      }
      const MemoryDep* only = nullptr;
      bool in_place = true;
      for (std::size_t other = 0; other < kernel.parts.size() && in_place; ++other) {
        for (const MemoryDep& dep : reads_of(kernel.parts[other])) {
          if (dep.buffer != read.buffer) continue;
          in_place &= (other == part || ancestors[other]) && (!only || *only == dep);
          only = &dep;
        }
      }
      const bool where_written = only && std::ranges::any_of(target, [&](const MemoryDep& dep) {
        return dep.known == only->known && dep.number == only->number && dep.walk == only->walk;
      });
      if (in_place && where_written) return read.buffer;
    }
    return {};
  }

  // Computed for kernels that may write where they read, which are few.
  const std::vector<MemoryDep>& reads_of(KernelId kernel) {
    if (!reads_[kernel]) reads_[kernel] = read_deps(program_.kernels[kernel]);
    return *reads_[kernel];
  }

  // For each part of the kernel, whether the part `part` is computed from its results.
  std::vector<bool> ancestors_of(const FusedKernel& kernel, std::size_t part) const {
    std::vector<bool> ancestors(kernel.parts.size(), false);
    const auto reads = [&](std::size_t reader, std::size_t writer) {
      const std::vector<Access>& all = program_.kernels[kernel.parts[reader]].reads;
      return std::ranges::any_of(program_.kernels[kernel.parts[writer]].writes, [&](BufferId b) {
        return std::ranges::find(all, b, &Access::buffer) != all.end();
      });
    };
    for (std::size_t writer = part; writer-- > 0;) {
      ancestors[writer] = reads(part, writer);
      for (std::size_t between = writer + 1; between < part && !ancestors[writer]; ++between) {
        ancestors[writer] = ancestors[between] && reads(between, writer);
      }
    }
    return ancestors;
  }

  bool same_memory(BufferId a, BufferId b) const {
    return program_.buffers[a].bytes == program_.buffers[b].bytes && program_.buffers[a].dtype == program_.buffers[b].dtype;
  }

  // AllocateLine.plan: the latest freed buffer that fits, unless holding it until then would raise the estimated peak.
  void reuse() {
    std::map<std::tuple<std::int64_t, const Dtype*, bool>, std::vector<std::size_t>> free;
    std::vector<std::int64_t> bytes_at = order_.bytes_at;
    for (Line& line : lines_) {
      if (line.kind == Line::Kind::Call || line.kind == Line::Kind::TakeOver) continue;
      const Buffer& buffer = program_.buffers[line.buffer];
      auto& pool = free[{buffer.bytes, buffer.dtype, unaligned_[line.buffer]}];
      if (line.kind == Line::Kind::Free) {
        if (!buffer.is_input) pool.push_back(static_cast<std::size_t>(&line - lines_.data()));
        continue;
      }
      if (buffer.by_library || pool.empty()) continue;
      Line& freed = lines_[pool.back()];
      const std::uint32_t begin = std::min(freed.turn + 1, line.turn);
      const std::span<std::int64_t> between(bytes_at.data() + begin, line.turn - begin);
      const std::int64_t highest = between.empty() ? 0 : std::ranges::max(between);
      if (freed.turn + 1 != line.turn && buffer.bytes + highest > order_.peak_bytes) continue;
      for (std::int64_t& bytes : between) bytes += buffer.bytes;
      freed.reuses = line.reuses = true;
      line.from = freed.buffer;
      pool.pop_back();
    }
  }

  const Kernels& program_;
  const std::vector<FusedKernel>& kernels_;
  const KernelOrder& order_;
  const std::vector<bool>& freeable_;
  const std::vector<bool>& donated_;
  const InductorRules& rules_;
  std::vector<std::uint32_t> last_use_;     // by buffer, a turn
  std::vector<bool> unaligned_;             // by buffer, once writes in place are planned
  std::vector<bool> concatenated_;          // by buffer: whether others are slices of it
  std::vector<std::optional<BufferId>> taken_;  // by buffer: the buffer whose memory it takes
  std::vector<bool> needed_;                // by buffer: whether it has memory
  std::vector<std::optional<std::vector<MemoryDep>>> reads_;  // by kernel, once it is asked for
  std::unordered_set<BufferId> allocated_;  // concatenations
  std::vector<Line> lines_;
};

}  // namespace

std::vector<WrapperLine> wrapper_lines(const Kernels& program, const std::vector<FusedKernel>& kernels, const KernelOrder& order,
                                       const std::vector<bool>& freeable, const std::vector<bool>& donated,
                                       const InductorRules& rules) {
  return WrapperCodegen(program, kernels, order, freeable, donated, rules).lines();
}

}  // namespace fxcut
