#include "frontier/decision_states.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "frontier/decision_order.h"

namespace fxcut {
namespace {

using Place = std::uint32_t;  // in the order of decisions

// What past decisions mean for a later one: four times its position, plus the kind. So facts are sorted by position.
using Fact = std::uint32_t;
enum class Kind : std::uint32_t {
  Needed = 0,   // a recomputed item needs it
  Runs = 1,     // the forward runs it, for a kept item
  Kept = 2,     // its storage is kept, of which it is the last item
  Dropped = 3,  // or is not
};
Fact fact(Place place, Kind kind) { return 4 * place + static_cast<std::uint32_t>(kind); }
Place place_of(Fact fact) { return fact / 4; }

class FactSet {
 public:
  bool has(Fact fact) const { return std::ranges::binary_search(facts_, fact); }
  void add(Fact fact) {
    const auto at = std::ranges::lower_bound(facts_, fact);
    if (at == facts_.end() || *at != fact) facts_.insert(at, fact);
  }
  bool remove(Fact fact) { return std::erase(facts_, fact) > 0; }
  // Removes all about this place and those before.
  void remove_until(Place place) {
    facts_.erase(facts_.begin(), std::ranges::find_if(facts_, [&](Fact fact) { return place_of(fact) > place; }));
  }
  // Nothing is known about the places before it.
  Place first_place(Place if_empty) const { return facts_.empty() ? if_empty : place_of(facts_.front()); }
  std::size_t size() const { return facts_.size(); }

  bool operator==(const FactSet&) const = default;
  struct Hash {
    std::size_t operator()(const FactSet& set) const {
      std::uint64_t hash = 0x9e3779b97f4a7c15;
      for (const Fact fact : set.facts_) hash = (hash ^ fact) * 0xff51afd7ed558ccd + (hash >> 29);
      return hash;
    }
  };

 private:
  std::vector<Fact> facts_;  // ascending
};

// The items in the order of decisions, and what a decision on one means for the facts.
class Decisions {
 public:
  Decisions(const RecomputeProblem& problem, const Fixings& fixings)
      : problem_(problem),
        fixings_(fixings), order_(decision_order(problem)), place_(order_.size()), places_(problem.storages.size()) {
    for (Place place = 0; place < size(); ++place) {
      place_[order_[place]] = place;
      const Item& item = at(place);
      if (item.savable && !item.is_always_available()) places_[item.storage].push_back(place);
    }
    next_demanded_.assign(size() + 1, size());
    for (Place place = size(); place-- > 0;) next_demanded_[place] = at(place).demanded ? place : next_demanded_[place + 1];
  }

  Place size() const { return static_cast<Place>(order_.size()); }
  const Item& at(Place place) const { return problem_.items[order_[place]]; }

  // The next place, from this one on, at which there is something to do.
  Place next(Place place, const FactSet& facts) const { return std::min(next_demanded_[place], facts.first_place(size())); }
  bool is_needed(Place place, const FactSet& facts) const { return at(place).demanded || facts.has(fact(place, Kind::Needed)); }
  bool runs(Place place, const FactSet& facts) const { return at(place).in_forward || facts.has(fact(place, Kind::Runs)); }
  bool is_available(const Item& item, const FactSet& facts) const {
    return item.is_always_available() || (item.savable && facts.has(fact(last_of(item.storage), Kind::Kept)));
  }
  bool may_recompute(Place place) const {
    const Item& item = at(place);
    return item.never == Ban::None && !(item.savable && fixings_[item.storage] == Fixing::Kept);
  }
  bool may_keep(Place place, const FactSet& facts) const {
    const Item& item = at(place);
    return item.savable && fixings_[item.storage] != Fixing::Dropped && !facts.has(fact(last_of(item.storage), Kind::Dropped)) &&
           !keeping_is_pointless(place, facts);
  }

  // Goes past an item that is not needed or is available.
  void pass(Place place, FactSet& facts) const {
    const bool runs_it = runs(place, facts) || is_needed(place, facts);
    facts.remove_until(place);
    if (runs_it) run_inputs(place, facts);
  }
  // Returns the cost of that.
  Int128 recompute(Place place, FactSet& facts) const {
    const Item& item = at(place);
    const bool runs_it = runs(place, facts);
    facts.remove_until(place);
    if (item.savable && last_of(item.storage) > place) facts.add(fact(last_of(item.storage), Kind::Dropped));
    for (const ItemIndex input : problem_.inputs_of(order_[place])) need(input, facts);
    if (!runs_it) return 0;
    run_inputs(place, facts);
    return item.run_cost;
  }
  // Returns the cost of that.
  Int128 keep(Place place, FactSet& facts) const {
    const StorageIndex storage = at(place).storage;
    facts.remove_until(place);
    if (last_of(storage) > place) facts.add(fact(last_of(storage), Kind::Kept));
    for (const Place other : places_[storage]) {
      if (!facts.remove(fact(other, Kind::Needed))) continue;
      need(order_[other], facts);
    }
    run_inputs(place, facts);
    return problem_.storages[storage].keep_cost;
  }

 private:
  Place last_of(StorageIndex storage) const { return places_[storage].back(); }

