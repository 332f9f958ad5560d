#include "soundness/find_repair.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "classify/purity.h"
#include "cost/size.h"
#include "finish/random_pairs.h"
#include "finish/rng_state.h"
#include "solve/flow_network.h"

namespace fxcut {
namespace {

// A call that the backward must not run, and the price of running it nevertheless; no price if that is impossible.
struct Forbidden {
  NodeId node;
  std::optional<Int128> price;
};

// The call that made the memory of a value: the value itself, or the base of the view.
NodeId maker_of(const Graph& joint, NodeId id) {
  while (joint[id].is_call() && (joint[id].callee->is(Operator::View) || joint[id].calls("operator.getitem"))) {
    id = joint[id].inputs.front();
  }
  return id;
}

class RepairFinder {
 public:
  RepairFinder(const JointGraph& joint, const Roles& roles, const ForwardBackward& sides, const Settings& settings)
      : joint_(joint), roles_(roles), sides_(sides), settings_(settings), can_save_states_(can_save_random_states(joint.graph)) {
    find_ends();
    find_stuck();
    find_resident();
  }

  Repair run(const std::vector<Unsound>& faults) const {
    std::vector<Forbidden> forbidden;
    for (const Unsound& one : faults) {
      if (const auto found = forbid(one)) forbidden.push_back(*found);
    }
    // If a node has several faults, the one without a price comes first: no price can replace it.
    std::ranges::sort(forbidden, {}, [](const Forbidden& one) { return std::pair(one.node, one.price); });
    const auto repeated = std::ranges::unique(forbidden, {}, &Forbidden::node);
    forbidden.erase(repeated.begin(), repeated.end());
    Repair repair = forbidden.empty() ? Repair{} : cut(forbidden);
    compute_late(faults, repair);
    keep_effects(faults, repair);
    std::ranges::sort(repair.saved);
    repair.saved.erase(std::ranges::unique(repair.saved).begin(), repair.saved.end());
    return repair;
  }

 private:
  // Whether the backward computes a value that the forward can also compute.
  bool is_recomputed(NodeId id) const {
    return joint_.graph[id].is_call() && sides_.backward.computes(id) && !roles_.tangents_closure[index_of(id)];
  }
  bool can_be_saved(NodeId id) const { return joint_.graph[id].has_tensor() || joint_.graph[id].has_symbol(); }

  // The values that the backward returns, and the inputs of calls that only it can run.
  void find_ends() {
    ends_.assign(joint_.graph.size(), false);
    for (const OutputLeaf& leaf : sides_.backward.outputs) {
      if (leaf.node) ends_[index_of(*leaf.node)] = true;
    }
    for (std::size_t i = 0; i < joint_.graph.size(); ++i) {
      if (!sides_.backward.computes(node_id(i)) || is_recomputed(node_id(i))) continue;
      sides_.backward.for_each_input(joint_.graph, node_id(i), [&](NodeId input) { ends_[index_of(input)] = true; });
    }
  }
  // Calls that run whatever is saved: no value on some path to the backward's own calls can be saved.
  void find_stuck() {
    stuck_.assign(joint_.graph.size(), false);
    std::vector<bool> has_stuck_user(joint_.graph.size(), false);
    for (std::size_t i = joint_.graph.size(); i-- > 0;) {
      if (!is_recomputed(node_id(i))) continue;
      stuck_[i] = !can_be_saved(node_id(i)) && (ends_[i] || has_stuck_user[i]);
      if (!stuck_[i]) continue;
      sides_.backward.for_each_input(joint_.graph, node_id(i), [&](NodeId input) { has_stuck_user[index_of(input)] = true; });
    }
  }

  std::optional<Forbidden> forbid(const Unsound& one) const {
    NodeId node = one.node;
    if (one.fault == Fault::WriteMissed) node = maker_of(joint_.graph, one.operand.value_or(one.node));
    else if (!is_of_one_call(one.fault)) return std::nullopt;
    if (!is_recomputed(node) || stuck_[index_of(node)]) return std::nullopt;
    const bool keeps_state = one.fault == Fault::DrawnAgain && can_save_states_ && has_state(joint_.graph[node]);
    return Forbidden{node, keeps_state ? std::optional<Int128>(RandomPair::kCpuStateBytes) : std::nullopt};
  }
  // Whether the fault disappears if that call does not run in the backward.
  static bool is_of_one_call(Fault fault) {
    return fault == Fault::Overwritten || fault == Fault::DrawnAgain || fault == Fault::EffectAgain;
  }
  static bool has_state(const Node& node) { return draws_numbers(node) && !draws_seeds(node); }

  // Whether only the forward runs it, before the backward writes to its operands.
  bool runs_too_early(const Unsound& one) const {
    return one.fault == Fault::WriteMissed && one.operand && one.write && must_be_in_backward(joint_.graph[*one.write]) &&
           sides_.forward.computes(one.node) && !sides_.backward.computes(one.node);
  }

