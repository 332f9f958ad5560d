// Wrappers by which a random operator draws the same numbers twice (PyTorch's torch._prims.rng_prims). `wrapped` is the
// operator's own call with inputs of the new graph; the wrapper has the operator as an argument before the operator's
// own, and the operator's inputs before its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "graph/graph.h"

namespace fxcut {

// higher_order.run_and_save_rng_state(op, ...): the generator's state before, and the result.
Node make_run_and_save(const Node& wrapped, std::int64_t state_bytes, std::string name);
// higher_order.run_with_rng_state(state, op, ...): the result under that state.
Node make_run_with(const Node& wrapped, NodeId state, std::string name);
// higher_order.graphsafe_run_with_rng_state(op, ..., rng_state=generator).
Node make_graph_safe(const Node& wrapped, NodeId generator, std::string name);

// A generator's state, and a generator.
std::shared_ptr<const Value> state_value(std::int64_t size_bytes);
std::shared_ptr<const Value> generator_value();

Node make_getitem(NodeId tuple, std::int64_t position, std::string name);
Node make_placeholder(std::string target, std::string name);

}  // namespace fxcut
