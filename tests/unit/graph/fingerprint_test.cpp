// The differences that a fingerprint sees, and those that it does not.
#include "graph/fingerprint.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

using Aspects = std::vector<std::string_view>;

constexpr std::string_view kGraph = R"(
    primals_1 = placeholder : f32[4, 4]@1
    tangents_1 = placeholder : f32[4, 4]@2
    sin = aten.sin.default(primals_1) : f32[4, 4]@3
    add = aten.add.Tensor(sin, 1) : f32[4, 4]@4
    mul = aten.mul.Tensor(tangents_1, sin) : f32[4, 4]@5
    return add | mul)";

std::string replaced(std::string_view from, std::string_view to) {
  std::string text(kGraph);
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// In what the graph differs from kGraph.
Aspects differing(std::string_view text) {
  return differing_aspects(fingerprint_of(joint_graph(kGraph)), fingerprint_of(joint_graph(text)));
}

TEST(Fingerprint, IsTheSameForTheSameGraph) { EXPECT_EQ(differing(kGraph), Aspects{}); }

TEST(Fingerprint, TellsNamesFromCalls) {
  EXPECT_EQ(differing(replaced("sin", "sine")).size(), 2U);  // the operator's name as well
  EXPECT_EQ(differing(replaced("add ", "sum ")), Aspects{"names of nodes"});
  EXPECT_EQ(differing(replaced("(sin, 1)", "(sin, 2)")), Aspects{"operators and their arguments"});
  EXPECT_EQ(differing(replaced("(sin, 1)", "(sin, 1.0)")), Aspects{"operators and their arguments"});
  EXPECT_EQ(differing(replaced("(tangents_1, sin)", "(sin, tangents_1)")), Aspects{"operators and their arguments"});
}

TEST(Fingerprint, TellsSizesAndSharedMemory) {
  EXPECT_EQ(differing(replaced("4]@5", "8]@5")), Aspects{"dtypes, sizes and shared memory"});
  EXPECT_EQ(differing(replaced("@4", "@3")), Aspects{"dtypes, sizes and shared memory"});
  EXPECT_EQ(differing(replaced("@5", "@5 was s1")), Aspects{"dtypes, sizes and shared memory"});
}

TEST(Fingerprint, StoragesMayBeNumberedOtherwise) { EXPECT_EQ(differing(replaced("@3", "@77")), Aspects{}); }

TEST(Fingerprint, TellsTagsAndMarks) {
  const Aspects marks = {"tags, marks, modules or checkpoint names"};
  EXPECT_EQ(differing(replaced("4]@3", "4]@3 recompute=MUST_SAVE")), marks);
  EXPECT_EQ(differing(replaced("4]@1", "4]@1 static")), marks);
  EXPECT_EQ(differing(replaced("4]@4", "4]@4 module=layers.0")), marks);
}

TEST(Fingerprint, TellsAnotherNumberOfNodes) {
  const Aspects aspects = differing(replaced("    return", "    neg = aten.neg.default(mul) : f32[4, 4]\n    return"));
  ASSERT_FALSE(aspects.empty());
  EXPECT_EQ(aspects.front(), "how many nodes there are");
}

TEST(Fingerprint, SeesIntoSubgraphs) {
  const std::string sin = subgraphs_line({{"body", "x = placeholder\ny = aten.sin.default(x)\nreturn y"}});
  const std::string cos = subgraphs_line({{"body", "x = placeholder\ny = aten.cos.default(x)\nreturn y"}});
  const GraphFingerprint with_sin = fingerprint_of(joint_graph(sin + "\n" + std::string(kGraph)));
  const GraphFingerprint with_cos = fingerprint_of(joint_graph(cos + "\n" + std::string(kGraph)));
  EXPECT_EQ(differing_aspects(with_sin, with_cos), Aspects{"operators and their arguments"});
}

TEST(Fingerprint, KeywordsMayComeInAnotherOrder) {
  const std::string forth = replaced("(sin, 1)", "(sin, 1, out=primals_1, alpha=sin)");
  const std::string back = replaced("(sin, 1)", "(sin, 1, alpha=sin, out=primals_1)");
  EXPECT_EQ(differing_aspects(fingerprint_of(joint_graph(forth)), fingerprint_of(joint_graph(back))), Aspects{});
  const std::string other = replaced("(sin, 1)", "(sin, 1, alpha=primals_1, out=sin)");
  EXPECT_EQ(differing_aspects(fingerprint_of(joint_graph(forth)), fingerprint_of(joint_graph(other))),
            Aspects{"operators and their arguments"});
}

TEST(Fingerprint, SubgraphsMayComeInAnotherOrder) {
  const std::string sin = "x = placeholder\ny = aten.sin.default(x)\nreturn y", cos = "x = placeholder\nreturn x";
  const auto with = [](const std::string& subgraphs) {
    return fingerprint_of(joint_graph(subgraphs + "\n" + std::string(kGraph)));
  };
  EXPECT_EQ(differing_aspects(with(subgraphs_line({{"a", sin}, {"b", cos}})), with(subgraphs_line({{"b", cos}, {"a", sin}}))),
            Aspects{});
}

}  // namespace
}  // namespace fxcut
