// The bans follow should_ban_recomputation and the two heuristics after it in PyTorch's solve_min_cut. PyTorch searches
// the graph again for each node in three of them; here each is one pass:
//
//   materialized in the backward   true of a value if a user outside the forward does not fuse with it, or if it is
//                                  true of some view of it. One pass from the last node to the first.
//   used far apart                 PyTorch searches, from the users of a node, along fusible edges up to its last user,
//                                  for the first node that does not fuse with its input. Positions only grow along an
//                                  edge, so the bound cuts off no path to a node within it, and the search is the
//                                  minimum over the users of a number of each node (first_unfusible).
//   long fusible chains            visits each node once in PyTorch, too; it has the same order, which matters.
#include "cost/bans.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>

#include "cost/fusibility.h"
#include "cost/size.h"

namespace fxcut {

namespace {

struct BanText {
  Ban ban;
  std::string_view name, phrase;
};

constexpr BanText kBanTexts[] = {
    {Ban::None, "none", ""},
    {Ban::PrimalInput, "primal_input", "an input of the step"},
    {Ban::ForwardSeed, "forward_seed", "a seed or offset of the forward's random numbers"},
    {Ban::MustSave, "must_save", "marked MUST_SAVE"},
    {Ban::NotInAllowlist, "not_in_allowlist", "its operator is not on the list of cheap ones"},
    {Ban::RandomOperator, "random_operator", "a random operator"},
    {Ban::ComputeIntensive, "compute_intensive", "a compute-intensive operator"},
    {Ban::NonBuiltin, "non_builtin", "a custom operator"},
    {Ban::MaterializedInBackward, "materialized_in_backward", "the backward stores it in memory in any case"},
    {Ban::TooFarFromBackward, "too_far_from_backward", "farther from the backward than max_dist_from_bw"},
    {Ban::Reduction, "reduction", "a reduction, over 4 times smaller than its inputs"},
    {Ban::UsedFarApart, "used_far_apart", "fuses with a value that is also used before an unfusible operator"},
    {Ban::LongFusibleChain, "long_fusible_chain", "ends a chain of over 100 fusible operators"},
    {Ban::SideEffect, "side_effect", "an operator with a side effect"},
    {Ban::Collective, "collective", "a collective"},
    {Ban::Overwritten, "overwritten", "what it reads, or makes, is written to later"},
};
static_assert(std::ranges::is_sorted(kBanTexts, {}, &BanText::ban), "in the order of the enum");

}  // namespace

std::string_view name_of(Ban ban) { return kBanTexts[static_cast<std::size_t>(ban)].name; }
std::string_view phrase_for(Ban ban) { return kBanTexts[static_cast<std::size_t>(ban)].phrase; }

BanOptions ban_options(const Settings& settings) {
  const bool on = !settings.aggressive_recomputation;
  return {.used_far_apart = on && settings.ban_recompute_used_far_apart,
          .long_fusible_chains = on && settings.ban_recompute_long_fusible_chains,
          .materialized_in_backward = on && settings.ban_recompute_materialized_backward,
          .not_in_allowlist = on && settings.ban_recompute_not_in_allowlist,
          .reduction = settings.ban_recompute_reductions};
}

bool is_non_builtin_to_include(const Analysis& analysis, const Node& node) {
  if (!analysis.settings.is_non_builtin_to_include || !node.is_call()) return false;
  const Operator& op = *node.callee;
  return (op.is_overload() && !op.builtin) || op.target == "higher_order.triton_kernel_wrapper_functional";
}

namespace {

bool is_view(const Node& node) { return node.is_call() && node.callee->is(Operator::View); }

std::vector<bool> materialized_in_backward(const Analysis& a, const Fusibility& is_fusible) {
  const Graph& graph = a.graph();
  std::vector<bool> materialized(graph.size(), false);  // of a view: whether its base is materialized
  for (std::size_t i = graph.size(); i-- > 0;) {
    for (const NodeId user : a.users.of(i)) {
      const bool by_backward = !a.roles.is_required_forward(user) && !is_fusible(node_id(i), user);
      if (by_backward || (is_view(graph[user]) && materialized[index_of(user)])) {
        materialized[i] = true;
        break;
      }
    }
  }
  return materialized;
}

// The bans while they are computed.
class Banning {
 public:
  Banning(const Analysis& analysis, const BanOptions& options, const std::vector<bool>& allowed)
      : a_(analysis), options_(options), allowed_(allowed), is_fusible_(analysis.graph(), analysis.joint.torch.release) {
    bans_.of.resize(a_.graph().size(), Ban::None);
    if (options_.materialized_in_backward) materialized_ = materialized_in_backward(a_, is_fusible_);
  }

