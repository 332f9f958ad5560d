// Messages, and the names that they suggest.
#include "diagnostic/diagnostic.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

const std::vector<std::string_view> kNames = {"primals_1", "primals_2", "tangents_1", "mm", "add"};

TEST(NearestName, WithOneChange) {
  EXPECT_EQ(nearest("primal_1", kNames), "primals_1") << "a letter is missing";
  EXPECT_EQ(nearest("tangentss_1", kNames), "tangents_1") << "a letter too many";
  EXPECT_EQ(nearest("tamgents_1", kNames), "tangents_1") << "another letter";
  EXPECT_EQ(nearest("atngents_1", kNames), "tangents_1") << "two letters swapped";
}

TEST(NearestName, TiesGoToTheFirst) { EXPECT_EQ(nearest("primals_3", kNames), "primals_1"); }

TEST(NearestName, AThirdOfTheLettersMayDiffer) {
  EXPECT_EQ(nearest("xxxgents_1", kNames), "tangents_1");
  EXPECT_EQ(nearest("xxxxents_1", kNames), "");
  EXPECT_EQ(nearest("ad", kNames), "add");
  EXPECT_EQ(nearest("x", {"y"}), "y") << "one letter may always differ";
  EXPECT_EQ(nearest("xx", {"yy"}), "");
}

TEST(NearestName, FallsBackToANameWithTheSamePrefix) {
  EXPECT_EQ(nearest("tan", kNames), "tangents_1");
  EXPECT_EQ(nearest("ta", kNames), "") << "two letters say too little";
}

TEST(NearestName, IsEmptyWithoutCandidates) {
  EXPECT_EQ(nearest("add", {}), "");
  EXPECT_EQ(did_you_mean("zzzzzz", kNames), "");
  EXPECT_EQ(did_you_mean("addd", kNames), "did you mean 'add'?");
}

TEST(NearestName, VeryLongNamesAreNotCompared) {
  const std::string name(81, 'a'), almost = name.substr(0, 79) + "b";
  EXPECT_EQ(nearest(name, {almost}), "");
  EXPECT_EQ(nearest(almost, {name}), "");
  EXPECT_EQ(nearest(almost, {std::string_view(almost)}), almost);
}

TEST(Failures, ListWhatIsWrongWithPlacesAndHints) {
  const Failure failure(ExitStatus::BadInput, {{"g.json:2: /nodes", "no nodes", "add one"}, {"", "and more", ""}});
  EXPECT_STREQ(failure.what(),
               "fxcut: g.json:2: /nodes: error: no nodes\n"
               "  add one\n"
               "fxcut: error: and more");
  EXPECT_EQ(failure.status(), ExitStatus::BadInput);
  EXPECT_EQ(failure.diagnostics().size(), 2u);
}

TEST(Failures, AreOnlyWhatTheyAre) {
  const Failure failure(ExitStatus::BadInput,
                        {{"a\x1b.json", "no '\nfxcut: error: forged\u202e'\n    of which", "add one\nor two"}});
  EXPECT_STREQ(failure.what(),
               "fxcut: a\\u001b.json: error: no '\\u000afxcut: error: forged\\u202e'\n    of which\n"
               "  add one\\u000aor two");
}

}  // namespace
}  // namespace fxcut
