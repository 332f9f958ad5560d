#include "explain/step_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "explain/explain.h"
#include "inductor/kernel_times.h"
#include "step/settings_for_step.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {

constexpr std::size_t kShownOperands = 3;  // a cache of keys, a mask or a bias may follow

// A kernel that an input is in copies it into another layout.
std::vector<std::string> packets_of(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::set<std::string> packets;
  for (const NodeId id : nodes) packets.insert(graph[id].is_call() ? graph[id].callee->packet : "copy");
  return {packets.begin(), packets.end()};
}

std::vector<Sizes> operands_of(const Graph& graph, NodeId call) {
  std::vector<Sizes> operands;
  for (const NodeId input : graph[call].inputs) {
    if (graph[input].has_tensor() && operands.size() < kShownOperands) operands.push_back(graph[input].value->tensor.shape);
  }
  return operands;
}

// "aten.mm bfloat16 [8192, 4096] x [4096, 1024]", "bfloat16 [8192, 14336]: mul, silu"
std::string describe_kernel(const KernelRow& row) {
  std::string shapes;
  for (const Sizes& operand : row.operands) shapes += (shapes.empty() ? "" : " x ") + show_shape(operand);
  if (shapes.empty() && !row.dtype.empty()) shapes = show_shape(row.shape);
  const std::string what = row.dtype.empty() ? shapes : fmt::format("{} {}", row.dtype, shapes);
  if (!row.is_generated) return fmt::format("{} {}", fmt::join(row.operators, ", "), what);
  std::vector<std::string> names;
  for (const std::string& packet : row.operators) names.push_back(packet.substr(packet.find('.') + 1));
  return fmt::format("{}: {}", what, fmt::join(names, ", "));
}

// The node whose tensor tells the kernel's size; a tuple of several results has none.
const Node& shown_node(const Graph& graph, const std::vector<NodeId>& nodes) {
  for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
    if (graph[*id].has_tensor()) return graph[*id];
  }
  for (const NodeId input : graph[nodes.back()].inputs) {
    if (graph[input].has_tensor()) return graph[input];
  }
  return graph[nodes.back()];
}

KernelRow row_of(const Graph& graph, const TimedKernel& kernel, const Settings& settings, bool is_backward) {
  const DescribedNode shown = describe_node(shown_node(graph, kernel.nodes), settings);
  const auto operands = kernel.is_generated ? std::vector<Sizes>() : operands_of(graph, kernel.nodes.back());
  return {is_backward, kernel.is_generated, packets_of(graph, kernel.nodes), graph[kernel.nodes.back()].name, shown.dtype,
          shown.shape, operands, 1, kernel.ms};
}

// Rows, keyed by the text that they show.
class FoldedKernels {
 public:
  void add(const KernelRow& row) {
    const auto [found, is_new] = positions_.try_emplace({row.is_backward, describe_kernel(row)}, rows_.size());
    if (is_new) {
      rows_.push_back(row);
    } else {
      ++rows_[found->second].calls;
      rows_[found->second].ms += row.ms;
    }
  }

  std::vector<KernelRow> longest(std::size_t most) && {
    std::ranges::stable_sort(rows_, std::greater<>(), &KernelRow::ms);
    if (rows_.size() > most) rows_.resize(most);
    return std::move(rows_);
  }

 private:
  std::map<std::pair<bool, std::string>, std::size_t> positions_;
  std::vector<KernelRow> rows_;
};

double ms_of(const std::vector<KernelRow>& rows) {
  return std::accumulate(rows.begin(), rows.end(), 0.0, [](double sum, const KernelRow& row) { return sum + row.ms; });
}

std::string show_share(double ms, double step_ms) { return fmt::format("{:.1f} %", step_ms > 0 ? 100 * ms / step_ms : 0); }

}  // namespace

StepKernels step_kernels(const ExplainContext& context, std::size_t most) {
  const std::shared_ptr<const Decision> made = decision_of(context);
  const Decision& decision = *made;
  const Partition partition = carry_out(decision, context.settings);
  const Settings settings = settings_for(decision.joint, context.settings);
  const auto code = code_if_asked_for(partition.graphs, decision.joint, settings);
  const EstimatedDevice device = device_of(settings, decision.joint.graph);
  const TimedStep step = timed_kernels(partition.graphs, code, device.profile);
  FoldedKernels folded;
  for (const TimedKernels* side : {&step.forward, &step.backward}) {
    for (const TimedKernel& kernel : side->kernels) {
      folded.add(row_of(*side->graph, kernel, settings, side == &step.backward));
    }
  }
  return {describe_graph(decision, settings), partition.report.run_time->device, partition.report.run_time->step_ms,
          step.forward.kernels.size() + step.backward.kernels.size(), step.of_operators, std::move(folded).longest(most)};
}

std::string kernels_text(const StepKernels& step) {
  std::vector<std::vector<std::string>> rows = {{"TIME", "SHARE", "CALLS", "EACH", "", "KERNEL"}};
  for (const KernelRow& row : step.rows) {
    rows.push_back({show_time(row.ms), show_share(row.ms, step.step_ms), std::to_string(row.calls),
                    show_time(row.ms / static_cast<double>(row.calls)), row.is_backward ? "bw" : "fw",
                    describe_kernel(row)});
  }
  const double ms = ms_of(step.rows);
  const std::string all = show_count(step.kernels, step.of_operators ? "operator" : "kernel");
  const std::string more = cut_rows(rows);
  return show_columns_within(rows, "rrrrll") + more +
         fmt::format("({}, {} of a step of {} in {}, estimated for {})\n", show_time(ms), show_share(ms, step.step_ms),
                     show_time(step.step_ms), all, step.device);
}

}  // namespace fxcut
