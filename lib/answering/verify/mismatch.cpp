#include "verify/mismatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fxcut {
namespace {

constexpr std::size_t kLongest = 300;  // of a call in a message, in bytes

// The position of the only operand in which two calls differ; empty if they differ in more.
std::optional<std::size_t> only_difference(const Terms& terms, Term a, Term b) {
  const std::vector<Term>&x = terms.operands(a), &y = terms.operands(b);
  if (terms.head(a) != terms.head(b) || x.size() != y.size()) return std::nullopt;
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == y[i]) continue;
    if (only && (x[*only] != x[i] || y[*only] != y[i])) return std::nullopt;
    if (!only) only = i;
  }
  return only;
}

// The first operands in which two otherwise equal calls differ.
std::optional<std::pair<Term, Term>> first_difference(const Terms& terms, Term a, Term b) {
  const std::vector<Term>&x = terms.operands(a), &y = terms.operands(b);
  if (x.size() != y.size()) return std::nullopt;
  const auto [p, q] = std::mismatch(x.begin(), x.end(), y.begin());
  return p == x.end() ? std::nullopt : std::optional(std::pair(*p, *q));
}

std::string cut_short(std::string text) {
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not within a character
  return text.substr(0, end) + "...";
}

}  // namespace

std::string short_name(const EvaluationContext& context, Term term) {
  const auto named = context.names.find(static_cast<std::uint32_t>(term));
  if (named != context.names.end()) return named->second;
  const std::string& head = context.terms.head(term);
  const std::vector<Term>& operands = context.terms.operands(term);
  if (operands.empty()) return head;
  if (head == kWrittenTo) return fmt::format("{} after a write to it", short_name(context, operands.front()));
  return fmt::format("{}..", head.substr(0, head.find(kHole)));
}

std::string describe(const EvaluationContext& context, Term term) {
  const std::string& head = context.terms.head(term);
  const std::vector<Term>& operands = context.terms.operands(term);
  if (head == kWrittenTo) return cut_short(short_name(context, term));
  std::string text;
  auto operand = operands.begin();
  for (const char c : head) {
    text += c == kHole && operand != operands.end() ? short_name(context, *operand++) : std::string(1, c);
  }
  const bool is_of_a_call = operands.size() == 1 && operand != operands.end();  // "draw 2 of", "on the host:"
  if (is_of_a_call && !context.names.contains(static_cast<std::uint32_t>(*operand))) {
    text += " " + describe(context, *operand++);
  }
  for (std::string_view separator = " "; operand != operands.end(); separator = ", ") {
    text += separator;
    text += short_name(context, *operand++);
  }
  const auto named = context.names.find(static_cast<std::uint32_t>(term));
  if (named != context.names.end() && !operands.empty()) text = fmt::format("{} = {}", named->second, text);
  return cut_short(std::move(text));
}

void MismatchCauses::add(std::string_view side, const std::string& output, Term expected, Term found) {
  if (expected == found) return;
  std::vector<Pair> path = {{expected, found}};
  while (!causes_.contains(path.back())) {
    const auto [one, other] = path.back();
    const auto only = only_difference(context_.terms, one, other);
    if (!only) break;
    const Pair next = {context_.terms.operands(one)[*only], context_.terms.operands(other)[*only]};
    const bool ends = !only_difference(context_.terms, next.first, next.second);
    if (ends && context_.terms.operands(next.first).empty()) break;  // a call is more informative than its input
    path.push_back(next);
  }
  // Nodes of both graphs may have the same name; then their operands show the difference.
  while (!causes_.contains(path.back()) &&
         describe(context_, path.back().first) == describe(context_, path.back().second)) {
    const auto next = first_difference(context_.terms, path.back().first, path.back().second);
    if (!next) break;
    path.push_back(*next);
  }
  const auto known = causes_.find(path.back());
  const std::size_t cause = known == causes_.end() ? mismatches_.size() : known->second;
  if (known == causes_.end()) {
    const auto [cause_expected, cause_found] = path.back();
    const auto node = context_.names.find(static_cast<std::uint32_t>(cause_found));
    std::string where = fmt::format("{}: {}", side, output);
    if (node != context_.names.end() && path.size() > 1) where = fmt::format("{}: {}, of {}", side, node->second, output);
    mismatches_.push_back({std::move(where), describe(context_, cause_expected), describe(context_, cause_found)});
    others_.push_back(0);
  } else {
    ++others_[cause];
  }
  for (const Pair& pair : path) causes_.emplace(pair, cause);
}

std::vector<Mismatch> MismatchCauses::take() {
  for (std::size_t i = 0; i < mismatches_.size(); ++i) {
    if (others_[i] > 0) mismatches_[i].where += fmt::format(" and {} more", others_[i]);
  }
  return std::move(mismatches_);
}

}  // namespace fxcut
