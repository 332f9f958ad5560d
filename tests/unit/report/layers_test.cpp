// Layers that are alike, and their names.
#include "report/layers.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

// "path xMODULES: rows", a line a folded row.
std::string show(const std::vector<ModuleRow>& rows) {
  std::string text;
  for (const FoldedRows& folded : fold_rows(rows)) {
    text += folded.path + " x" + std::to_string(folded.modules) + ":";
    for (const std::size_t row : folded.rows) text += " " + std::to_string(row);
    text += "\n";
  }
  return text;
}

TEST(Layers, ANumberIsALayersName) {
  EXPECT_EQ(layer_number("31"), 31u);
  EXPECT_EQ(layer_number("0"), 0u);
  for (const std::string_view other : {"", "ln_1", "conv1", "-1", "+1", "1 ", "00", "18446744073709551616"}) {
    EXPECT_FALSE(layer_number(other)) << other;
  }
}

TEST(Layers, RunsOfNumbersAreOneName) {
  EXPECT_EQ(layer_names({"2", "0", "10", "1", "5"}), "0-2, 5, 10");
  EXPECT_EQ(layer_names({"mlp"}), "mlp");
}

TEST(Layers, LayersOfOneKindAreAlike) {
  const std::vector<std::string_view> names = {"0", "norm", "1", "2", "head", "3"};
  const auto kind_of = [](std::size_t i) { return i == 5 ? std::nullopt : std::optional<std::string>(i == 2 ? "b" : "a"); };
  EXPECT_EQ(alike_layers(names, kind_of), (std::vector<std::vector<std::size_t>>{{0, 3}, {1}, {2}, {4}, {5}}));
}

TEST(Layers, RowsOfOneKindInLayersAreOneRow) {
  EXPECT_EQ(show({{"h.0.mlp", "mm"}, {"h.0.attn", "mm"}, {"h.1.mlp", "mm"}, {"h.2.mlp", "add"}, {"h.1.mlp", "mm"}}),
            "h.0-1.mlp x2: 0 2 4\n"
            "h.0.attn x1: 1\n"
            "h.2.mlp x1: 3\n");
}

TEST(Layers, NamesThatOnlyEndInANumberAreOfDifferentModules) {
  EXPECT_EQ(show({{"h.0.ln_1", ""}, {"h.0.ln_2", ""}, {"h.1.ln_1", ""}}), "h.0-1.ln_1 x2: 0 2\nh.0.ln_2 x1: 1\n");
}

TEST(Layers, NumbersThatDoNotCombineFreelyStayOpen) {
  EXPECT_EQ(show({{"s.0.e.0", ""}, {"s.0.e.1", ""}, {"s.1.e.0", ""}, {"s.1.e.1", ""}}), "s.0-1.e.0-1 x4: 0 1 2 3\n");
  EXPECT_EQ(show({{"s.0.e.0", ""}, {"s.0.e.1", ""}, {"s.1.e.0", ""}}), "s.*.e.* x3: 0 1 2\n");
}

TEST(Layers, PathsMayBeStrange) {
  EXPECT_EQ(show({{"", ""}, {".", ""}, {"a..b", ""}, {"", ""}}), " x1: 0 3\n. x1: 1\na..b x1: 2\n");
  EXPECT_EQ(show({{"h.*", ""}, {"h.0", ""}, {"h.1", ""}}), "h.* x1: 0\nh.0-1 x2: 1 2\n");
}

}  // namespace
}  // namespace fxcut
