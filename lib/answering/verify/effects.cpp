#include "verify/mismatch.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <unordered_set>

namespace fxcut {
namespace {

constexpr std::string_view kForward = "forward", kBackward = "backward";

class Comparison {
 public:
  Comparison(const EvaluationContext& context, std::vector<Mismatch>& mismatches) : context_(context), mismatches_(mismatches) {}

  void add(std::string_view side, const std::vector<Effect>& effects) {
    for (const Effect& effect : effects) {
      (effect.writes ? writes_[side] : checks_[side]).emplace(effect.term, &effect);
    }
  }

  void expect(const Effect& effect) {
    if (effect.writes) return expect_write(effect);
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
  }

 private:
  void expect_write(const Effect& effect) {
    const std::string_view side = effect.in_backward ? kBackward : kForward;
    const std::string_view other = effect.in_backward ? kForward : kBackward;
    if (take(side, effect.term)) return;
    if (take(other, effect.term)) return add_mismatch(other, effect, "to run in the " + std::string(side), "it runs here");
    add_mismatch(side, effect, describe(context_, effect.term), "no such write");
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
  std::unordered_set<std::uint32_t> known_;                                         // checks of the joint graph
};

// Checks that a side's effects occur in the joint graph in this order, each matched with the next one of the same term. Of
// equal checks that were merged the first remains.
void compare_order(std::string_view side, const std::vector<Effect>& joint, const std::vector<Effect>& effects,
                   std::vector<Mismatch>& mismatches) {
  std::map<Term, std::vector<std::size_t>> positions;  // in the joint graph
  for (std::size_t i = 0; i < joint.size(); ++i) positions[joint[i].term].push_back(i);
  const Effect* before = nullptr;
  std::size_t next = 0;  // position in the joint graph after the previous one
  for (const Effect& effect : effects) {
    const auto known = positions.find(effect.term);
    if (known == positions.end()) continue;
    const auto position = std::lower_bound(known->second.begin(), known->second.end(), next);
    if (position == known->second.end()) {
      mismatches.push_back({std::string(side) + ": " + effect.node, "to run before " + before->node, "it runs later"});
      continue;
    }
    before = &effect;
    next = *position + 1;
  }
}

}  // namespace

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
