#include "offload/step_waiting.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "classify/host_copies.h"
#include "cost/estimators.h"
#include "offload/copy_durations.h"

namespace fxcut {
namespace {

class CopyClock {
 public:
  CopyClock(const Graph& graph, const Settings& settings, Release release)
      : graph_(graph), settings_(settings), release_(release), ends_(graph.size(), 0) {}

  double waiting() {
    const auto runtime_of = estimator_of_frontier(settings_).runtime(graph_, settings_, release_);
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (!node.is_call()) continue;
      if (is_host_copy(node)) {
        copy(i);
      } else if (node.calls(kWaitTensor)) {
        const auto started = node_argument(node, 0);
        if (started) wait_until(ends_[index_of(*started)]);
      } else {
        now_ += runtime_of(node_id(i)).value_or(0);
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
      wait_until(free_at_ += duration);  // the channel runs from the begin on
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
  const Settings& settings_;
  Release release_;
  std::vector<double> ends_;  // by node that starts a copy
  double now_ = 0, free_at_ = 0, waiting_ = 0;
  bool is_sent_by_compiler_ = false;
};

}  // namespace

double waiting_for_copies_ms(const GraphPair& graphs, const Settings& settings, Release release) {
  return CopyClock(graphs.forward, settings, release).waiting() + CopyClock(graphs.backward, settings, release).waiting();
}

}  // namespace fxcut
