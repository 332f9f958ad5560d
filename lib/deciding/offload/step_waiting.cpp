#include "offload/step_waiting.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classify/host_copies.h"
#include "cost/estimators.h"
#include "offload/copy_durations.h"

namespace fxcut {
namespace {

using RunTimes = std::unordered_map<std::string_view, double>;  // by name

RunTimes run_times_in(const Graph& joint, const Settings& settings, Release release) {
  const auto runtime_of = estimator_of_frontier(settings).runtime(joint, settings, release);
  RunTimes times;
  for (std::size_t i = 0; i < joint.size(); ++i) times.emplace(joint.nodes[i].name, runtime_of(node_id(i)).value_or(0));
  return times;
}

class CopyClock {
 public:
  CopyClock(const Graph& graph, const RunTimes& times, const Settings& settings)
      : graph_(graph), times_(times), settings_(settings), ends_(graph.size(), 0) {}

  double waiting() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (!node.is_call()) continue;
      if (is_host_copy(node)) {
        copy(i);
      } else if (node.calls(kWaitTensor)) {
        const auto started = node_argument(node, 0);
        if (started) wait_until(ends_[index_of(*started)]);
      } else {
        const auto time = times_.find(node.name);
        if (time != times_.end()) now_ += time->second;
      }
    }
    if (is_sent_by_compiler_) wait_until(free_at_);
    return waiting_;
  }

 private:
  void wait_until(double end) {
    waiting_ += std::max(0.0, end - now_);
    now_ = std::max(now_, end);
  }

  void copy(std::size_t i) {
    const Node& node = graph_.nodes[i];
    const double duration = copy_ms(graph_, node, settings_);
    if (node.calls(kPlaceToDevice)) {
      wait_until(free_at_ += duration);  // the channel runs from the start
      return;
    }
    free_at_ = std::max(free_at_, now_) + duration;
    if (node.calls(kPlaceToHost)) {
      is_sent_by_compiler_ = true;
    } else if (node.calls(kOffload) || node.calls(kReload)) {
      ends_[i] = free_at_;
    } else {
      wait_until(free_at_);
    }
  }

  const Graph& graph_;
  const RunTimes& times_;
  const Settings& settings_;
  std::vector<double> ends_;  // by node that starts a copy
  double now_ = 0, free_at_ = 0, waiting_ = 0;
  bool is_sent_by_compiler_ = false;
};

}  // namespace

double waiting_for_copies_ms(const GraphPair& graphs, const Graph& joint, const Settings& settings, Release release) {
  const RunTimes times = run_times_in(joint, settings, release);
  return CopyClock(graphs.forward, times, settings).waiting() + CopyClock(graphs.backward, times, settings).waiting();
}

}  // namespace fxcut
