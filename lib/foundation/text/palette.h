// The colours of everything that fxcut draws: the pages, the pictures of 'show' and the chart of 'pareto'. A thing has the same
// colour everywhere, by its name here. In pages they are CSS variables, "--saved" for lines and text, "--saved-fill" for grounds.
//
// Each line colour reaches WCAG's contrast of 3 on its ground, texts 4.5, in both schemes. Saved, recomputed, offloaded and
// compressed also differ in lightness, for colour-blind readers.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace fxcut {

struct Colours {
  std::string_view line, fill;
};

struct Paint {
  std::string_view name;
  Colours light, dark;
};

enum class PaintOf {
  Ground,      // behind everything; its line is that of text
  Panel,       // behind tables' heads; its line is that of less important text
  Grid,        // rules and grids
  Accent,      // links, the one figure that matters
  Forward,     // computed in the forward
  Backward,    // computed in the backward
  Saved,
  Recomputed,
  Offloaded,
  Compressed,  // saved in fewer bits
  Gradient,
  Output,      // of the forward, and tangents: what a caller holds
  Temporary,
  Parameter,   // always resident
  Unused,
  PyTorch,     // its decisions, for comparison
};

inline constexpr std::array<Paint, 16> kPalette = {{
    {"ground", {"#1f2328", "#ffffff"}, {"#e6edf3", "#0d1117"}},
    {"panel", {"#59636e", "#f6f8fa"}, {"#9198a1", "#151b23"}},
    {"grid", {"#d1d9e0", "#eaeef2"}, {"#3d444d", "#21262d"}},
    {"accent", {"#0969da", "#ddf4ff"}, {"#4493f8", "#10304d"}},
    {"forward", {"#6e7f91", "#eef2f6"}, {"#7d8b99", "#1c232c"}},
    {"backward", {"#8c7a68", "#f6f1ea"}, {"#9c8b79", "#26211b"}},
    {"saved", {"#0969da", "#ddeeff"}, {"#4493f8", "#11304f"}},
    {"recomputed", {"#bc4c00", "#ffe9d6"}, {"#f0883e", "#472b10"}},
    {"offloaded", {"#8250df", "#eee3ff"}, {"#a371f7", "#33215c"}},
    {"compressed", {"#0a3a7a", "#bcd5fa"}, {"#a5cdff", "#2a5488"}},
    {"gradient", {"#1a7f37", "#d3f2db"}, {"#3fb950", "#12361d"}},
    {"output", {"#0f7373", "#d2f0f0"}, {"#39b5b5", "#0f3838"}},
    {"temporary", {"#9a6700", "#fbefc9"}, {"#d29922", "#3c2e0a"}},
    {"parameter", {"#6e7781", "#e6eaef"}, {"#848d97", "#2a313a"}},
    {"unused", {"#9aa4ae", "#f1f3f5"}, {"#5c6670", "#171c22"}},
    {"pytorch", {"#bf3989", "#ffe3f1"}, {"#f778ba", "#42162f"}},
}};

constexpr const Paint& paint(PaintOf what) { return kPalette[static_cast<std::size_t>(what)]; }

// A style sheet with the variables of all paints, in light, and in dark where the reader prefers it.
std::string palette_css();

}  // namespace fxcut
