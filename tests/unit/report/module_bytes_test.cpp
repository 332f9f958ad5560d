// Bytes by module: each counted once, layers that repeat folded.
#include "report/module_bytes.h"

#include <gtest/gtest.h>

#include <functional>

#include "report/layers.h"

namespace fxcut {
namespace {

Report saving(const std::vector<std::pair<std::string, std::int64_t>>& kept_by_module) {
  Report report;
  for (const auto& [module, bytes] : kept_by_module) {
    SavedValue& saved = report.saved_values.emplace_back();
    saved.provenance.module = module;
    saved.kept_bytes = bytes;
  }
  return report;
}

// "path bytes/own xN", a line a module, folded ones without their members.
std::string show(const ModuleBytes& module) {
  std::string text = module.path + " " + std::to_string(module.bytes) + "/" + std::to_string(module.own_bytes);
  if (module.repeats > 1) text += " x" + std::to_string(module.repeats);
  text += "\n";
  for (const ModuleBytes& child : module.children) text += show(child);
  return text;
}

TEST(ModuleBytes, AModuleHasItsOwnAndWhatIsBelow) {
  const ModuleBytes root =
      module_bytes(saving({{"model.embed", 5}, {"model.head.norm", 7}, {"model.head", 1}, {"", 2}}));
  EXPECT_EQ(show(root),
            " 15/2\n"
            "model 13/0\n"
            "model.embed 5/5\n"
            "model.head 8/1\n"
            "model.head.norm 7/7\n");
  EXPECT_EQ(root.values, 4u);
}

TEST(ModuleBytes, LayersThatAreAlikeAreFolded) {
  const ModuleBytes root = module_bytes(saving({{"layers.0.mlp", 1}, {"layers.0.attn", 10}, {"layers.1.attn", 20},
                                                {"layers.1.mlp", 2}, {"layers.2.mlp", 3}, {"layers.3.mlp", 4},
                                                {"layers.3.attn", 30}, {"layers.norm", 5}}));
  EXPECT_EQ(show(root),
            " 75/0\n"
            "layers 75/0\n"
            "layers.0-1, 3 67/0 x3\n"
            "layers.0-1, 3.mlp 7/7\n"
            "layers.0-1, 3.attn 60/60\n"
            "layers.2 3/0\n"
            "layers.2.mlp 3/3\n"
            "layers.norm 5/5\n");
  const ModuleBytes& folded = root.children[0].children[0];
  ASSERT_EQ(folded.members.size(), 3u);
  EXPECT_EQ(show(folded.members[1]), "layers.1 22/0\nlayers.1.attn 20/20\nlayers.1.mlp 2/2\n");
}

TEST(ModuleBytes, LayersWithinLayersAreFolded) {
  const ModuleBytes root = module_bytes(saving({{"layers.0.experts.0", 1}, {"layers.0.experts.1", 2},
                                                {"layers.1.experts.0", 3}, {"layers.1.experts.1", 4}}));
  EXPECT_EQ(show(root),
            " 10/0\n"
            "layers 10/0\n"
            "layers.0-1 10/0 x2\n"
            "layers.0-1.experts 10/0\n"
            "layers.0-1.experts.0-1 10/10 x2\n");
}

TEST(ModuleBytes, ModulesThatKeepNothingAliveHaveNoTile) {
  EXPECT_EQ(show(module_bytes(saving({{"parameters", 0}, {"used", 1}}))), " 1/0\nused 1/1\n");
  EXPECT_EQ(show(module_bytes(saving({}))), " 0/0\n");
}

TEST(ModuleBytes, PathsMayBeStrangeAndDeep) {
  std::string deep = "a";
  for (int i = 0; i < 100'000; ++i) deep += ".a";
  const ModuleBytes root = module_bytes(saving({{deep, 1}, {".", 2}, {"a..b", 4}, {"18446744073709551616", 8},
                                                {"18446744073709551617", 16}}));
  EXPECT_EQ(root.bytes, 31);
  std::function<std::size_t(const ModuleBytes&)> depth = [&](const ModuleBytes& module) {
    std::size_t deepest = 0;
    for (const ModuleBytes& child : module.children) deepest = std::max(deepest, depth(child));
    return deepest + 1;
  };
  EXPECT_EQ(depth(root), kMaxModuleDepth + 1) << "the root and what is below it";
}

}  // namespace
}  // namespace fxcut
