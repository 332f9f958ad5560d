#include "text/text_style.h"

namespace fxcut {
namespace {

TextStyle& the_style() {
  static TextStyle style;
  return style;
}

}  // namespace

const TextStyle& text_style() { return the_style(); }

void set_text_style(const TextStyle& style) { the_style() = style; }

}  // namespace fxcut
