// Explains why two terms differ, by the names of nodes.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/evaluator.h"

namespace fxcut {

// A difference between the partition and the joint graph, or a wrong figure of the report.
struct Mismatch {
  std::string where;  // "backward: mm_4", or "report: /totals/saved_bytes"
  std::string expected;
  std::string found;

  bool operator==(const Mismatch&) const = default;
};

// A term in readable form: its operator, with nodes' names for the operands.
std::string describe(const EvaluationContext& context, Term term);

// The name of a node with that term; if there is none, a short description.
std::string short_name(const EvaluationContext& context, Term term);

// Follows each difference to the call that causes it, so that a common cause of many outputs is reported once.
class MismatchCauses {
 public:
  explicit MismatchCauses(const EvaluationContext& context) : context_(context) {}

  // `output` is the place of the difference, such as "gradient 2, mm_4"; equal terms are ignored.
  void add(std::string_view side, const std::string& output, Term expected, Term found);

  std::vector<Mismatch> take();

 private:
  using Pair = std::pair<Term, Term>;  // expected, found

  const EvaluationContext& context_;
  std::map<Pair, std::size_t> causes_;  // by differing pair: the position of its mismatch
  std::vector<Mismatch> mismatches_;
  std::vector<std::size_t> others_;  // by mismatch: the number of further outputs that differ by it
};

// Adds violations of these rules:
// - each write of the joint graph runs once, on the side of its tag, and no other write runs;
// - a check runs on at least one side, and none runs that the joint graph does not have;
// - an effect that tokens order (with_effects) runs once at most, and none runs that the joint graph does not have;
// - on each side checks are in the joint graph's order, among themselves and with writes.
// A write's term contains the earlier writes to its arguments, so writes to the same memory are in order as well; others may
// change places.
void compare_effects(const EvaluationContext& context, const std::vector<Effect>& joint, const std::vector<Effect>& forward,
                     const std::vector<Effect>& backward, std::vector<Mismatch>& mismatches);

}  // namespace fxcut
