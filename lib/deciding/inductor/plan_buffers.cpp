#include "inductor/plan_buffers.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graph/device_blocks.h"
#include "inductor/places.h"

namespace fxcut {
namespace {

// A line of the wrapper.
struct Line {
  enum class Kind : std::uint8_t { Allocate, Call, Free, TakeOver };
  Kind kind = Kind::Call;
  BufferId buffer = 0;
  std::uint32_t turn = 0;  // the kernel's position in the order
  bool reuses = false;     // Allocate: another's memory; Free: another takes it over
  BufferId from = 0;       // TakeOver, and Allocate that reuses: the buffer whose memory it was
};

class Wrapper {
 public:
  Wrapper(const Kernels& program, const std::vector<FusedKernel>& kernels, const KernelOrder& order,
          const std::vector<bool>& freeable, const std::vector<bool>& donated, const InductorRules& rules)
      : program_(program), kernels_(kernels), order_(order), freeable_(freeable), donated_(donated), rules_(rules),
        last_use_(program.buffers.size(), 0), concatenated_(program.buffers.size(), false), taken_(program.buffers.size()) {
    for (const Buffer& buffer : program.buffers) {
      unaligned_.push_back(buffer.unaligned);
      needed_.push_back(!buffer.vanishes);
    }
    for (const Kernel& kernel : program.kernels) reads_.push_back(read_places(kernel));
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
                                   const std::vector<BufferId>& dead) const {
    const Kernel& writer = program_.kernels[kernel.parts[part]];
    const std::vector<Place> target = written_places(writer);
    const std::vector<bool> ancestors = ancestors_of(kernel, part);
    for (const Access& read : writer.reads) {
      if (std::ranges::find(dead, read.buffer) == dead.end() || !same_memory(read.buffer, written)) continue;
      if (concatenated_[read.buffer] || (program_.buffers[read.buffer].is_input && !donated_[read.buffer])) continue;
      std::optional<Place> only;
      bool in_place = true;
      for (std::size_t other = 0; other < kernel.parts.size() && in_place; ++other) {
        for (const Place& place : reads_[kernel.parts[other]]) {
          if (place.buffer != read.buffer) continue;
          in_place &= (other == part || ancestors[other]) && (!only || *only == place);
          only = place;
        }
      }
      const bool where_written = only && std::ranges::any_of(target, [&](const Place& place) {
        return place.known == only->known && place.number == only->number && place.walk == only->walk;
      });
      if (in_place && where_written) return read.buffer;
    }
    return {};
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
  std::vector<std::vector<Place>> reads_;   // by kernel
  std::unordered_set<BufferId> allocated_;  // concatenations
  std::vector<Line> lines_;
};

// For each buffer, the bytes allocated for it. The items of a tuple are blocks of their own, each rounded separately.
std::vector<std::int64_t> taken_bytes(const std::vector<Buffer>& buffers, bool in_blocks) {
  std::vector<std::int64_t> taken;
  for (const Buffer& buffer : buffers) taken.push_back(buffer.bytes);
  if (!in_blocks) return taken;
  for (const Buffer& buffer : buffers) {
    if (buffer.item_of) taken[*buffer.item_of] -= buffer.bytes;
  }
  for (std::int64_t& bytes : taken) bytes = rounded_as_allocated(bytes);
  for (BufferId b = 0; b < buffers.size(); ++b) {
    if (buffers[b].item_of) taken[*buffers[b].item_of] += taken[b];
  }
  return taken;
}

// Tuples that calls returned: an item that is freed before its tuple is in memory until then.
class Tuples {
 public:
  // `taken`: bytes by buffer.
  Tuples(const std::vector<Buffer>& buffers, const std::vector<std::int64_t>& taken) : buffers_(buffers), held_(taken) {
    for (BufferId b = 0; b < buffers.size(); ++b) {
      if (buffers[b].item_of) held_[*buffers[b].item_of] -= taken[b];
    }
  }

  // A tuple is freed together with its items that are no longer used, or never were.
  std::int64_t freed_with(BufferId id) {
    const std::optional<BufferId> tuple = buffers_[id].item_of;
    if (!tuple || freed_.contains(*tuple)) {
      freed_.insert(id);
      return held_[id];
    }
    held_[*tuple] += held_[id];
    return 0;
  }

 private:
  const std::vector<Buffer>& buffers_;
  std::vector<std::int64_t> held_;   // by buffer: bytes freed with it
  std::unordered_set<BufferId> freed_;
};

// The storages of inputs, each of which is freed with the last input in it.
class InputStorages {
 public:
  // `taken`: bytes by buffer.
  InputStorages(const std::vector<Buffer>& buffers, const std::vector<std::int64_t>& taken) : buffers_(buffers), taken_(taken) {
    for (BufferId b = 0; b < buffers.size(); ++b) {
      if (!buffers[b].storage) continue;
      Storage& storage = storages_[*buffers[b].storage];
      ++storage.inputs;
      storage.bytes = std::max(storage.bytes, taken[b]);
    }
  }

  std::int64_t freed_with(BufferId id) {
    const Buffer& buffer = buffers_[id];
    if (!buffer.storage) return taken_[id];
    Storage& storage = storages_[*buffer.storage];
    return --storage.inputs == 0 ? storage.bytes : 0;
  }

