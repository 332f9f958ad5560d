// Alike layers are one row of changes.
#include "compare/folded_changes.h"

#include <gtest/gtest.h>

#include "text/text_style.h"

namespace fxcut {
namespace {

ValueChange added(const std::string& name, const std::string& module, std::int64_t bytes) {
  ValueChange change;
  change.after.emplace();
  change.after->name = name;
  change.after->op = "aten.mm.default";
  change.after->provenance.module = module;
  change.bytes = bytes;
  return change;
}

const std::vector<ValueChange> kChanges = {added("a", "layers.0.mlp", 20), added("b", "layers.1.mlp", 20), added("c", "head", 30),
                                           added("d", "layers.0.mlp", 10), added("e", "", 5), added("f", "", 5)};

TEST(FoldedChanges, AreSumsOfAlikeLayersLargestFirst) {
  const std::vector<FoldedChange> rows = folded(kChanges);
  ASSERT_EQ(rows.size(), 5u) << "values without a module are not alike";
  EXPECT_EQ(rows[0].place, "layers.0-1.mlp");
  EXPECT_EQ(rows[0].values, 2u);
  EXPECT_TRUE(rows[0].change.bytes == 40);
  EXPECT_EQ(rows[0].change.value().name, "a");
  EXPECT_EQ(rows[1].place, "head");
  EXPECT_EQ(rows[2].values, 1u) << "other bytes";
}

TEST(FoldedChanges, AreTheChangesWhereNothingIsFolded) {
  set_text_style({.folds = false});
  EXPECT_EQ(folded(kChanges).size(), kChanges.size());
  set_text_style({});
}

}  // namespace
}  // namespace fxcut
