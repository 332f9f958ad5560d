#include "graph/show_shape.h"

#include <fmt/format.h>

#include <vector>

namespace fxcut {

std::string show_shape(const Sizes& shape) {
  std::vector<std::string> sizes;
  for (const Size& size : shape) sizes.push_back(size.expression ? size.expression->text : std::to_string(size.hint));
  return fmt::format("[{}]", fmt::join(sizes, ", "));
}

}  // namespace fxcut
