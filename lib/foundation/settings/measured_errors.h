// By how much rounding changes the values of a graph, as the package measures it (fxcut.measure_compression).
#pragma once

#include <map>
#include <optional>
#include <string>

namespace fxcut {

struct MeasuredError {
  std::string op;               // of the node, by which a file of another graph is known
  std::optional<double> error;  // the norm of the difference as a share of the value's; none: the rounded value is not finite
};

struct MeasuredErrors {
  std::string graph;                             // its name
  std::string dtype;                             // to which the values were rounded, without "torch."
  std::map<std::string, MeasuredError> by_node;  // by the node's name
};

}  // namespace fxcut
