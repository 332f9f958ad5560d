#include "frontier/relaxation.h"

#include <numeric>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

constexpr Vertex kSource = 0, kSink = 1;
constexpr Vertex kAvailable = 0xffffffff;  // an item that is available at no cost

}  // namespace

Price price_between(Int128 smaller_bytes, Int128 smaller_cost, Int128 larger_bytes, Int128 larger_cost) {
  const Int128 run_cost = smaller_cost - larger_cost, bytes = larger_bytes - smaller_bytes;
  const Int128 divisor = std::gcd(run_cost, bytes);
  return {run_cost / divisor, bytes / divisor};
}

// Builds the network: the costs of each vertex on either side are summed up before they become edges.
class Relaxation::Builder {
 public:
  explicit Builder(Relaxation& relaxation)
      : r_(relaxation),
        problem_(relaxation.problem_),
        in_(problem_.items.size(), kSource),
        out_(problem_.items.size(), kAvailable), only_for_views_(problem_.items.size(), 0) {}

  void run() {
    r_.edges_.clear();
    r_.ends_.assign(problem_.items.size(), {kSource, kSource});
    r_.constant_run_ = 0;
    for (StorageIndex s = 0; s < problem_.storages.size(); ++s) {
      if (r_.state_.fixings[s] == Fixing::Kept) r_.constant_run_ += problem_.storages[s].keep_cost;
    }
    forward_.assign(problem_.items.size(), kAvailable);
    source_.resize(2);
    sink_.resize(2);
    find_steps_to_views();
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) place(i);
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) add_costs(i);
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) add_inputs(i);
    add_terminal_edges();
    r_.vertices_ = source_.size();
    r_.bytes_of_.assign(r_.vertices_, 0);
    for (const Edge& edge : r_.edges_) {
      if (edge.bytes == 0) continue;
      r_.bytes_of_[edge.from] -= static_cast<std::int64_t>(edge.bytes);
      r_.bytes_of_[edge.to] += static_cast<std::int64_t>(edge.bytes);
    }
  }

 private:
  // The cost of a vertex on the sink's side.
  struct SinkSide {
    Int128 run = 0;
    bool infinite = false;
  };

  Fixing fixing(const Item& item) const {
    return item.storage == kNoStorage ? Fixing::Dropped : r_.state_.fixings[item.storage];
  }
  bool is_available(const Item& item) const { return item.savable && fixing(item) == Fixing::Kept; }
  bool is_open_root(const Item& item) const { return item.savable && !item.is_view && fixing(item) == Fixing::Open; }
  bool is_open_view(const Item& item) const { return item.is_view && fixing(item) == Fixing::Open; }
  bool is_forced(ItemIndex i) const { return r_.state_.forced[i] != 0; }

  Vertex add_vertex() {
    source_.emplace_back();
    sink_.emplace_back();
    return static_cast<Vertex>(source_.size() - 1);
  }

  // Unsavable steps (tuples) between a root and its views are recomputed only with the views.
  void find_steps_to_views() {
    for (ItemIndex i = static_cast<ItemIndex>(problem_.items.size()); i-- > 0;) {
      const Item& item = problem_.items[i];
      if (!is_open_view(item) || !(item.savable || only_for_views_[i] != 0)) continue;
      for (const ItemIndex input : problem_.inputs_of(i)) {
        const Item& step = problem_.items[input];
        if (step.storage == item.storage && !step.savable) only_for_views_[input] = 1;
      }
    }
  }

  void place(ItemIndex i) {
    const Item& item = problem_.items[i];
    if (is_available(item)) return;
    const bool never = item.never != Ban::None;
    if (is_open_root(item)) {
      in_[i] = never ? kSource : add_vertex();
      out_[i] = is_forced(i) ? kSink : add_vertex();
    } else {
      if (never && is_forced(i)) throw InternalError("a needed value can neither be kept nor recomputed");
      in_[i] = out_[i] = never ? kSource : is_forced(i) ? kSink : add_vertex();
    }
    if (!item.in_forward && !never && !is_open_view(item)) forward_[i] = add_vertex();
  }

  void charge(Vertex recomputed, Int128 cost) {
    if (recomputed == kSink) {
      r_.constant_run_ += cost;
    } else if (recomputed != kSource) {
      source_[recomputed].run += cost;
    }
  }

  void add_costs(ItemIndex i) {
    const Item& item = problem_.items[i];
    if (is_available(item)) return;
    if (is_open_root(item)) {
      const KeepableStorage& storage = problem_.storages[item.storage];
      r_.edges_.push_back({in_[i], out_[i], storage.keep_cost / storage.roots, storage.bytes / storage.roots, false});
      r_.ends_[i] = {in_[i], out_[i]};
    }
    if (is_open_view(item) && (item.savable || only_for_views_[i] != 0)) charge_view(i);
    else charge(in_[i], item.run_cost);
    if (forward_[i] == kAvailable) return;
    // It runs on at least one side.
    r_.constant_run_ -= item.run_cost;
    sink_[forward_[i]] += item.run_cost;
    if (in_[i] != kSink) r_.edges_.push_back({in_[i], forward_[i], 0, 0, true});
  }
  void charge_view(ItemIndex i) {
    const Item& item = problem_.items[i];
    const ItemIndex root = r_.root_of_[item.storage];
    if (r_.charged_[i] == 0 || problem_.storages[item.storage].roots != 1 || !item.in_forward) return;
    if (problem_.items[root].never != Ban::None) return;
    charge(in_[i], item.run_cost);
    charge(in_[root], item.run_cost);
    r_.constant_run_ -= item.run_cost;
    if (out_[root] != kSink) sink_[out_[root]] += item.run_cost;
  }

  void add_inputs(ItemIndex i) {
    if (in_[i] == kSource) return;
    for (const ItemIndex input : problem_.inputs_of(i)) {
      if (forward_[i] != kAvailable && forward_[input] != kAvailable) {
        r_.edges_.push_back({forward_[i], forward_[input], 0, 0, true});
      }
      const Vertex source = out_[input];
      if (source == kAvailable || source == kSink) continue;
      if (source == kSource) {
        source_[in_[i]].infinite = true;
      } else {
        r_.edges_.push_back({source, in_[i], 0, 0, true});
      }
    }
  }

  void add_terminal_edges() {
    for (Vertex v = 2; v < source_.size(); ++v) {
      const auto& [run, infinite] = source_[v];
      if (infinite || run > 0) r_.edges_.push_back({kSource, v, run, 0, infinite});
      if (sink_[v] > 0) r_.edges_.push_back({v, kSink, sink_[v], 0, false});
    }
  }

  Relaxation& r_;
  const RecomputeProblem& problem_;
  std::vector<Vertex> in_, out_, forward_;  // by item
  std::vector<char> only_for_views_;
  std::vector<SinkSide> source_;  // by vertex
  std::vector<Int128> sink_;      // by vertex: its cost on the source's side
};

