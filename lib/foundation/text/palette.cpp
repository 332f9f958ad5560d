#include "text/palette.h"

namespace fxcut {
namespace {

std::string variables(Colours Paint::* scheme) {
  std::string text = ":root {";
  for (const Paint& paint : kPalette) {
    const auto& [line, fill] = paint.*scheme;
    const std::string name = " --" + std::string(paint.name);
    text += name + ": " + std::string(line) + ";" + name + "-fill: " + std::string(fill) + ";";
  }
  return text + " }";
}

}  // namespace

std::string palette_css() {
  return variables(&Paint::light) + "\n@media (prefers-color-scheme: dark) { " + variables(&Paint::dark) + " }\n";
}

}  // namespace fxcut
