#include "pipeline/peak_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cost/storage.h"
#include "diagnostic/diagnostic.h"
#include "frontier/costed_problem.h"
#include "frontier/pytorchs_choices.h"
#include "frontier/save_within_limit.h"
#include "memory/placement.h"
#include "report/describe_search.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::size_t kMostSteps = 12;         // towards the best amount: a simulation each
constexpr std::size_t kMostAlongFrontier = 64; // choices of the whole frontier that are simulated
constexpr std::size_t kLeastTried = 24;        // whatever work that is
constexpr std::size_t kStepsANode = 2000;      // of work to make and simulate a partition, as frontier/effort.h counts
constexpr std::size_t kMostNamed = 5;
constexpr std::int64_t kFineEnough = 256;      // the amount is found where it is known to this part of the limit

Wide peak_of(const Partition& partition) { return partition.memory.peak_bytes(); }

Wide cost_of(const Partition& partition) {
  return partition.report.frontier ? partition.report.frontier->run_cost : partition.report.totals.recomputed_flops;
}

// The bytes that may be saved without counting in the peak: the step's inputs, and what lies on the host.
std::int64_t bytes_beside_peak(const Graph& graph) {
  const StorageBytes storages = storage_bytes(graph);
  const bool cpu_is_host = has_device(graph);
  std::int64_t bytes = 0;
  for (const Node& node : graph.nodes) {
    for (const Tensor* tensor : tensors_of(node)) {
      if (!node.is_placeholder() && node.opcode != Opcode::GetAttr && !(cpu_is_host && is_cpu(*tensor))) continue;
      bytes += tensor->storage ? storages.at(*tensor->storage) : element_bytes(*tensor);
    }
  }
  return bytes;
}

bool may_offload(const JointGraph& joint, const Settings& settings, const PolicyStack& policies) {
  const auto is_tagged = [](const Node& node) { return node.meta.recompute && is_offload(*node.meta.recompute); };
  const auto& nodes = joint.graph.nodes;
  return settings.enable_activation_offloading || !policies.empty() ||
         std::any_of(nodes.begin(), nodes.end(), is_tagged);
}

class PeakSearch {
 public:
  PeakSearch(const JointGraph& joint, const Settings& settings, const PolicyStack& policies, const HaltAsked& halt)
      : joint_(joint),
        settings_(settings),
        policies_(policies),
        halt_(halt),
        effort_(search_limits(settings, halt), joint.graph.size()) {
    settings_.activation_memory_budget_solver = frontier_solver();
    within_ = settings_;
    within_.peak_bytes_limit.reset();
    at_first_ = within_;
    at_first_.budget_search_parts = 1;
  }

  Partition run() {
    const MemoryLimit limit = *settings_.peak_bytes_limit;
    if (limit.is_least) {
      find_lowest();
    } else {
      limit_ = limit.bytes;
      narrow_down(limit.bytes);
      try_pytorchs_choices();
      if (!best_) try_along_frontier();
    }
    if (!best_) throw unmet(limit.bytes);
    improve();
    return answer();
  }

 private:
  // Decides within that many saved bytes and simulates; keeps what is cheapest of all that hold. Nothing where not even
  // the least is so little.
  const Partition* try_saving(const MemoryLimit& saved_bytes, Settings settings) {
    settings.saved_bytes_limit = saved_bytes;
    try {
      return compare(std::make_shared<const Partition>(partition(joint_, settings, policies_, halt_)), saved_bytes);
    } catch (const Failure& failure) {
      if (failure.status() != ExitStatus::NoPartition || saved_bytes.is_least) throw;
      return nullptr;
    }
  }
  const Partition* try_saving(std::int64_t saved_bytes) { return try_saving(limit_of_bytes(saved_bytes), at_first_); }

  const Partition* compare(std::shared_ptr<const Partition> tried, const MemoryLimit& saved_bytes) {
    last_ = std::move(tried);
    ++tried_;
    effort_.take(joint_.graph.size() * kStepsANode);
    if (const auto& facts = last_->report.frontier) effort_.take(static_cast<std::size_t>(facts->steps));
    if (!lowest_ || peak_of(*last_) < peak_of(*lowest_)) lowest_ = last_;
    const bool holds = limit_ && peak_of(*last_) <= *limit_;
    const auto rank = [](const Partition& p) { return std::pair(cost_of(p), peak_of(p)); };
    if (holds && (!best_ || rank(*last_) < rank(*best_))) {
      best_ = last_;
      best_saved_bytes_ = saved_bytes;
    }
    return last_.get();
  }

  void try_pytorchs_choices() {
    if (went_to_pytorch_) return;
    went_to_pytorch_ = true;
    for (std::size_t place = 0; place < kPytorchsChoices && !is_halted(); ++place) {
      std::optional<Partition> made = partition_by_pytorchs_choice(joint_, within_, policies_, place);
      if (!made || !made->report.frontier) continue;
      const MemoryLimit saved_bytes = limit_of_bytes(made->report.frontier->saved_bytes);
      compare(std::make_shared<const Partition>(*std::move(made)), saved_bytes);
    }
  }

