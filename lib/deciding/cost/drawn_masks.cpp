#include "cost/drawn_masks.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "classify/views_and_writes.h"

namespace fxcut {
namespace {

constexpr std::array<std::string_view, 4> kComparisons = {"aten.gt", "aten.ge", "aten.lt", "aten.le"};
constexpr std::array<std::string_view, 2> kUniform = {"aten.rand", "aten.rand_like"};

// Whether it draws numbers from 0 to 1, all equally likely.
bool draws_uniform(const Node& node) {
  if (!node.is_call()) return false;
  if (std::ranges::find(kUniform, node.callee->packet) != kUniform.end()) return true;
  if (node.callee->packet != "prims.inductor_random") return false;
  const Argument* mode = argument_of(node, 2, "mode");
  return mode && mode->kind == Argument::Kind::String && mode->text == "rand";
}

// Of a comparison of drawn numbers with a constant.
std::optional<double> compared_share(const Graph& graph, const Node& node) {
  if (std::ranges::find(kComparisons, node.callee->packet) == kComparisons.end()) return std::nullopt;
  if (node.inputs.size() != 1 || !draws_uniform(graph[node.inputs.front()])) return std::nullopt;
  const Argument* other = argument_of(node, 1, "other");
  if (!other || (other->kind != Argument::Kind::Float && other->kind != Argument::Kind::Int)) return std::nullopt;
  return std::clamp(std::min(other->number(), 1 - other->number()), 0.0, 0.5);
}

using Shares = std::unordered_map<std::string_view, double>;  // by the mask's name

Shares shares_by_name(const Graph& graph) {
  const DrawnMasks masks(graph);
  Shares shares;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (const auto share = masks.rarer_share(node_id(i))) shares.emplace(graph.nodes[i].name, *share);
  }
  return shares;
}

std::optional<double> share_of(const Shares& shares, std::string_view name) {
  const auto found = shares.find(name);
  return found == shares.end() ? std::nullopt : std::optional<double>(found->second);
}

}  // namespace

DrawnMasks::DrawnMasks(const Graph& graph, const Graph* forward) {
  const Shares made_before = forward ? shares_by_name(*forward) : Shares();
  shares_.reserve(graph.size());
  for (const Node& node : graph.nodes) {
    const bool is_alias = node.is_call() && !node.inputs.empty() && computes_nothing(graph, node);
    if (is_alias) {
      shares_.push_back(shares_[index_of(node.inputs.front())]);
    } else {
      shares_.push_back(node.is_call() ? compared_share(graph, node) : share_of(made_before, node.name));
    }
  }
}

}  // namespace fxcut
