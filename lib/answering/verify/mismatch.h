// Why two terms differ, said with the names of nodes.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/evaluator.h"

namespace fxcut {

// Something that does not hold.
struct Mismatch {
  std::string where;  // "backward: mm_4", or "report: /totals/saved_bytes"
  std::string expected;
  std::string found;

  bool operator==(const Mismatch&) const = default;
};

// A term as people read it: its operator, with nodes' names for the operands.
std::string describe(const EvaluationContext& context, Term term);

// The name of the node that has it; where none has, what it is.
std::string short_name(const EvaluationContext& context, Term term);

// Follows each difference down to the call that makes it, so that what many outputs have in common is told once.
class MismatchCauses {
 public:
  explicit MismatchCauses(const EvaluationContext& context) : context_(context) {}

  // `output` is what differs, as "gradient 2, mm_4"; terms that are equal are of no account.
  void add(std::string_view side, const std::string& output, Term expected, Term found);

  std::vector<Mismatch> take();

 private:
  using Pair = std::pair<Term, Term>;  // expected, found

  const EvaluationContext& context_;
  std::map<Pair, std::size_t> causes_;  // by what differs: which of the mismatches it leads to
  std::vector<Mismatch> mismatches_;
  std::vector<std::size_t> others_;  // by mismatch: how many more outputs differ by it
};

}  // namespace fxcut