 private:
  struct Storage {
    std::size_t inputs = 0;
    std::int64_t bytes = 0;
  };
  const std::vector<Buffer>& buffers_;
  const std::vector<std::int64_t>& taken_;
  std::unordered_map<std::int64_t, Storage> storages_;
};

void note_workspace(PeakWithWorkspace& peak, std::int64_t held, const Kernels& program, const FusedKernel& running) {
  const Kernel& kernel = program.kernels[running.parts.back()];
  if (kernel.workspace == 0 || held + kernel.workspace <= peak.peak_bytes) return;
  peak = {held + kernel.workspace, kernel.workspace, kernel.node};
}

// What lines take and free.
class Accounts {
 public:
  Accounts(const Kernels& program, const std::vector<bool>& counted, const InductorRules& rules)
      : program_(program), counted_(counted), taken_(taken_bytes(program.buffers, rules.allocates_blocks)),
        storages_(program.buffers, taken_), tuples_(program.buffers, taken_) {}

  std::int64_t taken(BufferId b) const { return taken_[b]; }

  // By how many bytes the line changes what is held.
  std::int64_t change(const Line& line) {
    if (line.reuses) return 0;
    if (line.kind == Line::Kind::Allocate) return taken_[line.buffer];
    if (line.kind != Line::Kind::Free || !counted_[line.buffer]) return 0;
    return -(program_.buffers[line.buffer].is_input ? storages_.freed_with(line.buffer) : tuples_.freed_with(line.buffer));
  }

 private:
  const Kernels& program_;
  const std::vector<bool>& counted_;
  std::vector<std::int64_t> taken_;
  InputStorages storages_;
  Tuples tuples_;
};

// Which buffers have memory, line by line.
class InUse {
 public:
  InUse(const Kernels& program, const std::vector<bool>& counted, Accounts& accounts) : program_(program), accounts_(accounts) {
    for (BufferId b = 0; b < program.buffers.size(); ++b) {
      const Buffer& buffer = program.buffers[b];
      if (!buffer.is_input || !counted[b]) continue;
      if (buffer.storage && !storage_in_.try_emplace(*buffer.storage, b).second) {
        std::int64_t& bytes = bytes_[storage_in_[*buffer.storage]];
        bytes = std::max(bytes, accounts.taken(b));
      } else {
        bytes_[b] = accounts.taken(b);
      }
    }
  }

  void run(const Line& line) {
    const std::int64_t change = accounts_.change(line);
    if (line.kind == Line::Kind::TakeOver || (line.kind == Line::Kind::Allocate && line.reuses)) {
      const auto owned = bytes_.extract(line.from);
      if (owned.empty()) take(owner_of(line.from), accounts_.taken(line.from));
      bytes_[line.buffer] += owned.empty() ? accounts_.taken(line.from) : owned.mapped();
    } else if (line.kind == Line::Kind::Allocate) {
      bytes_[line.buffer] += change;
    } else if (change < 0) {
      take(owner_of(line.buffer), -change);
    }
  }

  std::vector<BufferInUse> all() const {
    std::vector<BufferInUse> in_use;
    for (const auto& [buffer, bytes] : bytes_) {
      if (bytes > 0) in_use.push_back({buffer, bytes});
    }
    return in_use;
  }

 private:
  // Of what is freed with others, the one that has all their bytes.
  BufferId owner_of(BufferId b) const {
    const Buffer& buffer = program_.buffers[b];
    if (buffer.is_input && buffer.storage) return storage_in_.at(*buffer.storage);
    return bytes_.contains(b) || !buffer.item_of ? b : *buffer.item_of;
  }

  void take(BufferId owner, std::int64_t bytes) {
    const auto found = bytes_.find(owner);
    if (found != bytes_.end() && (found->second -= bytes) <= 0) bytes_.erase(found);
  }

  const Kernels& program_;
  Accounts& accounts_;
  std::map<BufferId, std::int64_t> bytes_;
  std::unordered_map<std::int64_t, BufferId> storage_in_;  // by storage of inputs: the first
};

}  // namespace

WrapperMemory plan_buffers(const Kernels& program, const std::vector<FusedKernel>& kernels, const KernelOrder& order,
                           const std::vector<bool>& freeable, const std::vector<bool>& donated, const std::vector<bool>& counted,
                           std::int64_t start_bytes, const InductorRules& rules) {
  WrapperMemory memory{start_bytes, start_bytes, NodeId{0}};
  std::int64_t held = start_bytes;
  Accounts accounts(program, counted, rules);
  for (const Line& line : Wrapper(program, kernels, order, freeable, donated, rules).lines()) {
    held += accounts.change(line);
    if (line.kind == Line::Kind::Call) note_workspace(memory.with_workspaces, held, program, kernels[order.order[line.turn]]);
    if (held <= memory.peak_bytes) continue;
    memory.peak_bytes = held;
    memory.peak_node = program.kernels[kernels[order.order[line.turn]].parts.back()].node;
  }
  memory.bytes_after = held;
  return memory;
}

std::vector<BufferInUse> buffers_at_peak(const Kernels& program, const std::vector<FusedKernel>& kernels,
                                         const KernelOrder& order, const std::vector<bool>& freeable,
                                         const std::vector<bool>& donated, const std::vector<bool>& counted,
                                         const InductorRules& rules) {
  const std::vector<Line> lines = Wrapper(program, kernels, order, freeable, donated, rules).lines();
  Accounts accounts(program, counted, rules);
  std::size_t after_peak = 0;  // lines
  std::int64_t held = 0, most = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    held += accounts.change(lines[i]);
    if (held <= most) continue;
    most = held;
    after_peak = i + 1;
  }
  Accounts again(program, counted, rules);
  InUse in_use(program, counted, again);
  for (const Line& line : std::span(lines).first(after_peak)) in_use.run(line);
  return in_use.all();
}

}  // namespace fxcut
