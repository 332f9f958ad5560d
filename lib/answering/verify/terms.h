// The values that graphs compute, as terms: an operator with its arguments, with other terms as operands. Equal terms are
// identical (hash-consing): two nodes, of one graph or of several, compute the same value if they have the same term, and
// one comparison decides that at any depth.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/argument.h"

namespace fxcut {

enum class Term : std::uint32_t {};
constexpr std::size_t index_of(Term term) { return static_cast<std::size_t>(term); }

// Marks the place of an operand in a term's head.
inline constexpr char kHole = '\x01';

class Terms {
 public:
  // The term of that head over these operands.
  Term make(std::string_view head, std::vector<Term> operands = {});

  const std::string& head(Term term) const { return terms_[index_of(term)].head; }
  const std::vector<Term>& operands(Term term) const { return terms_[index_of(term)].operands; }
  std::size_t size() const { return terms_.size(); }

  // By term: whether it occurs in one of `roots`.
  std::vector<bool> contained_in(const std::vector<Term>& roots) const;

 private:
  struct Entry {
    std::string head;
    std::vector<Term> operands;
  };

  std::vector<Entry> terms_;  // operands come before the terms that use them
  std::unordered_map<std::string, Term> by_content_;
};

// A call as text with holes for its operands; this is the head of its term.
struct CallText {
  std::string head;                     // "aten.sub.Tensor(_, _, alpha=2)" with kHole for _
  std::vector<std::uint32_t> operands;  // for each hole: the position among the node's inputs
};

using KeywordArguments = std::vector<std::pair<std::string, Argument>>;

// Arguments that differ in value or kind give different texts: 1 and 1.0, a list and a tuple, 0.0 and -0.0. Keywords and members
// of dictionaries are in the order of their names.
CallText call_text(std::string_view target, std::span<const Argument> positional, const KeywordArguments& keyword);

// The text of an argument that contains no node.
std::string constant_text(const Argument& constant);

}  // namespace fxcut
