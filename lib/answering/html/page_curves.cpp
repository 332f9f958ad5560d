#include "html/page_curves.h"

#include <map>
#include <tuple>

#include "report/code_memory.h"

namespace fxcut {
namespace {

void add_steps(const std::vector<Step>& steps, const PageOrder& order, PageCurve& curve) {
  for (std::size_t s = 0; s < steps.size(); ++s) {
    curve.steps.push_back(order.number_of(steps[s].side, steps[s].node));
    const StepPhase phase = order.running().phase(steps[s].side, steps[s].node);
    if (phase == StepPhase::Forward && curve.forward_steps == s) ++curve.forward_steps;
    if (curve.phases.empty() || curve.phases.back().name != name_of(phase)) curve.phases.push_back({name_of(phase), s});
  }
}

// The forward's node of that name, or the placeholder.
std::size_t saved_node(NodeId placeholder, const PageOrder& order,
                       const std::unordered_map<std::string_view, std::size_t>& numbers) {
  const auto found = numbers.find(order.running().second()[placeholder].name);
  return found == numbers.end() ? order.number_of(Side::Backward, placeholder) : found->second;
}

bool is_callers(MemoryKind kind) {
  return kind == MemoryKind::Output || kind == MemoryKind::Tangent || kind == MemoryKind::Gradient;
}

}  // namespace

PageCurve operators_curve(const MemoryProfile& memory, const PageOrder& order) {
  PageCurve curve{"the operators, each by itself", memory.peak_bytes(), memory.peak_step, {}, 0, {}, {}};
  add_steps(memory.steps, order, curve);
  const MemoryKinds kinds(order.running());
  for (const Allocation& allocation : memory.allocations) {
    if (allocation.owner != Allocation::Owner::Step || allocation.size_bytes == 0) continue;
    PageAllocation& shown = curve.allocations.emplace_back();
    shown.node = order.number_of(allocation.side, allocation.node);
    shown.size_bytes = allocation.size_bytes;
    shown.kind = kinds.of(allocation, memory.steps);
    shown.first_step = allocation.first_step;
    if (allocation.last_step != Allocation::kKeptByCaller) shown.last_step = allocation.last_step;
  }
  return curve;
}

std::optional<PageCurve> code_curve(const PredictedMemory& memory, const GraphPair& graphs, const PageOrder& order) {
  const std::vector<CodeAllocation> all = code_allocations(memory, graphs);
  if (all.empty() && memory.peak_bytes() > 0) return std::nullopt;
  PageCurve curve{"inductor's code, predicted", memory.peak_bytes(), memory.peak_step, {}, 0, {}, {}};
  add_steps(memory.steps, order, curve);
  const auto numbers = order.numbers_by_name();
  std::map<std::tuple<std::size_t, std::int64_t>, std::size_t> left;  // by node and bytes: the forward's for the backward
  for (const CodeAllocation& held : all) {
    const bool is_carried = held.kind == MemoryKind::Saved && held.side == Side::Backward;
    const std::size_t node = is_carried ? saved_node(held.node, order, numbers) : order.number_of(held.side, held.node);
    const std::optional<std::size_t> last =
        is_callers(held.kind) && held.last_step + 1 == memory.steps.size() ? std::nullopt : std::optional(held.last_step);
    const auto before = left.find({node, held.size_bytes});
    if (is_carried && before != left.end() && held.first_step == curve.forward_steps) {
      curve.allocations[before->second].last_step = last;
      left.erase(before);
      continue;
    }
    if (held.kind == MemoryKind::Saved && held.last_step + 1 == curve.forward_steps) {
      left.emplace(std::tuple(node, held.size_bytes), curve.allocations.size());
    }
    curve.allocations.push_back({node, held.size_bytes, held.kind, held.first_step, last});
  }
  return curve;
}

}  // namespace fxcut
