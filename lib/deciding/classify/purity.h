// Side effects and randomness of calls.
#pragma once

#include <set>
#include <string>

#include "graph/graph.h"

namespace fxcut {

// Whether an operator's call draws from a random generator, so that recomputing it gives other numbers: it is random, and not
// attention with a dropout known to be zero. Not for higher-order calls.
bool draws_numbers(const Node& node);

// Whether the call is a wrapper of a random operator that draws the same numbers again, under a generator state that it is given.
bool runs_under_given_state(const Node& node);

// Whether any call draws from a random generator, including its subgraphs; not one under a given generator state.
class RandomCalls {
 public:
  explicit RandomCalls(const Subgraphs& subgraphs);
  bool contains(const Graph& graph, const Node& node) const;

 private:
  std::set<std::string, std::less<>> drawing_;  // names of subgraphs
};

// Whether dead code elimination has to keep the node (PyTorch's Node.is_impure while AOTAutograd compiles, where random
// operators count as pure in most releases): placeholders, the output, operators that write to their arguments or have a
// side effect, and auto_functionalized calls of such operators.
bool is_impure(const Node& node);

// Whether the node writes to memory that others may read, so that equal calls before and after it differ (PyTorch's
// torch._inductor.pattern_matcher.is_mutation_op).
bool is_mutation(const Node& node);
bool is_mutation_in(const Node& node, Release release);

// Whether the operator draws random numbers from a generator that can be seeded (PyTorch's tag nondeterministic_seeded,
// and in newer releases its is_rng_op: attention without dropout draws none).
bool is_random(const Node& node);

// Whether the operator was registered as random in C++, as some of PyTorch's passes ask; prims and rngprims get the tag later, in
// Python.
inline bool is_registered_random(const Operator& op) {
  return op.seeded_random && op.space != "prims" && op.space != "rngprims";
}

// Whether it draws seeds for random numbers that inductor's code computes. That code draws other seeds than the
// operator, so the operator cannot be recomputed from a generator's saved state: its value is saved.
bool draws_seeds(const Node& node);

// Whether the operator draws numbers from one of those seeds, in a kernel of inductor's. PyTorch does not tag it as random.
bool draws_from_seed(const Operator& op);

// Whether the node waits for a collective. It counts as impure, though it may run twice.
bool is_wait(const Node& node);

// Whether the attention call, with its dropout argument, is known to have a dropout of zero.
bool has_zero_dropout(const Node& node, const Operator::Dropout& dropout);

// Whether a mutable operator belongs to the side that it is tagged for (PyTorch's _must_be_in_forward and
// _must_be_in_backward).
bool must_be_in_forward(const Node& node);
bool must_be_in_backward(const Node& node);

}  // namespace fxcut