  Bans run() {
    for (std::size_t i = 0; i < a_.graph().size(); ++i) ban_by_itself(node_id(i));
    if (options_.used_far_apart) ban_used_far_apart();
    if (options_.long_fusible_chains) ban_long_fusible_chains();
    return std::move(bans_);
  }

 private:
  void ban_by_itself(NodeId id);
  Ban reason_to_ban(NodeId id) const;
  Ban costly_operator(const Node& node) const;
  bool is_reduction(const Node& node) const;
  void ban_used_far_apart();
  void ban_long_fusible_chains();
  void ban(NodeId id, Ban reason);
  bool is_banned(NodeId id) const { return bans_.of[index_of(id)] != Ban::None; }

  const Analysis& a_;
  const BanOptions& options_;
  const std::vector<bool>& allowed_;
  const Fusibility is_fusible_;
  std::vector<bool> materialized_;
  Bans bans_;
};

void Banning::ban(NodeId id, Ban reason) {
  const Node& node = a_.node(id);
  if ((is_view(node) && !node.meta.kept_part) || node.must_recompute() || is_banned(id)) return;
  if (node.value && node.value->kind == Value::Kind::SymFloat) return;
  if (!allowed_.empty() && allowed_[index_of(id)]) {
    const bool is_collective = node.is_call() && node.callee->is_collective();
    if (!is_collective || a_.settings.unsafe_allow_optimization_of_collectives) return;
  }
  bans_.of[index_of(id)] = reason;
  bans_.banned.push_back(id);
}

void Banning::ban_by_itself(NodeId id) {
  const Node& node = a_.node(id);
  // Values that only the backward computes, and those tagged to be recomputed, are already decided.
  if (node.is_output() || a_.roles.tangents_closure[index_of(id)] || node.must_recompute()) return;
  if (is_primal(node)) {
    ban(id, Ban::PrimalInput);
  } else if (is_forward_seed(node)) {
    ban(id, Ban::ForwardSeed);
  }
  const Ban reason = reason_to_ban(id);
  if (a_.roles.is_required_forward(id) && reason != Ban::None) ban(id, reason);
}

// PyTorch's should_ban_recomputation.
Ban Banning::reason_to_ban(NodeId id) const {
  const Node& node = a_.node(id);
  if (node.meta.kept_part) return Ban::MustSave;
  if (!node.is_call() || node.calls("operator.getitem")) return Ban::None;
  const bool is_lifted = node.calls("aten.lift_fresh_copy.default") || node.calls("aten.lift_fresh.default");
  if (is_lifted && !a_.joint.torch.release.has(Change::ViewsMayBeRecomputed)) return Ban::None;
  if (node.meta.recompute == CheckpointPolicy::MustSave) return Ban::MustSave;
  if (a_.settings.recompute_views && is_view(node)) return Ban::None;
  if (is_lifted) return Ban::None;
  if (node.has_device() && a_.joint.torch.release.has(Change::DevicesAreFree)) return Ban::None;
  if (const Ban costly = costly_operator(node); costly != Ban::None) return costly;
  if (options_.materialized_in_backward && !is_view(node) && materialized_[index_of(id)]) {
    return Ban::MaterializedInBackward;
  }
  constexpr std::int64_t kReachesBackward = 1000;  // PyTorch's: farther nodes do not reach the backward
  const std::int64_t distance = a_.distance[index_of(id)];
  if (distance < kReachesBackward && distance > a_.settings.max_dist_from_bw) return Ban::TooFarFromBackward;
  return options_.reduction && is_reduction(node) ? Ban::Reduction : Ban::None;
}

Ban Banning::costly_operator(const Node& node) const {
  const Operator& op = *node.callee;
  if (options_.not_in_allowlist) return op.is(Operator::Recomputable) ? Ban::None : Ban::NotInAllowlist;
  if (op.is(Operator::Random)) return Ban::RandomOperator;
  if (op.is(Operator::ComputeIntensive)) return Ban::ComputeIntensive;
  return is_non_builtin_to_include(a_, node) ? Ban::NonBuiltin : Ban::None;
}

bool Banning::is_reduction(const Node& node) const {
  constexpr Int128 kTimesSmaller = 4;  // PyTorch's arbitrary choice
  const auto bytes = [&](const Node& sized) { return size_of(sized, a_.settings, a_.joint.torch.release); };
  Int128 input_bytes = 0;
  for (const Argument& argument : node.arguments->positional) {
    if (argument.kind == Argument::Kind::Node) input_bytes += bytes(a_.node(node.inputs[argument.index]));
  }
  return bytes(node) * kTimesSmaller < input_bytes;
}

void Banning::ban_used_far_apart() {
  const Graph& graph = a_.graph();
  const Roles& roles = a_.roles;
  constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
  // For each node: the position of the first forward node that uses it, or a value that it fuses into, without fusing.
  std::vector<std::uint32_t> first_unfusible(graph.size(), kNever);
  const auto for_each_forward_user = [&](std::size_t i, const auto& visit) {
    for (const NodeId user : a_.users.of(i)) {
      if (roles.is_required_forward(user)) visit(user, roles.forward_order[index_of(user)]);
    }
  };
  for (std::size_t i = graph.size(); i-- > 0;) {
    for_each_forward_user(i, [&](NodeId user, std::uint32_t order) {
      const std::uint32_t next = is_fusible_(node_id(i), user) ? first_unfusible[index_of(user)] : order;
      first_unfusible[i] = std::min(first_unfusible[i], next);
    });
  }
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!roles.required_forward[i]) continue;
    std::uint32_t last_use = 0, border = kNever;
    for_each_forward_user(i, [&](NodeId user, std::uint32_t order) {
      last_use = std::max(last_use, order);
      border = std::min(border, first_unfusible[index_of(user)]);
    });
    border = std::min(border, last_use);
    for_each_forward_user(i, [&](NodeId user, std::uint32_t order) {
      if (order > border && is_fusible_(node_id(i), user)) ban(user, Ban::UsedFarApart);
    });
  }
}

