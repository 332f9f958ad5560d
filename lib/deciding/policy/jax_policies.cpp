#include "policy/jax_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

// Products of matrices without a batch dimension, with one, and convolutions, by operator packet.
constexpr std::array<std::string_view, 10> kDots = {"aten.mm",  "aten.addmm", "aten.linear", "aten._scaled_mm",
                                                    "aten.mv",  "aten.addmv", "aten.dot",    "aten.vdot",
                                                    "aten.ger", "aten.outer"};
constexpr std::array<std::string_view, 3> kBatchedDots = {"aten.bmm", "aten.baddbmm", "aten._grouped_mm"};
constexpr std::array<std::string_view, 7> kConvolutions = {
    "aten.convolution", "aten._convolution", "aten.conv1d", "aten.conv2d", "aten.conv3d", "aten.cudnn_convolution",
    "aten.convolution_overrideable"};

template <typename Packets>
bool is_one_of(const Packets& packets, const Node& node) {
  return node.is_call() && std::find(packets.begin(), packets.end(), node.callee->packet) != packets.end();
}

bool is_dot_without_batch(const Node& node) { return is_one_of(kDots, node); }
bool is_dot(const Node& node) {
  return is_dot_without_batch(node) || is_one_of(kBatchedDots, node) || is_one_of(kConvolutions, node);
}

using Lists = JaxPermission::Lists;
using NameSet = std::unordered_set<std::string_view>;

bool any_of(const NameSet& known, const ValueNames& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return known.contains(name); });
}

bool any_but(const NameSet& excluded, const ValueNames& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return !excluded.contains(name); });
}

Permission save_if(bool may) { return may ? Permission::Save : Permission::No; }

// The first permission to save or offload.
Permission from_both(const Lists& lists, const JaxQuery& value) {
  Permission strongest = Permission::No;
  for (const JaxPermission& part : lists.parts) {
    const Permission permission = part(value);
    if (permission == Permission::Save || permission == Permission::Offload) return permission;
    strongest = std::max(strongest, permission);
  }
  return strongest;
}

// The last name counts: JAX queries the policy for each naming, and the backward uses the value under the last name.
Permission save_and_offload(const Lists& lists, const JaxQuery& value) {
  for (auto name = value.names.rbegin(); name != value.names.rend(); ++name) {
    if (lists.offload.contains(*name)) return Permission::Offload;
    if (lists.save.contains(*name)) return Permission::Save;
  }
  return Permission::No;
}

Permission except_names(const Lists& lists, const JaxQuery& value) {
  const bool is_excluded = any_of(lists.names, value.names) || any_of(lists.names, value.of_copied);
  return is_excluded ? Permission::Refused : Permission::Save;
}

// The arguments of a policy.
enum class Takes { Nothing, Names, SaveAndOffload, Policies };

struct Kind {
  std::string_view name;
  Takes takes;
  Permission (*permits)(const Lists&, const JaxQuery&);
};


Permission save_dots(const Lists&, const JaxQuery& value) { return save_if(is_dot(value.node)); }
Permission save_dots_without_batch(const Lists&, const JaxQuery& value) {
  return save_if(is_dot_without_batch(value.node));
}
Permission offload_dots_without_batch(const Lists&, const JaxQuery& value) {
  return is_dot_without_batch(value.node) ? Permission::Offload : Permission::No;
}


constexpr std::array<Kind, 12> kKinds = {{
    {"everything_saveable", Takes::Nothing, [](const Lists&, const JaxQuery&) { return Permission::Save; }},
    {"nothing_saveable", Takes::Nothing, [](const Lists&, const JaxQuery&) { return Permission::No; }},
    {"dots_saveable", Takes::Nothing, save_dots},
    {"checkpoint_dots", Takes::Nothing, save_dots},
    {"dots_with_no_batch_dims_saveable", Takes::Nothing, save_dots_without_batch},
    {"checkpoint_dots_with_no_batch_dims", Takes::Nothing, save_dots_without_batch},
    {"offload_dot_with_no_batch_dims", Takes::Nothing, offload_dots_without_batch},
    {"save_only_these_names", Takes::Names,
     [](const Lists& lists, const JaxQuery& value) { return save_if(any_of(lists.names, value.names)); }},
    {"save_any_names_but_these", Takes::Names,
     [](const Lists& lists, const JaxQuery& value) { return save_if(any_but(lists.names, value.names)); }},
    {"save_anything_except_these_names", Takes::Names, except_names},
    {"save_and_offload_only_these_names", Takes::SaveAndOffload, save_and_offload},
    {"save_from_both_policies", Takes::Policies, from_both},
}};

const Kind* find_kind(std::string_view name) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& kind) { return kind.name == name; });
  return found == kKinds.end() ? nullptr : &*found;
}

std::optional<std::string> mistake_in_lists(const JaxPolicy& policy, Takes takes) {
  if (!policy.names.empty() && takes != Takes::Names) return fmt::format("'{}' takes no names", policy.kind);
  const bool has_pair = !policy.save.empty() || !policy.offload.empty();
  if (has_pair && takes != Takes::SaveAndOffload) {
    return fmt::format("'{}' takes no lists save and offload", policy.kind);
  }
  if (!policy.policies.empty() && takes != Takes::Policies) return fmt::format("'{}' takes no policies", policy.kind);
  const NameSet offload(policy.offload.begin(), policy.offload.end());
  for (const std::string& name : policy.save) {
    if (!offload.contains(name)) continue;
    return fmt::format("'{}' is to be saved and to be offloaded: a name can be in only one of the lists", name);
  }
  return std::nullopt;
}

}  // namespace

const std::vector<std::string_view>& jax_policy_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const Kind& kind : kKinds) all.push_back(kind.name);
    return all;
  }();
  return names;
}

JaxPermission::JaxPermission(const JaxPolicy& policy)
    : permits_(find_kind(policy.kind)->permits),
      lists_{{policy.names.begin(), policy.names.end()},
             {policy.save.begin(), policy.save.end()},
             {policy.offload.begin(), policy.offload.end()},
             {policy.policies.begin(), policy.policies.end()}} {}

std::optional<std::string> mistake_in(const JaxPolicy& policy) {
  const Kind* kind = find_kind(policy.kind);
  if (!kind) {
    return fmt::format("unknown JAX policy '{}'; {}", policy.kind,
                       did_you_mean_or_known(policy.kind, jax_policy_names()));
  }
  if (auto mistake = mistake_in_lists(policy, kind->takes)) return mistake;
  if (kind->takes == Takes::Policies && policy.policies.size() != 2) {
    return fmt::format("'{}' takes two policies, found {}; a policy file takes them as 'policies'", policy.kind,
                       policy.policies.size());
  }
  for (const JaxPolicy& part : policy.policies) {
    if (auto mistake = mistake_in(part)) return mistake;
  }
  return std::nullopt;
}

std::string describe(const JaxPolicy& policy) {
  std::vector<std::string> arguments(policy.names.begin(), policy.names.end());
  if (!policy.save.empty()) arguments.push_back(fmt::format("save {}", fmt::join(policy.save, ", ")));
  if (!policy.offload.empty()) arguments.push_back(fmt::format("offload {}", fmt::join(policy.offload, ", ")));
  for (const JaxPolicy& part : policy.policies) arguments.push_back(describe(part));
  return arguments.empty() ? policy.kind : fmt::format("{}({})", policy.kind, fmt::join(arguments, ", "));
}

}  // namespace fxcut
