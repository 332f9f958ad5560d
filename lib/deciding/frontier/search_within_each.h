// One choice for a graph whose sizes vary: within a limit at each of several sizes, at the least cost of all together.
//
// Items and storages are the same at each size; their bytes and costs differ. With multipliers m, the limits add up to one:
//
//     sum over the sizes of  m * (bytes of the choice / limit)   <=   sum of m
//
// Every choice that is within each limit is within this one as well, a surrogate constraint (Glover, "Surrogate constraints",
// Operations Research 16, 1968). So what the search for a single limit (budget_search.h) proves here is a bound for all of them,
// and what it finds is the best choice if it is within each limit. At first only the tightest limit counts, which is enough where
// bytes rise with the size. Otherwise the multipliers of limits that are exceeded rise, those of others fall, and it is searched
// again, a few times. What exceeds a limit is also brought within it, storage by storage (improve_within_each.h). Last, each
// storage counts with the largest of its shares of the limits: what is within that is within each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "frontier/work_budget.h"

namespace fxcut {

// The problem at one size.
struct ProblemAtSize {
  RecomputeProblem problem;
  std::int64_t limit_bytes = 0;
  bool counts = true;  // whether its cost is part of the sum that is minimised
};

struct ChoiceForEach {
  std::optional<KeptStorages> kept;  // nothing if no choice within each limit was found
  Int128 run_cost = 0;               // the sum of the costs that count
  Int128 bound = 0;                  // no choice within each limit costs less
  bool is_impossible = false;        // proven: no choice is within each limit
};

// Whether the problems have the same items and storages, so that a choice for one is a choice for the other.
bool are_alike(const RecomputeProblem& a, const RecomputeProblem& b);

// The bytes of keeping these storages, and its cost, at each size.
std::vector<Outcome> outcomes_of(const std::vector<ProblemAtSize>& sizes, const KeptStorages& kept);

// `sizes` are alike, and at least one; `candidates` are initial choices, of which those above a limit are ignored.
ChoiceForEach search_within_each(const std::vector<ProblemAtSize>& sizes, const SearchLimits& limits,
                                 const std::vector<KeptStorages>& candidates = {});

}  // namespace fxcut
