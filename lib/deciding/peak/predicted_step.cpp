#include "peak/predicted_step.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "compress/mark_compressed.h"
#include "diagnostic/attempt.h"
#include "extract/forward_backward.h"
#include "frontier/kernel_costs.h"
#include "frontier/with_forms.h"
#include "inductor/kernel_times.h"
#include "inductor/predict_memory.h"
#include "system/threads.h"

namespace fxcut {
namespace {

// The work of a prediction, as frontier/work_budget.h counts it, measured on transformers: making the two graphs, and their code.
// Graphs with as many nodes may have a tenth of the kernels.
constexpr std::size_t kStepsANode = 150, kStepsAKernel = 1'100;

std::vector<NodeId> saved_in(const Evaluation& evaluation, const RecomputeProblem& problem) {
  std::vector<NodeId> saved;
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    if (evaluation.is_saved(i)) saved.push_back(problem.items[i].node);
  }
  return saved;
}

}  // namespace

PredictedStep::PredictedStep(const Analysis& analysis, const RecomputeProblem& problem, const FinishingNeeds& needs)
    : analysis_(analysis), problem_(problem), needs_(needs), device_(device_of(analysis.settings, analysis.graph()).profile),
      prices_kernels_(prices_kernels(analysis.settings)), node_of_(nodes_by_name(analysis.graph())) {}

std::optional<PredictedStep::Run> PredictedStep::run(const Evaluation& evaluation, const StepSimulation& simulation,
                                                     StepSimulation::Result simulated, WorkBudget& work) const {
  work.charge(analysis_.graph().size() * kStepsANode);
  const std::optional<GraphPair> both = graphs(evaluation);
  if (!both) return std::nullopt;
  const std::optional<PredictedCode> code = predict_code(*both, analysis_.joint);
  const PredictedMemory memory = predict_memory(*code, *both);
  work.charge(memory.kernels * kStepsAKernel);
  simulated.peak_bytes = memory.peak_bytes();
  std::optional<Int128> time;
  if (prices_kernels_) time = picoseconds(step_time(*both, code, device_).ms);
  const Node& at_peak = memory.peaks_in_backward() ? both->backward[memory.backward_peak_node]
                                                   : both->forward[memory.forward_peak_node];
  const auto found = node_of_.find(at_peak.name);
  if (found == node_of_.end()) return Run{simulated, time};
  const std::vector<NodeId>& steps = simulation.steps();
  const auto in_backward = steps.begin() + static_cast<std::ptrdiff_t>(simulated.forward_steps);
  const auto [first, last] =
      memory.peaks_in_backward() ? std::pair(in_backward, steps.end()) : std::pair(steps.begin(), in_backward);
  const auto step = std::find(first, last, found->second);
  if (step != last) simulated.peak_step = static_cast<std::size_t>(step - steps.begin());
  return Run{simulated, time};
}

std::optional<PredictedCost> PredictedStep::cost(const Evaluation& evaluation) const {
  const std::optional<GraphPair> both = graphs(evaluation);
  if (!both) return std::nullopt;
  const std::optional<PredictedCode> code = code_if_asked_for(*both, analysis_.joint, analysis_.settings);
  PredictedCost cost{std::nullopt, step_time(*both, code, device_).ms};
  if (code) cost.compiled_peak_bytes = predict_memory(*code, *both).peak_bytes();
  return cost;
}

std::optional<GraphPair> PredictedStep::graphs(const Evaluation& evaluation) const {
  Attempt<GraphPair> made = attempt([&] {
    const auto compressed = compressed_in(evaluation, problem_);
    if (compressed.empty()) return graphs(evaluation, analysis_.joint, needs_);
    JointGraph joint = analysis_.joint;
    mark_compressed(joint, compressed);
    FinishingNeeds needs = needs_;
    needs.compresses = true;
    return graphs(evaluation, joint, needs);
  });
  return made ? std::optional(*std::move(made)) : std::nullopt;
}

GraphPair PredictedStep::graphs(const Evaluation& evaluation, const JointGraph& joint, const FinishingNeeds& needs) const {
  const ForwardBackward sides =
      plan_forward_backward(joint, analysis_.users, analysis_.roles, saved_in(evaluation, problem_));
  return finish(order(sides, joint, analysis_.settings, needs), sides, joint, analysis_.settings, needs).graphs;
}

// Every second one runs in a thread of its own.
std::vector<std::optional<PredictedCost>> predicted_costs(const Analysis& analysis, const RecomputeProblem& problem,
                                                          const FinishingNeeds& needs,
                                                          const std::vector<const KeptStorages*>& choices) {
  std::vector<std::optional<PredictedCost>> costs(choices.size());
  const PredictedStep step(analysis, problem, needs);
  const auto predict_from = [&](std::size_t first) {
    Evaluation evaluation(problem);
    for (std::size_t i = first; i < choices.size(); i += 2) {
      evaluation.run(*choices[i]);
      costs[i] = step.cost(evaluation);
    }
    return true;
  };
  at_once(analysis.graph().size(), [&] { return predict_from(0); }, [&] { return predict_from(1); });
  return costs;
}

}  // namespace fxcut