  // Has the backward compute the saved values that depend on what runs too early, from saved inputs.
  void compute_late(const std::vector<Unsound>& faults, Repair& repair) const {
    std::vector<bool> depends(joint_.graph.size(), false), is_run(joint_.graph.size(), false);
    for (const Unsound& one : faults) depends[index_of(one.node)] = depends[index_of(one.node)] || runs_too_early(one);
    if (std::ranges::find(depends, true) == depends.end()) return;
    for (std::size_t i = 0; i < joint_.graph.size(); ++i) {
      if (!sides_.forward.computes(node_id(i))) continue;
      sides_.forward.for_each_input(joint_.graph, node_id(i),
                                    [&](NodeId input) { depends[i] = depends[i] || depends[index_of(input)]; });
    }
    for (const NodeId saved : sides_.crossing.values) {
      if (!depends[index_of(saved)]) continue;
      repair.late.push_back(saved);
      is_run[index_of(saved)] = true;
    }
    for (std::size_t i = joint_.graph.size(); i-- > 0;) {
      if (!is_run[i]) continue;
      sides_.forward.for_each_input(joint_.graph, node_id(i), [&](NodeId input) {
        if (depends[index_of(input)]) is_run[index_of(input)] = true;
        else if (can_be_saved(input)) repair.saved.push_back(input);
      });
    }
  }

  // Some lost effects of the backward lack an input there, others a user.
  void keep_effects(const std::vector<Unsound>& faults, Repair& repair) const {
    std::vector<NodeId> lacking;
    for (const Unsound& one : faults) {
      if (one.fault != Fault::EffectLost || !must_be_in_backward(joint_.graph[one.node])) continue;
      (sides_.backward.computes(one.node) ? repair.effects : lacking).push_back(one.node);
    }
    std::unordered_set<NodeId> seen(lacking.begin(), lacking.end());
    while (!lacking.empty()) {
      const NodeId id = lacking.back();
      lacking.pop_back();
      for (const NodeId input : joint_.graph[id].inputs) {
        if (sides_.backward.stays[index_of(input)] || !seen.insert(input).second) continue;
        const bool is_there = sides_.forward.stays[index_of(input)] && can_be_saved(input);
        (is_there ? repair.saved : lacking).push_back(input);
      }
    }
  }

  // Storages that are in memory until the backward in any case.
  void find_resident() {
    const auto add = [&](NodeId id) {
      if (const auto storage = joint_.graph[id].storage()) resident_.insert(*storage);
    };
    for (const OutputLeaf& leaf : sides_.forward.outputs) {
      if (leaf.node) add(*leaf.node);
    }
    for (const NodeId id : roles_.inputs) {
      if (joint_.graph[id].meta.static_lifetime) add(id);
    }
  }
  Int128 cost_of(NodeId id) const {
    const Node& node = joint_.graph[id];
    const auto storage = node.storage();
    const bool is_resident = storage && resident_.contains(*storage);
    return is_resident ? 0 : find_size(node, settings_).value_or(0);
  }

  static constexpr Vertex kSource = 0, kSink = 1;
  static Vertex in(NodeId id) { return static_cast<Vertex>(2 * index_of(id) + 2); }
  static Vertex out(NodeId id) { return in(id) + 1; }

  // For each node, whether it is forbidden, or recomputed from a forbidden one: no others have to be saved.
  std::vector<bool> affected_by(const std::vector<Forbidden>& forbidden) const {
    std::vector<bool> affected(joint_.graph.size(), false);
    for (const Forbidden& one : forbidden) affected[index_of(one.node)] = true;
    for (std::size_t i = 0; i < joint_.graph.size(); ++i) {
      if (!is_recomputed(node_id(i))) continue;
      sides_.backward.for_each_input(joint_.graph, node_id(i), [&](NodeId input) {
        affected[i] = affected[i] || (is_recomputed(input) && affected[index_of(input)]);
      });
    }
    return affected;
  }

  FlowNetwork network(const std::vector<Forbidden>& forbidden) const {
    FlowNetwork network{2 * joint_.graph.size() + 2, kSource, kSink, {}};
    for (const Forbidden& one : forbidden) {
      network.edges.emplace_back(kSource, in(one.node), one.price.value_or(0), !one.price);
    }
    const std::vector<bool> affected = affected_by(forbidden);
    for (std::size_t i = 0; i < joint_.graph.size(); ++i) {
      const NodeId id = node_id(i);
      if (!is_recomputed(id) || !affected[i]) continue;
      add_inputs(id, network);
      network.edges.emplace_back(in(id), out(id), cost_of(id), !can_be_saved(id));
      if (ends_[i]) network.edges.emplace_back(out(id), kSink, 0, true);
    }
    return network;
  }
  void add_inputs(NodeId id, FlowNetwork& network) const {
    std::set<NodeId> recomputed;
    sides_.backward.for_each_input(joint_.graph, id, [&](NodeId input) {
      if (is_recomputed(input)) recomputed.insert(input);
    });
    for (const NodeId input : recomputed) network.edges.emplace_back(out(input), in(id), 0, true);
  }

  Repair cut(const std::vector<Forbidden>& forbidden) const {
    const FlowNetwork whole = network(forbidden);
    const MinCut found = solve_min_cut(whole, CutSide::NearestBackward);
    Repair repair;
    for (const FlowEdge& edge : whole.edges) {
      if (found.on_sink_side[edge.from] || !found.on_sink_side[edge.to]) continue;
      const NodeId id = node_id((edge.to - 2) / 2);
      (edge.from == kSource ? repair.states : repair.saved).push_back(id);
    }
    return repair;
  }

  const JointGraph& joint_;
  const Roles& roles_;
  const ForwardBackward& sides_;
  const Settings& settings_;
  bool can_save_states_;
  std::vector<bool> ends_, stuck_;  // by node
  std::unordered_set<std::int64_t> resident_;
};

}  // namespace

Repair find_repair(const JointGraph& joint, const Roles& roles, const ForwardBackward& sides,
                   const std::vector<Unsound>& faults, const Settings& settings) {
  return RepairFinder(joint, roles, sides, settings).run(faults);
}

}  // namespace fxcut
