// The memory of an optimizer's states, which stay on the device with the parameters: a fixed number of values for each element of
// each trained parameter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

struct OptimizerStates {
  std::string name;             // "adam"
  std::string dtype;            // of the states
  std::int64_t size_bytes = 0;
};

// One of torch.optim's optimizers, with its default arguments unless its name says otherwise.
struct Optimizer {
  std::string name;
  int states_per_element = 0;
  const Dtype* dtype = nullptr;
};

// The names that parse_optimizer knows, and the dtypes of states: "adam", "float32".
std::vector<std::string_view> optimizer_names();
std::vector<std::string_view> state_dtypes();

// "adam", or with the dtype of its states "adam:bfloat16"; float32 otherwise. Throws Failure (Usage) that names the nearest.
Optimizer parse_optimizer(std::string_view text);

// A parameter is trained if the backward returns a gradient for it; its outputs are in the order of the step's inputs. In a graph
// with another number of outputs, every static lifetime input of a floating-point dtype counts. Symbolic sizes count by hints.
OptimizerStates states_of(const Optimizer& optimizer, const GraphPair& graphs);

}  // namespace fxcut
