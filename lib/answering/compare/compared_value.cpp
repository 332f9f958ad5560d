#include "compare/compared_value.h"

#include "graph/show_shape.h"

namespace fxcut {

std::string extent_of(std::string_view dtype, const Sizes& shape) {
  return std::string(dtype) + show_shape(shape);
}

}  // namespace fxcut
