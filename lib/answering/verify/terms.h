// What graphs compute, as terms: an operator with its arguments, in which other terms stand for the operands. Equal
// terms are one (hash-consing): two nodes, of one graph or of several, compute the same where they have the same term,
// and to compare two takes one comparison however deep they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fxcut {

enum class Term : std::uint32_t {};
constexpr std::size_t index_of(Term term) { return static_cast<std::size_t>(term); }

// Stands in a term's head where an operand belongs.
inline constexpr char kHole = '\x01';

class Terms {
 public:
  // The term of that head over these operands.
  Term make(std::string_view head, std::vector<Term> operands = {});

  const std::string& head(Term term) const { return terms_[index_of(term)].head; }
  const std::vector<Term>& operands(Term term) const { return terms_[index_of(term)].operands; }
  std::size_t size() const { return terms_.size(); }

  // By term: whether one of `roots` is made of it.
  std::vector<bool> reached_from(const std::vector<Term>& roots) const;

 private:
  struct Made {
    std::string head;
    std::vector<Term> operands;
  };

  std::vector<Made> terms_;  // operands come before what is made of them
  std::unordered_map<std::string, Term> by_content_;
};

}  // namespace fxcut
