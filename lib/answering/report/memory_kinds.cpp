#include "report/memory_kinds.h"

#include <array>
#include <cstddef>
#include <vector>

#include "classify/host_copies.h"

namespace fxcut {
namespace {

struct KindRow {
  std::string_view name, label, meaning;
};

// By MemoryKind.
constexpr std::array<KindRow, 7> kKinds = {{
    {"saved", "saved", "activations for the backward"},
    {"output", "outputs", "of the forward; their caller holds them"},
    {"tangent", "tangents", "gradients that enter the backward; its caller holds them"},
    {"gradient", "gradients", "of parameters and inputs so far; the caller holds them"},
    {"reloaded", "reloaded", "offloaded values, copied back from the host"},
    {"recomputed", "recomputed", "values, until their last use"},
    {"temporary", "temporary", "values, until their last use"},
}};

const KindRow& row_of(MemoryKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view name_of(MemoryKind kind) { return row_of(kind).name; }
std::string_view label_of(MemoryKind kind) { return row_of(kind).label; }
std::string_view meaning_of(MemoryKind kind) { return row_of(kind).meaning; }

MemoryKinds::MemoryKinds(const GraphPair& graphs) : graphs_(graphs) {
  for (const Node& node : graphs.forward.nodes) {
    if (node.is_call()) forward_calls_.insert(node.name);
  }
}

MemoryKind MemoryKinds::of(const Allocation& allocation, const std::vector<Step>& steps) const {
  const bool callers = allocation.last_step == Allocation::kKeptByCaller;
  if (allocation.side == Side::Forward) {
    if (callers) return MemoryKind::Output;
    return steps[allocation.last_step].side == Side::Backward ? MemoryKind::Saved : MemoryKind::Temporary;
  }
  const Node& node = graphs_.backward[allocation.node];
  if (node.is_placeholder()) return MemoryKind::Tangent;
  if (callers) return MemoryKind::Gradient;
  if (node.is_call() && is_host_copy(node)) return MemoryKind::Reloaded;
  return node.is_call() && forward_calls_.contains(node.name) ? MemoryKind::Recomputed : MemoryKind::Temporary;
}

}  // namespace fxcut
