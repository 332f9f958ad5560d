#include "verify/mismatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <unordered_set>

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

constexpr std::string_view kForward = "forward", kBackward = "backward";

class Comparison {
 public:
  Comparison(const EvaluationContext& context, std::vector<Mismatch>& mismatches) : context_(context), mismatches_(mismatches) {}

  void add(std::string_view side, const std::vector<Effect>& effects) {
    for (const Effect& effect : effects) {
      if (effect.kind == EffectKind::Ordered) ordered_[effect.term].emplace_back(side, &effect);
      else (effect.kind == EffectKind::Write ? writes_[side] : checks_[side]).emplace(effect.term, &effect);
    }
  }

  void expect(const Effect& effect) {
    if (effect.kind == EffectKind::Write) return expect_write(effect);
    if (effect.kind == EffectKind::Ordered) return expect_at_most_once(effect);
    known_.insert(static_cast<std::uint32_t>(effect.term));
    if (checks_[kForward].contains(effect.term) || checks_[kBackward].contains(effect.term)) return;
    add_mismatch("joint", effect, "to run in the forward or the backward", "it runs in neither the forward nor the backward");
  }

  // Adds the effects of the sides that the joint graph does not have.
  void refuse_others() {
    for (const std::string_view side : {kForward, kBackward}) {
      for (const auto& [term, effect] : writes_[side]) {
        add_mismatch(side, *effect, "no such write, or one less", describe(context_, term));
      }
      for (const auto& [term, effect] : checks_[side]) {
        if (known_.contains(static_cast<std::uint32_t>(term))) continue;
        add_mismatch(side, *effect, "no such call", describe(context_, term));
      }
    }
    for (const auto& [term, runs] : ordered_) {
      for (const auto& [side, effect] : runs) add_mismatch(side, *effect, "no such call, or one less", describe(context_, term));
    }
  }

 private:
  void expect_write(const Effect& effect) {
    const std::string_view side = effect.in_backward ? kBackward : kForward;
    const std::string_view other = effect.in_backward ? kForward : kBackward;
    if (take(side, effect.term)) return;
    if (take(other, effect.term)) return add_mismatch(other, effect, "to run in the " + std::string(side), "it runs here");
    add_mismatch(side, effect, describe(context_, effect.term), "no such write");
  }
  // Dead code elimination may have removed it.
  void expect_at_most_once(const Effect& effect) {
    const auto found = ordered_.find(effect.term);
    if (found == ordered_.end()) return;
    found->second.pop_front();
    if (found->second.empty()) ordered_.erase(found);
  }
  bool take(std::string_view side, Term term) {
    const auto found = writes_[side].find(term);
    if (found == writes_[side].end()) return false;
    writes_[side].erase(found);
    return true;
  }
  void add_mismatch(std::string_view side, const Effect& effect, std::string expected, std::string found) {
    mismatches_.push_back({std::string(side) + ": " + effect.node, std::move(expected), std::move(found)});
  }

  const EvaluationContext& context_;
  std::vector<Mismatch>& mismatches_;
  std::map<std::string_view, std::multimap<Term, const Effect*>> writes_, checks_;  // by side and term
  std::map<Term, std::deque<std::pair<std::string_view, const Effect*>>> ordered_;  // runs, with their side
  std::unordered_set<std::uint32_t> known_;                                         // checks of the joint graph
};

// The last of some effects of a side in the joint graph's order.
struct LastSeen {
  const Effect* effect = nullptr;
  std::size_t after = 0;  // position in the joint graph after it
};

// Checks that a side's effects occur in the joint graph in this order, each matched with the next one of the same term; two
// writes may change places. Equal checks may have been merged into the first.
void compare_order(std::string_view side, const std::vector<Effect>& joint, const std::vector<Effect>& effects,
                   std::vector<Mismatch>& mismatches) {
  std::map<Term, std::vector<std::size_t>> positions;  // in the joint graph
  for (std::size_t i = 0; i < joint.size(); ++i) positions[joint[i].term].push_back(i);
  LastSeen check, any;
  for (const Effect& effect : effects) {
    const auto known = positions.find(effect.term);
    if (known == positions.end() || effect.kind == EffectKind::Ordered) continue;
    const LastSeen& before = effect.kind == EffectKind::Write ? check : any;
    const auto position = std::lower_bound(known->second.begin(), known->second.end(), before.after);
    if (position == known->second.end()) {
      mismatches.push_back({std::string(side) + ": " + effect.node, "to run before " + before.effect->node, "it runs later"});
      continue;
    }
    const LastSeen now{&effect, *position + 1};
    if (effect.kind == EffectKind::Check) check = now;
    if (now.after > any.after) any = now;
  }
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

void compare_effects(const EvaluationContext& context, const std::vector<Effect>& joint, const std::vector<Effect>& forward,
                     const std::vector<Effect>& backward, std::vector<Mismatch>& mismatches) {
  Comparison comparison(context, mismatches);
  comparison.add(kForward, forward);
  comparison.add(kBackward, backward);
  for (const Effect& effect : joint) comparison.expect(effect);
  comparison.refuse_others();
  compare_order(kForward, joint, forward, mismatches);
  compare_order(kBackward, joint, backward, mismatches);
}

}  // namespace fxcut
