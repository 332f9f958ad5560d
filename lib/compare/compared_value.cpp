#include "compare/compared_value.h"

#include <fmt/format.h>

namespace fxcut {

std::string extent_of(std::string_view dtype, const std::vector<Size>& shape) {
  std::vector<std::string> sizes;
  for (const Size& size : shape) {
    sizes.push_back(size.expression ? size.expression->text : std::to_string(size.hint));
  }
  return fmt::format("{}[{}]", dtype, fmt::join(sizes, ", "));
}

std::string place_of(const Provenance& provenance) {
  if (!provenance.module.empty() || provenance.source_file.empty()) return provenance.module;
  return fmt::format("{}:{}", provenance.source_file, provenance.source_line);
}

}  // namespace fxcut