  // Whether keeping it would help no other item, and recomputing it costs nothing and needs nothing more.
  bool keeping_is_pointless(Place place, const FactSet& facts) const {
    const Item& item = at(place);
    if (!may_recompute(place) || last_of(item.storage) > place || (item.run_cost > 0 && runs(place, facts))) return false;
    return std::ranges::all_of(problem_.inputs_of(order_[place]), [&](ItemIndex input) {
      const Item& used = problem_.items[input];
      return used.demanded || is_available(used, facts) || facts.has(fact(place_[input], Kind::Needed));
    });
  }
  void need(ItemIndex i, FactSet& facts) const {
    if (is_available(problem_.items[i], facts)) {
      run(i, facts);
    } else if (!problem_.items[i].demanded) {
      facts.add(fact(place_[i], Kind::Needed));
    }
  }
  void run(ItemIndex i, FactSet& facts) const {
    if (!problem_.items[i].in_forward) facts.add(fact(place_[i], Kind::Runs));
  }
  void run_inputs(Place place, FactSet& facts) const {
    for (const ItemIndex input : problem_.inputs_of(order_[place])) run(input, facts);
  }

  const RecomputeProblem& problem_;
  const Fixings& fixings_;
  std::vector<ItemIndex> order_;            // by place
  std::vector<Place> place_;                // by item
  std::vector<std::vector<Place>> places_;  // by storage, of its savable items, ascending
  std::vector<Place> next_demanded_;        // by place, itself or after it
};

// Finds the states place by place. A state gets its name when it is found and its number when its turn comes.
class Expanding {
 public:
  Expanding(const RecomputeProblem& problem, const Fixings& fixings, std::int64_t most_work, WorkBudget& work)
      : decisions_(problem, fixings), work_left_(most_work), work_(work) {}

  std::optional<DecisionStates> run() {
    found_[decisions_.size()].try_emplace(FactSet{}, names_++);  // the end
    result_.run_cost = walk(0, {}).run_cost;
    while (!found_.empty()) {
      if (work_left_ < 0 || work_.is_exhausted()) return std::nullopt;
      const auto states = found_.extract(found_.begin());
      for (const auto& [name, facts] : by_name(states.mapped())) {
        number(name);
        if (states.key() < decisions_.size()) expand(states.key(), *facts);
      }
    }
    result_.begin.push_back(static_cast<std::uint32_t>(result_.transitions.size()));
    for (Transition& transition : result_.transitions) transition.to = numbers_[transition.to];
    return std::move(result_);
  }

 private:
  using States = std::unordered_map<FactSet, StateIndex, FactSet::Hash>;  // to their names

  static std::vector<std::pair<StateIndex, const FactSet*>> by_name(const States& states) {
    std::vector<std::pair<StateIndex, const FactSet*>> order;
    order.reserve(states.size());
    for (const auto& [facts, name] : states) order.emplace_back(name, &facts);
    std::ranges::sort(order);
    return order;
  }

  void number(StateIndex name) {
    if (numbers_.size() < names_) numbers_.resize(names_);
    numbers_[name] = static_cast<StateIndex>(result_.begin.size());
    result_.begin.push_back(static_cast<std::uint32_t>(result_.transitions.size()));
  }

  void take_work(const FactSet& facts) {
    constexpr std::size_t kStepsAPlace = 8;  // measured, as a step takes about as long as in the other parts of a search
    work_left_ -= static_cast<std::int64_t>(kStepsAPlace + facts.size());
    work_.charge(kStepsAPlace + facts.size());
  }

  // Goes on from a place until there is a choice, or something to keep. The transition leads to a name.
  Transition walk(Place place, FactSet facts) {
    Transition transition;
    for (;; ++place) {
      take_work(facts);
      place = decisions_.next(place, facts);
      if (place == decisions_.size()) break;
      if (!decisions_.is_needed(place, facts) || decisions_.is_available(decisions_.at(place), facts)) {
        decisions_.pass(place, facts);
      } else if (decisions_.may_recompute(place) && !decisions_.may_keep(place, facts)) {
        transition.run_cost += decisions_.recompute(place, facts);
      } else {
        break;
      }
    }
    const auto [state, is_new] = found_[place].try_emplace(std::move(facts), names_);
    if (is_new) ++names_;
    transition.to = state->second;
    return transition;
  }

  void expand(Place place, const FactSet& facts) {
    if (decisions_.may_recompute(place)) {
      FactSet after = facts;
      const Int128 run_cost = decisions_.recompute(place, after);
      Transition transition = walk(place + 1, std::move(after));
      transition.run_cost += run_cost;
      result_.transitions.push_back(transition);
    }
    if (decisions_.may_keep(place, facts)) {
      FactSet after = facts;
      const Int128 keep_cost = decisions_.keep(place, after);
      Transition transition = walk(place + 1, std::move(after));
      transition.run_cost += keep_cost;
      transition.keeps = decisions_.at(place).storage;
      result_.transitions.push_back(transition);
    }
  }

  const Decisions decisions_;
  std::int64_t work_left_;
  WorkBudget& work_;
  std::map<Place, States> found_;  // by place, the states in which it is decided on next
  StateIndex names_ = 0;
  std::vector<StateIndex> numbers_;  // by name
  DecisionStates result_;
};

}  // namespace

std::optional<DecisionStates> decision_states(const RecomputeProblem& problem, const Fixings& fixings, std::int64_t most_work,
                                              WorkBudget& work) {
  return Expanding(problem, fixings, most_work, work).run();
}

DecisionStates reversed(const DecisionStates& states) {
  const StateIndex size = states.size();
  DecisionStates result{std::vector<std::uint32_t>(size + 1, 0), std::vector<Transition>(states.transitions.size()),
                        states.run_cost};
  for (const Transition& transition : states.transitions) ++result.begin[size - transition.to];
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  std::vector<std::uint32_t> next(result.begin.begin(), result.begin.end() - 1);
  for (StateIndex s = 0; s < size; ++s) {
    for (const Transition& transition : states.from(s)) {
      result.transitions[next[size - 1 - transition.to]++] = {size - 1 - s, transition.keeps, transition.run_cost};
    }
  }
  return result;
}

}  // namespace fxcut
