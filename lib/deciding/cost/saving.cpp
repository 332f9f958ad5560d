#include "cost/saving.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cost/fusibility.h"
#include "cost/size.h"

namespace fxcut {

std::string_view phrase_for(Unsavable why) {
  switch (why) {
    case Unsavable::No: return "";
    case Unsavable::NonTensor: return "its value is not a tensor";
    case Unsavable::View: return "it is a view and recompute_views is set";
    case Unsavable::Replayed: return "it is written to after the forward, where its mutation is replayed";
  }
  return "";
}

namespace {

constexpr int kFarthestWeighted = 100;  // PyTorch's min(dist_from_bw, 100)

// 1.1 to the power of each distance, as Python computes it.
std::array<double, kFarthestWeighted + 1> make_distance_weights() {
  std::array<double, kFarthestWeighted + 1> weights{};
  for (int d = 0; d <= kFarthestWeighted; ++d) weights[static_cast<std::size_t>(d)] = std::pow(1.1, d);
  return weights;
}

bool is_materialized(const Analysis& a, const Fusibility& is_fusible, NodeId id) {
  if (a.node(id).is_placeholder()) return true;
  const auto users = a.users.of(id);
  return !std::all_of(users.begin(), users.end(), [&](NodeId user) { return is_fusible(id, user); });
}

SavingCost tensor_cost(const Analysis& a, const Fusibility& is_fusible, NodeId id) {
  static const auto weights = make_distance_weights();
  const Node& node = a.node(id);
  SavingCost saving;
  if (node.meta.replayed_mutation && a.joint.torch.release.has(Change::ReplayedMutationsAreNotSaved)) {
    saving.unsavable = Unsavable::Replayed;
    return saving;
  }
  saving.size_bytes = size_of(node, a.settings, a.joint.torch.release);
  if (a.settings.treat_parameters_as_free_to_save && node.meta.static_lifetime) return saving;
  const bool is_view = node.is_call() && node.callee->is(Operator::View);
  if (a.settings.recompute_views && is_view && !node.meta.kept_part) {
    saving.unsavable = Unsavable::View;
    return saving;
  }
  saving.distance = static_cast<int>(std::clamp<std::int64_t>(a.distance[index_of(id)], 1, kFarthestWeighted));
  const double weight = weights[static_cast<std::size_t>(saving.distance)];
  saving.cost = static_cast<Int128>(static_cast<double>(saving.size_bytes) * weight);
  saving.materialized = is_materialized(a, is_fusible, id);
  if (!saving.materialized) saving.cost *= 2;
  return saving;
}

SavingCost saving_cost(const Analysis& a, const Fusibility& is_fusible, NodeId id) {
  const Node& node = a.node(id);
  if (node.has_symbol()) {
    const bool is_float = node.value->kind == Value::Kind::SymFloat;
    return {.unsavable = Unsavable::No, .cost = is_float ? 4 : 1, .size_bytes = 1, .materialized = true};
  }
  if (node.has_tensor() || (!node.value && node.tensor_meta)) return tensor_cost(a, is_fusible, id);
  const Release release = a.joint.torch.release;
  const bool is_free_object = release.has(Change::OpaqueValuesAreSaved)
                                  ? is_opaque(node)
                                  : is_script_object(node) && release.has(Change::ScriptObjectsAreSaved);
  const bool travels_free = node.value && (node.value->kind == Value::Kind::BackwardState || is_free_object);
  return {.unsavable = travels_free ? Unsavable::No : Unsavable::NonTensor,
          .cost = 0,
          .size_bytes = 0,
          .materialized = true};
}

}  // namespace

std::vector<SavingCost> saving_costs(const Analysis& analysis) {
  const Fusibility is_fusible(analysis.graph(), analysis.joint.torch.release);
  std::vector<SavingCost> costs(analysis.graph().size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const bool decided = analysis.graph().nodes[i].is_output() || analysis.roles.tangents_closure[i];
    if (!decided) costs[i] = saving_cost(analysis, is_fusible, node_id(i));
  }
  return costs;
}

}  // namespace fxcut
