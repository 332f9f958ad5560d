#include "policy/nearest_subjects.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "policy/composite_operators.h"

namespace fxcut {
namespace {

// Comparisons of two names, of about a microsecond each: after these there are no more hints.
constexpr std::size_t kMostComparisons = 1'000'000;

}  // namespace

void NearestSubjects::Texts::add(std::string_view text) {
  if (all.insert(text).second) in_order.push_back(text);
}

std::string NearestSubjects::hint(std::string_view text, const Texts& known) {
  if (known.has(text) || comparisons_ >= kMostComparisons) return "";
  comparisons_ += known.in_order.size();
  const std::string hint = did_you_mean(text, known.in_order);
  return hint.empty() ? "" : "; " + hint;
}

void NearestSubjects::for_each_subject(const auto& visit) const {
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    if (subjects_.is_subject[i]) visit(graph_.nodes[i]);
  }
}

std::string NearestSubjects::to_name(std::string_view name) { return hint(name, names()); }

std::string NearestSubjects::hint_to_operator(const Pattern& op) {
  const auto parts = parts_of_composite(op.glob());
  if (parts.empty()) return op.is_regex() ? "" : hint(op.glob(), operators());
  std::string here;
  for (const std::string_view target : operators().in_order) {
    const std::string_view without_overload = target.substr(0, target.rfind('.'));
    if (std::ranges::find(parts, without_overload) == parts.end()) continue;
    here += fmt::format("{}{}", here.empty() ? "" : ", ", target);
  }
  return fmt::format("; PyTorch decomposes {}; {}", op.glob(),
                     here.empty() ? "the forward has none of its parts" : "the forward has " + here);
}

std::string NearestSubjects::to_match(const PolicyMatch& match) {
  std::string nearest;
  if (match.node) nearest = hint(match.node->text(), nodes());
  if (nearest.empty() && match.name) nearest = hint(match.name->text(), names());
  if (nearest.empty() && match.op) nearest = hint_to_operator(*match.op);
  if (nearest.empty() && match.module) nearest = hint(match.module->text(), modules());
  if (nearest.empty() && match.dtype) nearest = hint(*match.dtype, dtypes());
  return nearest;
}

const NearestSubjects::Texts& NearestSubjects::nodes() {
  if (nodes_) return *nodes_;
  nodes_.emplace();
  for_each_subject([&](const Node& node) { nodes_->add(node.name); });
  return *nodes_;
}

const NearestSubjects::Texts& NearestSubjects::names() {
  if (names_) return *names_;
  names_.emplace();
  for (const ValueNames& of_node : subjects_.names) {
    for (const std::string& name : of_node) names_->add(name);
  }
  return *names_;
}

const NearestSubjects::Texts& NearestSubjects::operators() {
  if (operators_) return *operators_;
  operators_.emplace();
  for_each_subject([&](const Node& node) {
    if (node.is_call()) operators_->add(node.callee->target);
  });
  return *operators_;
}

const NearestSubjects::Texts& NearestSubjects::modules() {
  if (modules_) return *modules_;
  modules_.emplace();
  for_each_subject([&](const Node& node) {
    if (node.provenance) modules_->add(node.provenance->module);
  });
  return *modules_;
}

const NearestSubjects::Texts& NearestSubjects::dtypes() {
  if (dtypes_) return *dtypes_;
  dtypes_.emplace();
  for_each_subject([&](const Node& node) {
    if (node.has_tensor()) dtypes_->add(node.value->tensor.dtype->name);
  });
  return *dtypes_;
}

}  // namespace fxcut
