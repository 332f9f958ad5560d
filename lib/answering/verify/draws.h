// Random numbers: the same call draws other numbers each time it runs, so each run has a term of its own.
//
// The joint graph's draws are numbered. A side's draw is one of them, of the same call, and no two draws of the two
// sides are the same one: what is to be drawn again has to run under the generator's saved state. Which one it is goes
// by its name; where a wrapper has taken the name away, it is the first that nobody else has claimed. Draws of equal
// calls are exchangeable, so any assignment that gives the joint graph's outputs shows that the sides compute them.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "verify/terms.h"

namespace fxcut {

class Draws {
 public:
  virtual ~Draws() = default;
  // The term of what the node of that name draws; `call` is the term of the call.
  virtual Term draw(Term call, const std::string& node) = 0;
};

// Whether a term is what that call draws, or computes.
bool is_of_call(const Terms& terms, Term drawn, Term call);

// Numbers the draws in the order in which they are made: those of the joint graph, or of a subgraph.
class NumberedDraws : public Draws {
 public:
  explicit NumberedDraws(Terms& terms) : terms_(terms) {}
  Term draw(Term call, const std::string& node) override;

  struct Draw {
    Term drawn, call;
    std::string node;
  };
  const std::vector<Draw>& all() const { return all_; }

 private:
  Terms& terms_;
  std::vector<Draw> all_;
};

// A draw of a side that is none of the joint graph's, or is one that was drawn before.
struct ExtraDraw {
  std::string node;
  Term call;
};

class MatchedDraws : public Draws {
 public:
  // `is_needed`: by term, whether the joint graph's outputs depend on it; what nobody needs is claimed last. `kept` are
  // the names of random operators that stand on a side under their own names.
  MatchedDraws(Terms& terms, const NumberedDraws& joint, const std::vector<bool>& is_needed,
               std::set<std::string> kept);
  Term draw(Term call, const std::string& node) override;

  const std::vector<ExtraDraw>& extra() const { return extra_; }

 private:
  Terms& terms_;
  const NumberedDraws& joint_;
  std::set<std::string> kept_;
  std::unordered_map<std::string, std::size_t> by_node_;              // number of the draw
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> open_;  // by call, those to be claimed, the next one last
  std::vector<bool> is_claimed_;
  std::vector<ExtraDraw> extra_;
};

}  // namespace fxcut
