// Classes of operators in the user's words, for rules that hold whichever kernel a backend takes, and before and after PyTorch
// decomposes an operator.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

enum class OperatorClass : std::uint8_t {
  Attention,      // any kernel's; where it is decomposed the batched product of the softmax and the values
  Matmul,         // products of matrices, attention's kernels not among them
  Convolution,
  Normalization,  // of layers, batches, groups and roots of means of squares; decomposed its statistics, and what they scale
  Collective,     // and the waits for them
  Random,         // draws random numbers; an attention that may drop out is none
  Cheap,          // PyTorch's partitioner takes it for cheap to run again: pointwise operators and reductions that fuse
};

// By name in policy files, in the order of the enumeration.
inline constexpr std::array<std::pair<std::string_view, OperatorClass>, 7> kOperatorClasses = {{
    {"attention", OperatorClass::Attention},
    {"matmul", OperatorClass::Matmul},
    {"convolution", OperatorClass::Convolution},
    {"normalization", OperatorClass::Normalization},
    {"collective", OperatorClass::Collective},
    {"random", OperatorClass::Random},
    {"cheap", OperatorClass::Cheap},
}};

constexpr std::string_view name_of(OperatorClass operators) {
  return kOperatorClasses[static_cast<std::size_t>(operators)].first;
}

// Whether the call is of one of these operators, whatever their overloads ("aten.mm").
bool calls_any(const Node& call, std::initializer_list<std::string_view> packets);

// By node, whether it is a call of the class, or an item of what one returns.
std::vector<bool> calls_of(const Graph& graph, OperatorClass operators);

}  // namespace fxcut
