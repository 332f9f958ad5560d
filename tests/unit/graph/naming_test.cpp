// Names for new nodes.
#include "graph/naming.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "graph_text.h"

namespace fxcut {
namespace {

Namespace names(const std::string& taken, Release release = kNewestRelease) {
  std::string text;
  for (std::size_t begin = 0; begin < taken.size();) {
    const std::size_t end = std::min(taken.find(' ', begin), taken.size());
    text += taken.substr(begin, end - begin) + " = placeholder\n";
    begin = end + 1;
  }
  return Namespace(joint_graph(text + "return 0").graph, release);
}

TEST(Naming, AFreeNameIsTakenAsItIs) { EXPECT_EQ(names("x").create("add"), "add"); }

TEST(Naming, ATakenNameGetsTheNextNumber) {
  Namespace space = names("add");
  EXPECT_EQ(space.create("add"), "add_1");
  EXPECT_EQ(space.create("add"), "add_2");
}

TEST(Naming, NumbersGoOnFromTheLastOneGiven) {
  Namespace space = names("add add_7");
  EXPECT_EQ(space.create("add"), "add_8");
  EXPECT_EQ(space.create("add_3"), "add_3") << "a free number is kept";
  EXPECT_EQ(space.create("add"), "add_4") << "and is where counting goes on from";
}

TEST(Naming, ATakenNumberGoesOnFromItsBase) {
  Namespace space = names("add add_1 add_2");
  EXPECT_EQ(space.create("add_1"), "add_3");
}

TEST(Naming, TheOrderOfTheNamesDecides) {
  EXPECT_EQ(names("add_5 add_2").create("add_2"), "add_3");
  EXPECT_EQ(names("add_2 add_5").create("add_2"), "add_6");
}

TEST(Naming, NonNumericSuffixesArePartOfTheName) {
  EXPECT_EQ(names("add2").create("add2"), "add2_1");
  EXPECT_EQ(names("_1").create("_1"), "_1_1");
  EXPECT_EQ(names("x_").create("x_"), "x__1");
}

TEST(Naming, ACopyKnowsTheNamesThatWereCopied) {
  const Graph source = joint_graph("a = placeholder\nb = placeholder\nreturn a").graph;
  Namespace space(source, {id_named(source, "b")});
  EXPECT_EQ(space.create("a"), "a");
  EXPECT_EQ(space.create("b"), "b_1");
}

TEST(Naming, ATakenNumberGoesOnAsTheReleaseCounts) {
  const std::string taken = "add add_1 add_2 add_5";
  EXPECT_EQ(names(taken, kTorch2_12).create("add_1"), "add_6") << "after the last number of add";
  EXPECT_EQ(names(taken, kTorch2_11).create("add_1"), "add_3") << "the first free one";
  EXPECT_EQ(names(taken, kTorch2_7).create("add_1"), "add_3");
  EXPECT_EQ(names("add add_1 add_5", kTorch2_7).create("add_5"), "add_2");
  EXPECT_EQ(names("add add_1 add_5", kTorch2_6).create("add_5"), "add_6") << "after its own number";
  EXPECT_EQ(names("add_0 add_5", kTorch2_6).create("add_0"), "add_6") << "0 is no number to go on from";
  for (const Release release : known_releases()) EXPECT_EQ(names(taken, release).create("add"), "add_6") << release.minor;
}

}  // namespace
}  // namespace fxcut
