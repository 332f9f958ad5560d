// The calls of a joint graph's forward as eager PyTorch makes them: each by its operator, its module, and how many of that
// operator were called there before it. A policy of selective checkpointing sees operators below autograd, one at a time; with
// the module that runs and a count, it knows which call of the graph it has before it.
//
// A graph has no operator that writes, and is traced with a few operators replaced: those are counted under the names that eager
// has for them. Which calls eager repeats, because the graph's merged equal ones, does not matter: the graph is the one that was
// read.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

struct EagerCall {
  std::string module;      // its path; empty: the outermost
  std::string op;          // "aten.mm.default"
  std::size_t number = 0;  // of these calls in that module, from 0
};

struct EagerCalls {
  std::vector<std::optional<EagerCall>> by_node;  // none of what is no call of the forward, or of no operator
  std::map<std::pair<std::string, std::string>, std::size_t> counts;  // by module and operator
};

// The name under which eager calls the operator of a node.
std::string eager_operator(const Node& call);

// The name that the node's module has in its model; empty: the model itself. Older releases trace "layers[0]" and
// "_modules['layers']._modules['0']" for what is named "layers.0".
std::string eager_module(const Node& node);

// Whether eager makes the call by an operator that writes random numbers into a tensor of its own, and others that use them:
// dropout on a device without a kernel for it.
bool is_dropout_in_steps(const Node& call);

EagerCalls number_calls(const Graph& graph);

}  // namespace fxcut