Relaxation::Relaxation(const RecomputeProblem& problem, FixedState state, std::vector<char> charged)
    : problem_(problem),
      state_(std::move(state)), charged_(std::move(charged)), root_of_(problem.storages.size(), kNoItem) {
  charged_.resize(problem.items.size(), 0);
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    const Item& item = problem.items[i];
    if (item.savable && !item.is_view && item.storage != kFreeStorage) root_of_[item.storage] = i;
    if (item.is_view && state_.forced[i] != 0) charged_[i] = 1;
  }
  build();
}

void Relaxation::build() { Builder(*this).run(); }

FlowNetwork Relaxation::network(const Price& price) const {
  FlowNetwork network{vertices_, kSource, kSink, {}};
  network.edges.reserve(edges_.size());
  for (const Edge& edge : edges_) {
    network.edges.push_back({edge.from, edge.to, edge.infinite ? 0 : price.of(edge.run, edge.bytes), edge.infinite});
  }
  return network;
}

KeptStorages Relaxation::kept_by(const std::vector<bool>& on_sink_side) const {
  KeptStorages kept(problem_.storages.size(), false);
  for (std::size_t s = 0; s < kept.size(); ++s) kept[s] = state_.fixings[s] == Fixing::Kept;
  for (ItemIndex i = 0; i < ends_.size(); ++i) {
    const auto [in, out] = ends_[i];
    if (in != out && !on_sink_side[in] && on_sink_side[out]) kept[problem_.items[i].storage] = true;
  }
  return kept;
}

Relaxation::Cut Relaxation::cut(const Price& price) const {
  const MinCut cut = solve_min_cut(network(price), CutSide::NearestBackward);
  return {cut.value + constant(price), kept_by(cut.on_sink_side)};
}

bool Relaxation::adapt(const Evaluation& evaluation) {
  bool changed = false;
  for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
    const Item& item = problem_.items[i];
    if (!item.is_view || state_.forced[i] != 0 || state_.fixings[item.storage] != Fixing::Open) continue;
    const char charge = evaluation.is_recomputed(i) && !evaluation.used()[item.storage] ? 1 : 0;
    changed = changed || charge != charged_[i];
    charged_[i] = charge;
  }
  if (changed) build();
  return changed;
}

}  // namespace fxcut
