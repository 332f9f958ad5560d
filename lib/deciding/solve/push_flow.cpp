#include "solve/push_flow.h"

#include <algorithm>

namespace fxcut {
namespace {

using Height = std::uint32_t;

constexpr Vertex kNoVertex = 0xffffffff;

class Pushing {
 public:
  Pushing(const FlowNetwork& network, Residual& residual)
      : network_(network),
        residual_(residual),
        unreached_(static_cast<Height>(network.vertices)),
        excess_(network.vertices, 0),
        height_(network.vertices),
        edge_(network.vertices),
        next_(network.vertices),
        waiting_(network.vertices, kNoVertex) {}

  Int128 run() {
    residual_.left = residual_.capacity;
    fill_source_edges();
    push_towards(network_.sink);
    push_towards(network_.source);
    return excess_[network_.sink];
  }

 private:
  void fill_source_edges() {
    for (std::uint32_t e = residual_.begin[network_.source]; e < residual_.begin[network_.source + 1]; ++e)
      push(network_.source, e);
  }

  bool is_terminal(Vertex v) const { return v == network_.source || v == network_.sink; }

  // Until nothing is left that can reach the target.
  void push_towards(Vertex target) {
    measure_heights(target);
    while (highest_ > 0) {
      const Vertex v = waiting_[highest_];
      if (v == kNoVertex) {
        --highest_;
        continue;
      }
      waiting_[highest_] = next_[v];
      discharge(v);
      if (raising_ > residual_.to.size() + network_.vertices) measure_heights(target);
    }
  }

  // A search from the target, backwards. The other terminal takes nothing back.
  void measure_heights(Vertex target) {
    std::ranges::fill(height_, unreached_);
    std::ranges::fill(waiting_, kNoVertex);
    std::copy(residual_.begin.begin(), residual_.begin.end() - 1, edge_.begin());
    highest_ = 0;
    raising_ = 0;
    height_[target] = 0;
    std::vector<Vertex> reached = {target};
    for (std::size_t r = 0; r < reached.size(); ++r) {
      const Vertex at = reached[r];
      if (at != target) wait(at);
      for (std::uint32_t e = residual_.begin[at]; e < residual_.begin[at + 1]; ++e) {
        const Vertex from = residual_.to[e];
        if (height_[from] != unreached_ || is_terminal(from) || residual_.left[residual_.reverse[e]] == 0) continue;
        height_[from] = height_[at] + 1;
        reached.push_back(from);
      }
    }
  }

  void wait(Vertex v) {
    if (excess_[v] == 0 || height_[v] >= unreached_) return;
    next_[v] = waiting_[height_[v]];
    waiting_[height_[v]] = v;
    highest_ = std::max(highest_, height_[v]);
  }

  void push(Vertex from, std::uint32_t e) {
    const Int128 flow = from == network_.source ? residual_.left[e] : std::min(excess_[from], residual_.left[e]);
    residual_.left[e] -= flow;
    residual_.left[residual_.reverse[e]] += flow;
    excess_[from] -= flow;
    excess_[residual_.to[e]] += flow;
  }

  // Hands on all that has arrived; higher than all others, it is not given anything meanwhile.
  void discharge(Vertex v) {
    while (excess_[v] > 0 && height_[v] < unreached_) {
      for (; edge_[v] < residual_.begin[v + 1] && excess_[v] > 0; ++edge_[v]) {
        const std::uint32_t e = edge_[v];
        const Vertex to = residual_.to[e];
        if (residual_.left[e] == 0 || height_[to] + 1 != height_[v]) continue;
        const bool is_new = excess_[to] == 0 && !is_terminal(to);
        push(v, e);
        if (is_new) wait(to);
        if (excess_[v] == 0) return;
      }
      raise(v);
    }
  }

  void raise(Vertex v) {
    Height least = unreached_;
    for (std::uint32_t e = residual_.begin[v]; e < residual_.begin[v + 1]; ++e) {
      if (residual_.left[e] > 0) least = std::min(least, height_[residual_.to[e]]);
    }
    raising_ += residual_.begin[v + 1] - residual_.begin[v];
    height_[v] = std::min(unreached_, least + 1);
    edge_[v] = residual_.begin[v];
  }

  const FlowNetwork& network_;
  Residual& residual_;
  const Height unreached_;
  std::vector<Int128> excess_;        // by vertex: what has arrived and not been handed on
  std::vector<Height> height_;        // by vertex
  std::vector<std::uint32_t> edge_;   // by vertex: those before it cannot be pushed along
  std::vector<Vertex> next_;          // by vertex: the next that waits at the same height
  std::vector<Vertex> waiting_;       // by height: the first of those that have something to hand on
  Height highest_ = 0;                // at which one waits
  std::size_t raising_ = 0;           // edges looked at to raise vertices since heights were measured
};

}  // namespace

Int128 push_max_flow(const FlowNetwork& network, Residual& residual) { return Pushing(network, residual).run(); }

}  // namespace fxcut
