#include "inductor/plan_buffers.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "graph/device_blocks.h"
#include "inductor/wrapper_lines.h"

namespace fxcut {
namespace {

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
  std::int64_t change(const WrapperLine& line) {
    if (line.reuses) return 0;
    if (line.kind == WrapperLine::Kind::Allocate) return taken_[line.buffer];
    if (line.kind != WrapperLine::Kind::Free || !counted_[line.buffer]) return 0;
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

  void run(const WrapperLine& line) {
    const std::int64_t change = accounts_.change(line);
    if (line.kind == WrapperLine::Kind::TakeOver || (line.kind == WrapperLine::Kind::Allocate && line.reuses)) {
      const auto owned = bytes_.extract(line.from);
      if (owned.empty()) take(owner_of(line.from), accounts_.taken(line.from));
      bytes_[line.buffer] += owned.empty() ? accounts_.taken(line.from) : owned.mapped();
    } else if (line.kind == WrapperLine::Kind::Allocate) {
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
  for (const WrapperLine& line : wrapper_lines(program, kernels, order, freeable, donated, rules)) {
    held += accounts.change(line);
    if (line.kind == WrapperLine::Kind::Call) {
      note_workspace(memory.with_workspaces, held, program, kernels[order.order[line.turn]]);
    }
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
  const std::vector<WrapperLine> lines = wrapper_lines(program, kernels, order, freeable, donated, rules);
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
  for (const WrapperLine& line : std::span(lines).first(after_peak)) in_use.run(line);
  return in_use.all();
}

}  // namespace fxcut
