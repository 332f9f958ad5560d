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
constexpr std::array<KindRow, 8> kKinds = {{
    {"saved", "saved", "activations for the backward"},
    {"output", "outputs", "of the forward; their caller holds them"},
    {"tangent", "tangents", "gradients that enter the backward; its caller holds them"},
    {"gradient", "gradients", "of parameters and inputs so far; the caller holds them"},
    {"reloaded", "reloaded", "offloaded values, copied back from the host"},
    {"recomputed", "recomputed", "values, until their last use"},
    {"optimizer", "optimizer", "gradients that it takes, and what it computes"},
    {"temporary", "temporary", "values, until their last use"},
}};

const KindRow& row_of(MemoryKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view name_of(MemoryKind kind) { return row_of(kind).name; }
std::string_view label_of(MemoryKind kind) { return row_of(kind).label; }
std::string_view meaning_of(MemoryKind kind) { return row_of(kind).meaning; }

std::string_view name_of(StepPhase phase) {
  switch (phase) {
    case StepPhase::Forward: return "forward";
    case StepPhase::Backward: return "backward";
    case StepPhase::Optimizer: return "optimizer";
  }
  return "";
}

MemoryKinds::MemoryKinds(const RunningGraphs& graphs) : graphs_(graphs) {
  if (graphs.is_step()) return;  // which marks its copies
  for (const Node& node : graphs.first().nodes) {
    if (node.is_call()) forward_calls_.insert(node.name);
  }
}

bool MemoryKinds::is_recomputed(const Node& node) const {
  return node.is_recomputed_copy || (!graphs_.is_step() && node.is_call() && forward_calls_.contains(node.name));
}

MemoryKind MemoryKinds::of(const Allocation& allocation, const std::vector<Step>& steps) const {
  const bool callers = allocation.last_step == Allocation::kKeptByCaller;
  const auto phase_of_last = [&] {
    const Step& last = steps[allocation.last_step];
    return graphs_.phase(last.side, last.node);
  };
  const StepPhase phase = graphs_.phase(allocation.side, allocation.node);
  if (phase == StepPhase::Optimizer) return MemoryKind::Optimizer;
  if (phase == StepPhase::Forward) {
    if (callers) return MemoryKind::Output;
    return phase_of_last() == StepPhase::Forward ? MemoryKind::Temporary : MemoryKind::Saved;
  }
  const Node& node = graphs_.node(allocation.side, allocation.node);
  if (node.is_placeholder()) return MemoryKind::Tangent;
  if (callers) return MemoryKind::Gradient;
  if (phase_of_last() == StepPhase::Optimizer) return MemoryKind::Optimizer;
  if (node.is_call() && is_host_copy(node)) return MemoryKind::Reloaded;
  return is_recomputed(node) ? MemoryKind::Recomputed : MemoryKind::Temporary;
}

}  // namespace fxcut
