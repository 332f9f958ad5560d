// Layers that repeat, folded into one.
#include "show/fold_layers.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

struct Folded {
  explicit Folded(std::string_view text, const std::string& kept_path = "") : joint(joint_graph(text)) {
    shown = node_states(joint, GraphForm::Forward, std::nullopt);
    tree = graph_modules(joint.graph, shown);
    std::vector<bool> kept(tree.modules.size());
    for (std::uint32_t m = 1; m < tree.modules.size(); ++m) kept[m] = !kept_path.empty() && tree.path(m) == kept_path;
    folding = fold_repeats(joint.graph, shown, tree, kept);
  }

  std::string drawn_as(std::string_view name) const {
    return joint.graph[folding.drawn_as[index_of(id_named(joint.graph, name))]].name;
  }
  std::uint32_t module(const std::string& path) const {
    for (std::uint32_t m = 1; m < tree.modules.size(); ++m) {
      if (tree.path(m) == path) return m;
    }
    return 0;
  }

  JointGraph joint;
  std::vector<DrawnNode> shown;
  GraphModules tree;
  Folding folding;
};

constexpr std::string_view kLayers =
    "x = placeholder : f32[4]\n"
    "a0 = aten.sin.default(x) : f32[4] module=layers.0\n"
    "b0 = aten.mul.Tensor(a0, x) : f32[4] module=layers.0.act\n"
    "a1 = aten.sin.default(b0) : f32[4] module=layers.1\n"
    "b1 = aten.mul.Tensor(a1, x) : f32[4] module=layers.1.act\n"
    "a2 = aten.cos.default(b1) : f32[4] module=layers.2\n"
    "b2 = aten.mul.Tensor(a2, x) : f32[4] module=layers.2.act\n"
    "a3 = aten.sin.default(b2) : f32[4] module=layers.3\n"
    "b3 = aten.mul.Tensor(a3, x) : f32[4] module=layers.3.act\n"
    "return b3";

TEST(Fold, TheFirstOfThoseThatAreAlikeStandsForAll) {
  const Folded folded(kLayers);
  EXPECT_EQ(folded.drawn_as("a1"), "a1");  // x belongs to layers.0, which is another for it
  EXPECT_EQ(folded.drawn_as("a3"), "a1");
  EXPECT_EQ(folded.drawn_as("b3"), "b1");
  EXPECT_EQ(folded.drawn_as("a2"), "a2");  // another operator
  EXPECT_EQ(instance_names(folded.tree, folded.folding.instances[folded.module("layers.1")]), "1, 3");
  EXPECT_TRUE(folded.folding.instances[folded.module("layers.3")].empty());
}

TEST(Fold, KeptModulesStandForThemselves) {
  const Folded folded(kLayers, "layers.3");
  EXPECT_EQ(folded.drawn_as("b3"), "b3");
  EXPECT_EQ(folded.folding.instances[folded.module("layers.3")].size(), 1u);
}

TEST(Fold, FoldsWithinWhatIsFolded) {
  const Folded folded(
      "x = placeholder\n"
      "s = aten.exp.default(x)\n"
      "a = aten.sin.default(s) module=h.0.e.0\n"
      "b = aten.sin.default(s) module=h.0.e.1\n"
      "c = aten.sin.default(s) module=h.1.e.0\n"
      "d = aten.sin.default(s) module=h.1.e.1\n"
      "return a, b, c, d");
  EXPECT_EQ(folded.drawn_as("b"), "a");
  EXPECT_EQ(folded.drawn_as("c"), "a");
  EXPECT_EQ(folded.drawn_as("d"), "a");
}

TEST(Fold, ShapesTellModulesApart) {
  const Folded folded(
      "x = placeholder\n"
      "s = aten.exp.default(x)\n"
      "a = aten.sin.default(s) : f32[4] module=h.0\n"
      "b = aten.sin.default(s) : f32[5] module=h.1\n"
      "return a, b");
  EXPECT_EQ(folded.drawn_as("b"), "b");
}

TEST(GraphModules, ANodeWithoutAModuleStandsWithItsLatestInput) {
  const Folded folded(
      "x = placeholder\n"
      "a = aten.sin.default(x) module=h.0\n"
      "b = aten.sin.default(x) module=g\n"
      "c = aten.add.Tensor(b, a)\n"
      "return c");
  EXPECT_EQ(folded.tree.path(folded.tree.module_of[index_of(id_named(folded.joint.graph, "c"))]), "g");
  EXPECT_EQ(folded.tree.path(folded.tree.module_of[index_of(id_named(folded.joint.graph, "x"))]), "h.0");
}

TEST(GraphModules, APathThatIsTooDeepGoesOnInOneName) {
  std::string path = "a";
  for (int i = 0; i < 1000; ++i) path += ".a";
  const Folded folded("x = placeholder\na = aten.sin.default(x) module=" + path + "\nreturn a");
  EXPECT_EQ(folded.tree.modules.size(), kMaxModuleDepth + 1);
  EXPECT_EQ(folded.tree.path(kMaxModuleDepth), path);
}

}  // namespace
}  // namespace fxcut
