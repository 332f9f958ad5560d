// Random numbers: a call draws different numbers each time it runs, so each run has a term of its own.
//
// The joint graph's draws are numbered. A draw of a side has to be one of them, of the same call, and no two draws of the
// sides may be the same one: a recomputed draw has to run under the saved state of the generator. Draws are matched by
// name; if a wrapper has removed the name, by the first unmatched draw of an equal call. Draws of equal calls are
// exchangeable, so any assignment that gives the joint graph's outputs proves that the sides compute them.
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
  // The term of the numbers that the node of that name draws; `call` is the term of the call.
  virtual Term draw(Term call, const std::string& node) = 0;
};

// Whether the term is a result of that call: drawn, or computed.
bool is_of_call(const Terms& terms, Term drawn, Term call);

// Numbers the draws of the joint graph, or of a subgraph, in their order.
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

// A draw of a side that is not one of the joint graph's, or is drawn a second time.
struct ExtraDraw {
  std::string node;
  Term call;
  Term drawn;
};

class MatchedDraws : public Draws {
 public:
  // `is_needed`: by term, whether the joint graph's outputs depend on it; other draws are matched last. `kept` are the
  // names of random operators that a side still has.
  MatchedDraws(Terms& terms, const NumberedDraws& joint, const std::vector<bool>& is_needed, std::set<std::string> named);
  Term draw(Term call, const std::string& node) override;

  const std::vector<ExtraDraw>& extra() const { return extra_; }

 private:
  Terms& terms_;
  const NumberedDraws& joint_;
  std::set<std::string> named_;
  std::unordered_map<std::string, std::size_t> by_node_;              // number of the draw
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> open_;  // by call: the unmatched draws, the next one last
  std::vector<bool> is_claimed_;
  std::vector<ExtraDraw> extra_;
};

}  // namespace fxcut
