// The palette: colours that contrast with their grounds in both schemes, and a style sheet that has them all.
#include "text/palette.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace fxcut {
namespace {

double channel(std::string_view colour, std::size_t at) {
  const double value = std::stoi(std::string(colour.substr(at, 2)), nullptr, 16) / 255.0;
  return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

// WCAG 2's relative luminance.
double luminance(std::string_view colour) {
  return 0.2126 * channel(colour, 1) + 0.7152 * channel(colour, 3) + 0.0722 * channel(colour, 5);
}

double contrast(std::string_view one, std::string_view other) {
  const double a = luminance(one) + 0.05, b = luminance(other) + 0.05;
  return a > b ? a / b : b / a;
}

TEST(Palette, EachPaintHasItsName) {
  EXPECT_EQ(paint(PaintOf::Ground).name, "ground");
  EXPECT_EQ(paint(PaintOf::Saved).name, "saved");
  EXPECT_EQ(paint(PaintOf::Recomputed).name, "recomputed");
  EXPECT_EQ(paint(PaintOf::Offloaded).name, "offloaded");
  EXPECT_EQ(paint(PaintOf::Compressed).name, "compressed");
  EXPECT_EQ(paint(PaintOf::Parameter).name, "parameter");
  EXPECT_EQ(paint(PaintOf::PyTorch).name, "pytorch");
}

TEST(Palette, CanBeReadInBothSchemes) {
  for (Colours Paint::* scheme : {&Paint::light, &Paint::dark}) {
    const Colours& ground = paint(PaintOf::Ground).*scheme;
    for (const Paint& one : kPalette) {
      const auto& [line, fill] = one.*scheme;
      EXPECT_GE(contrast(ground.line, fill), 4.5) << one.name << ": texts on its ground";
      const bool is_faint = one.name == "grid" || one.name == "unused";
      EXPECT_TRUE(is_faint || contrast(line, ground.fill) >= 3) << one.name;
    }
    EXPECT_GE(contrast((paint(PaintOf::Panel).*scheme).line, ground.fill), 4.5) << "soft texts";
  }
}

TEST(Palette, TheStyleSheetHasAllOfIt) {
  const std::string css = palette_css();
  for (const Paint& one : kPalette) {
    for (const Colours& colours : {one.light, one.dark}) {
      EXPECT_NE(css.find(" --" + std::string(one.name) + ": " + std::string(colours.line) + ";"), std::string::npos) << one.name;
      EXPECT_NE(css.find(" --" + std::string(one.name) + "-fill: " + std::string(colours.fill) + ";"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace fxcut
