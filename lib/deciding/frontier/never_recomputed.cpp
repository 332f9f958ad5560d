#include "frontier/never_recomputed.h"

#include <algorithm>

#include "classify/purity.h"
#include "cost/flops.h"
#include "finish/rng_state.h"
#include "soundness/find_unsound.h"

namespace fxcut {
namespace {

// Whether the call runs a random operator, other than under a state that it is given.
bool runs_random_operator(const Node& node) {
  const auto is_random_operator = [](const Argument& argument) { return argument.callee && argument.callee->seeded_random; };
  return !node.callee->is_overload() && !node.calls("higher_order.run_with_rng_state") &&
         std::ranges::any_of(node.arguments->positional, is_random_operator);
}

// Whether running the subgraph twice would draw other random numbers or have an effect twice.
bool is_unrepeatable(const Subgraph& subgraph) {
  const auto is_unrepeatable_call = [](const Node& node) {
    return node.is_call() && (is_random(node) || runs_random_operator(node) || is_impure(node));
  };
  return std::ranges::any_of(subgraph.graph.nodes, is_unrepeatable_call) ||
         std::ranges::any_of(subgraph.subgraphs, [](const auto& inner) { return is_unrepeatable(inner.subgraph); });
}

class BanFinder {
 public:
  explicit BanFinder(const Analysis& analysis)
      : a_(analysis),
        can_save_states_(can_save_random_states(analysis.graph())), unsound_(unsound_to_recompute(analysis.joint)) {
    for (const auto& [name, subgraph] : a_.joint.subgraphs) {
      if (is_unrepeatable(subgraph)) unrepeatable_.emplace_back(name);
    }
  }

  Ban of(NodeId id) const {
    const Node& node = a_.node(id);
    if (is_forward_seed(node)) return Ban::ForwardSeed;
    if (node.is_placeholder()) return is_backward_seed(node) || is_backward_state(node) ? Ban::None : Ban::PrimalInput;
    if (!node.is_call()) return Ban::None;
    if (must_be_in_forward(node)) return Ban::SideEffect;
    if (draws_seeds(node)) return Ban::RandomOperator;
    if (node.must_recompute()) return is_overwritten(call_of(id)) ? Ban::Overwritten : Ban::None;
    if (is_impure(node) || runs_unrepeatable(node)) return Ban::SideEffect;
    if (node.callee->is_collective() && !a_.settings.unsafe_allow_optimization_of_collectives) return Ban::Collective;
    if (node.meta.kept_part || (is_tagged_by_user(node) && a_.roles.is_required_forward(id))) return Ban::MustSave;
    if (is_overwritten(id)) return Ban::Overwritten;
    if (draws_numbers(node) && !keeps_state(id)) return Ban::RandomOperator;
    const bool is_product = has_flop_formula(*node.callee, a_.joint.torch.release);
    return a_.settings.ban_recompute_products && is_product ? Ban::ComputeIntensive : Ban::None;
  }

 private:
  // PyTorch also tags the border of a region, to recompute it in one piece, and does not heed the tags of parts.
  static bool is_tagged_by_user(const Node& node) {
    const bool is_part = node.callee->is(Operator::View) || node.calls("operator.getitem");
    return node.meta.recompute == CheckpointPolicy::MustSave && !node.meta.saved_at_border && !is_part;
  }
  // The call whose result it is an item of, or the node itself: the call's tag is on the items, which are saved in its place.
  NodeId call_of(NodeId id) const {
    while (a_.node(id).calls("operator.getitem")) id = a_.node(id).inputs.front();
    return id;
  }
  bool is_overwritten(NodeId id) const { return unsound_[index_of(id)] || writes_over_carried(a_.joint, a_.node(id)); }
  bool keeps_state(NodeId id) const { return can_save_states_ && a_.roles.is_required_forward(id); }
  bool runs_unrepeatable(const Node& node) const {
    if (node.calls("higher_order.with_effects")) return true;
    return std::any_of(node.inputs.begin(), node.inputs.end(), [&](NodeId input) {
      const Node& given = a_.node(input);
      return given.opcode == Opcode::GetAttr && std::ranges::find(unrepeatable_, given.target) != unrepeatable_.end();
    });
  }

  const Analysis& a_;
  bool can_save_states_;
  std::vector<bool> unsound_;              // by node
  std::vector<std::string> unrepeatable_;  // names of subgraphs
};

}  // namespace

bool writes_over_carried(const JointGraph& joint, const Node& call) {
  return joint.compiler == kInductor && call.calls("higher_order.while_loop");
}

std::vector<Ban> never_recomputed(const Analysis& analysis) {
  const BanFinder finder(analysis);
  std::vector<Ban> bans(analysis.graph().size(), Ban::None);
  for (std::size_t i = 0; i < bans.size(); ++i) {
    if (!analysis.roles.tangents_closure[i] && !analysis.graph().nodes[i].is_output()) bans[i] = finder.of(node_id(i));
  }
  return bans;
}

}  // namespace fxcut
