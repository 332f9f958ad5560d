#include "report/place.h"

#include <fmt/format.h>

namespace fxcut {

std::string show_place(const Provenance& provenance) {
  if (!provenance.module.empty()) return provenance.module;
  if (provenance.source_file.empty()) return "";
  return fmt::format("{}:{}", provenance.source_file, provenance.source_line);
}

}  // namespace fxcut
