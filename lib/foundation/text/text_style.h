// How text for readers is laid out: set once, by the program from its options and its terminal, before anything is shown, and the
// same for all of it. Files for programs do not depend on it.
#pragma once

#include <cstddef>
#include <optional>

namespace fxcut {

struct TextStyle {
  std::size_t width = 100;            // columns; also without a terminal, so that equal input gives equal bytes
  bool binary_units = false;          // GiB and not GB
  std::optional<std::size_t> limit = std::nullopt;  // the most rows of a table; each table's own without one
  bool folds = true;                  // alike layers are one row
};

const TextStyle& text_style();
void set_text_style(const TextStyle& style);

}  // namespace fxcut