void Banning::ban_long_fusible_chains() {
  constexpr std::uint32_t kLongChain = 100;  // nodes; PyTorch's arbitrary choice
  const std::vector<std::uint32_t>& order = a_.roles.forward_order;
  std::vector<bool> visited(a_.graph().size(), false);
  for (std::size_t start = 0; start < a_.graph().size(); ++start) {
    if (!a_.roles.required_forward[start]) continue;
    // In the order of the forward, which is that of ids.
    std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> fusible;
    fusible.push(node_id(start));
    while (!fusible.empty()) {
      const NodeId current = fusible.top();
      fusible.pop();
      if (visited[index_of(current)]) continue;
      visited[index_of(current)] = true;
      if (order[index_of(current)] > order[start] + kLongChain && fusible.empty()) {
        ban(current, Ban::LongFusibleChain);
        break;
      }
      for (const NodeId user : a_.users.of(current)) {
        if (a_.roles.is_required_forward(user) && is_fusible_(current, user) && !is_banned(user)) {
          fusible.push(user);
        }
      }
    }
  }
}

}  // namespace

Bans ban_recomputation(const Analysis& analysis, const BanOptions& options, const std::vector<bool>& allowed) {
  return Banning(analysis, options, allowed).run();
}

}  // namespace fxcut
