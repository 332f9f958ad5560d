#include "inductor/plan_buffers.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

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

// Counts the memory that lines take and free.
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

// The time for which a buffer has memory, in lines that have run: from `since` until just before `until`.
struct LineSpan {
  BufferId buffer;
  std::int64_t bytes;
  std::size_t since, until;
};

// The buffers that have memory, line by line.
class InUse {
 public:
  InUse(const Kernels& program, const std::vector<bool>& counted, Accounts& accounts) : program_(program), accounts_(accounts) {
    for (BufferId b = 0; b < program.buffers.size(); ++b) {
      const Buffer& buffer = program.buffers[b];
      if (!buffer.is_input || !counted[b]) continue;
      if (buffer.storage && !storage_in_.try_emplace(*buffer.storage, b).second) {
        std::int64_t& bytes = held_[storage_in_[*buffer.storage]].bytes;
        bytes = std::max(bytes, accounts.taken(b));
      } else {
        held_[b].bytes = accounts.taken(b);
      }
    }
  }

  // The bytes by which the line changes what is held.
  std::int64_t run(const WrapperLine& line) {
    ++lines_run_;
    const std::int64_t change = accounts_.change(line);
    if (line.kind == WrapperLine::Kind::TakeOver || (line.kind == WrapperLine::Kind::Allocate && line.reuses)) {
      const auto owned = held_.find(line.from);
      const std::int64_t bytes = owned == held_.end() ? accounts_.taken(line.from) : owned->second.bytes;
      take(owned == held_.end() ? owner_of(line.from) : line.from, bytes);
      add(line.buffer, bytes);
    } else if (line.kind == WrapperLine::Kind::Allocate) {
      add(line.buffer, change);
    } else if (change < 0) {
      take(owner_of(line.buffer), -change);
    }
    return change;
  }

  // The spans of all lines, once these have run.
  std::vector<LineSpan> spans() && {
    ++lines_run_;
    for (const auto& [buffer, held] : held_) end_span(buffer, held);
    return std::move(spans_);
  }

 private:
  struct Held {
    std::int64_t bytes = 0;
    std::size_t since = 0;
  };

  // The buffer that has all bytes of those that are freed together.
  BufferId owner_of(BufferId b) const {
    const Buffer& buffer = program_.buffers[b];
    if (buffer.is_input && buffer.storage) return storage_in_.at(*buffer.storage);
    return held_.contains(b) || !buffer.item_of ? b : *buffer.item_of;
  }

  void end_span(BufferId buffer, const Held& held) {
    if (held.bytes > 0 && held.since < lines_run_) spans_.push_back({buffer, held.bytes, held.since, lines_run_});
  }

  void add(BufferId buffer, std::int64_t bytes) {
    Held& held = held_[buffer];
    end_span(buffer, held);
    held = {held.bytes + bytes, lines_run_};
  }

  void take(BufferId owner, std::int64_t bytes) {
    const auto found = held_.find(owner);
    if (found == held_.end()) return;
    end_span(owner, found->second);
    found->second = {found->second.bytes - bytes, lines_run_};
    if (found->second.bytes <= 0) held_.erase(found);
  }

  const Kernels& program_;
  Accounts& accounts_;
  std::size_t lines_run_ = 0;
  std::map<BufferId, Held> held_;
  std::vector<LineSpan> spans_;
  std::unordered_map<std::int64_t, BufferId> storage_in_;  // by storage of inputs: the first
};

NodeId last_node(const Kernels& program, const FusedKernel& kernel) { return program.kernels[kernel.parts.back()].node; }

// The moments, and how many lines have run at each.
struct LinesAtMoments {
  std::vector<NodeId> nodes;
  std::vector<std::size_t> lines;
  std::size_t peak = 0;
};

// A call's lines allocate, call and free; those of a later turn that follow it are the next call's.
LinesAtMoments run_to_moments(const std::vector<WrapperLine>& lines, InUse& in_use, const Kernels& program,
                              const std::vector<FusedKernel>& kernels, const KernelOrder& order) {
  LinesAtMoments moments;
  std::uint32_t last_turn = 0;
  bool has_called = true;  // the current call
  std::int64_t held = 0, most_in_call = 0, most = 0;  // beyond what is held at first
  for (std::size_t i = 0; i < lines.size(); ++i) {
    held += in_use.run(lines[i]);
    const NodeId node = last_node(program, kernels[order.order[lines[i].turn]]);
    const bool is_first = moments.nodes.empty();
    if (is_first || (has_called && lines[i].turn > last_turn)) {
      const bool is_before = is_first && held <= 0;
      moments.nodes.push_back(node);
      moments.lines.push_back(is_before ? 0 : i + 1);
      most_in_call = is_before ? 0 : held;
      has_called = false;
    } else if (held > most_in_call) {
      moments.nodes.back() = node;
      moments.lines.back() = i + 1;
      most_in_call = held;
    }
    last_turn = std::max(last_turn, lines[i].turn);
    has_called |= lines[i].kind == WrapperLine::Kind::Call;
    if (most_in_call <= most) continue;
    most = most_in_call;
    moments.peak = moments.nodes.size() - 1;
  }
  if (moments.nodes.empty()) return {{NodeId{0}}, {0}};
  return moments;
}

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
    memory.peak_node = last_node(program, kernels[order.order[line.turn]]);
  }
  memory.bytes_after = held;
  return memory;
}

BufferHistory buffer_history(const Kernels& program, const std::vector<FusedKernel>& kernels, const KernelOrder& order,
                             const std::vector<bool>& freeable, const std::vector<bool>& donated,
                             const std::vector<bool>& counted, const InductorRules& rules) {
  Accounts accounts(program, counted, rules);
  InUse in_use(program, counted, accounts);
  LinesAtMoments moments = run_to_moments(wrapper_lines(program, kernels, order, freeable, donated, rules), in_use, program,
                                          kernels, order);
  BufferHistory history{std::move(moments.nodes), moments.peak, {}};
  const auto first_from = [&](std::size_t lines) {
    return static_cast<std::size_t>(std::ranges::lower_bound(moments.lines, lines) - moments.lines.begin());
  };
  for (const LineSpan& span : std::move(in_use).spans()) {
    const std::size_t first = first_from(span.since), end = first_from(span.until);
    if (first < end) history.spans.push_back({span.buffer, span.bytes, first, end - 1});
  }
  std::ranges::sort(history.spans, {}, [](const BufferSpan& span) { return std::pair(span.buffer, span.first); });
  return history;
}

}  // namespace fxcut