  void narrow_down(std::int64_t limit) {
    const std::int64_t beside = bytes_beside_peak(joint_.graph);
    std::int64_t too_much = limit > std::numeric_limits<std::int64_t>::max() - beside
                                ? std::numeric_limits<std::int64_t>::max()
                                : limit + beside;
    const Partition* first = try_saving(too_much);
    if (!first) return;
    // Whatever has a peak within the limit saves no more than that.
    if (first->report.frontier && !may_offload(joint_, settings_, policies_)) bound_ = first->report.frontier->bound;
    if (best_ || !first->report.frontier) return;

    std::optional<std::int64_t> holds;
    std::int64_t next = 0;
    for (std::size_t step = 0; step < kMostSteps && !is_over(); ++step) {
      if (!holds) {
        const std::int64_t saved = last_->report.frontier->saved_bytes;
        const auto excess = static_cast<std::int64_t>(peak_of(*last_) - *limit_);
        too_much = std::min(too_much, saved);
        next = saved - excess;
        if (next < 0) break;
      } else {
        next = *holds + (too_much - *holds) / 2;
      }
      const Partition* tried = try_saving(next);
      if (!tried) break;
      if (peak_of(*tried) <= *limit_) {
        holds = next;
      } else if (holds) {
        too_much = next;
      }
      if (holds && too_much - *holds <= limit / kFineEnough) break;
    }
  }

  void find_lowest() {
    if (!went_along_) try_along_frontier();
    try_pytorchs_choices();
    do {
      limit_ = peak_of(*lowest_) - 1;
      best_.reset();
      narrow_down(static_cast<std::int64_t>(*limit_));
    } while (best_ && !is_over());
    limit_ = peak_of(*lowest_);
    best_ = lowest_;
    best_saved_bytes_.reset();
    bound_.reset();
  }

  // Choices from the one that saves the least to the one that saves the most: at first far from each other, and then
  // between these.
  void try_along_frontier() {
    went_along_ = true;
    try_saving(*parse_memory_limit("least"), at_first_);
    if (is_halted()) return;
    const Estimator& estimator = estimator_of(settings_);
    const std::vector<FrontierPoint> points = trace_frontier(joint_, within_, estimator, policies_);
    const std::size_t finest = std::max<std::size_t>(1, (points.size() + kMostAlongFrontier - 1) / kMostAlongFrontier);
    const std::size_t coarsest = finest * 8;
    for (std::size_t stride = coarsest; stride >= finest; stride /= 2) {
      for (std::size_t i = 0; i < points.size() && !is_over(); i += stride) {
        const bool is_new = stride == coarsest || i % (2 * stride) != 0;
        if (is_new) try_saving(points[i].saved_bytes);
      }
    }
  }

  void improve() {
    if (best_saved_bytes_ && !is_halted()) try_saving(*best_saved_bytes_, within_);
  }

  bool is_halted() const { return halt_() != Halt::No; }
  bool is_over() { return is_halted() || (tried_ >= kLeastTried && effort_.is_spent()); }

  Partition answer() {
    Partition answer = *best_;
    answer.report.settings = settings_;
    answer.report.peak_limit = PeakLimitFacts{*limit_, tried_, bound_};
    const Halt halt = halt_();
    if (halt != Halt::No && answer.report.frontier && !is_cut_short(answer.report.frontier->ended_by)) {
      answer.report.frontier->ended_by = halt == Halt::TimeIsUp ? EndedBy::Time : EndedBy::Interrupt;
      describe_search(answer.report);
    }
    return answer;
  }

  Failure unmet(std::int64_t asked) {
    find_lowest();
    const MemoryReport& memory = lowest_->report.memory;
    std::string text = fmt::format(
        "found no choice whose peak of memory is as low as {} bytes: the lowest found is {} bytes ({}), in the {} at "
        "'{}'\n  the largest in use there:",
        asked, memory.peak_bytes, show_scaled(static_cast<double>(memory.peak_bytes), "B"),
        memory.peak_at.graph, memory.peak_at.node);
    for (std::size_t i = 0; i < std::min(memory.at_peak.size(), kMostNamed); ++i) {
      const MemoryHeld& held = memory.at_peak[i];
      text += fmt::format("\n    {:>9}  {} ({}) of the {}", show_bytes(held.size_bytes), held.made_at.node,
                          held.made_at.op, held.made_at.graph);
    }
    return Failure(ExitStatus::NoPartition, std::move(text),
                   fmt::format("allow {} bytes, or 'least' for whatever that comes to", memory.peak_bytes));
  }

  const JointGraph& joint_;
  Settings settings_;
  Settings within_;    // the same without the limit of the peak
  Settings at_first_;  // the same, to see what an amount comes to
  const PolicyStack& policies_;
  const HaltAsked& halt_;
  Effort effort_;
  std::optional<Wide> limit_;
  std::optional<Wide> bound_;
  std::shared_ptr<const Partition> last_, best_, lowest_;
  std::optional<MemoryLimit> best_saved_bytes_;
  std::size_t tried_ = 0;
  bool went_along_ = false, went_to_pytorch_ = false;
};

}  // namespace

Partition partition_within_peak(const JointGraph& joint, const Settings& settings, const PolicyStack& policies,
                                const HaltAsked& halt) {
  return PeakSearch(joint, settings, policies, halt).run();
}

Settings without_peak_limit(const JointGraph& joint, Settings settings, const PolicyStack& policies,
                            const HaltAsked& halt) {
  if (!settings.peak_bytes_limit) return settings;
  const Report report = partition_within_peak(joint, settings, policies, halt).report;
  settings.peak_bytes_limit.reset();
  settings.activation_memory_budget_solver = frontier_solver();
  if (report.frontier) settings.saved_bytes_limit = limit_of_bytes(report.frontier->limit_bytes);
  return settings;
}

}  // namespace fxcut
