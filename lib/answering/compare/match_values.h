// Finds the same values in two reports, or two graphs, whose nodes may be numbered differently.
//
// Names are not reliable: with another layer at the start, mm_4 becomes mm_6. So values are matched by their properties, in
// rounds with fewer and fewer of them, each over the values without a partner:
//
//   operator, extent, module, source line, checkpoint name    the same place of the same model
//   operator, extent, module, checkpoint name                 lines have moved
//   operator, module, source line, checkpoint name            another size
//   operator, name                                            another size, if the places in the model are not known
//   operator, extent                                          of modules that only one side has: they were renamed
//
// Within a round values of one name are matched first, then the others in their order. So two values with the same
// operator, extent and place are never one that was removed and one that was added.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "compare/compared_value.h"

namespace fxcut {

// Partners among the elements of two lists: each has at most one.
class Matching {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  Matching(std::size_t before, std::size_t after) : after_of_(before, kNone), before_of_(after, kNone) {}

  // The partner of an element of either list, or kNone.
  std::size_t after_of(std::size_t before) const { return after_of_[before]; }
  std::size_t before_of(std::size_t after) const { return before_of_[after]; }

  // Makes two elements without partners partners.
  void pair(std::size_t before, std::size_t after);

  // The key of an element in one round of matching; empty if it is not matched in it.
  using KeyOf = std::function<std::string(std::size_t)>;

  // Pairs elements without partners that have equal keys, in the order of the lists: the first with the first, and so on.
  void pair_equal(const KeyOf& key_of_before, const KeyOf& key_of_after);

 private:
  std::vector<std::size_t> after_of_, before_of_;
};

// Adds to `matching` the same values of both lists, except in renamed modules.
void match_places(const std::vector<ComparedValue>& before, const std::vector<ComparedValue>& after, Matching& matching);

// All rounds. The lists have to be complete: modules that are in neither of them are taken to be missing.
void match_values(const std::vector<ComparedValue>& before, const std::vector<ComparedValue>& after, Matching& matching);

// Matches by names alone, for the same graph on both sides.
void match_names(const std::vector<ComparedValue>& before, const std::vector<ComparedValue>& after, Matching& matching);

}  // namespace fxcut
