// The nodes that each part of a match selects.
#include "policy/policy_subjects.h"

#include <gtest/gtest.h>

#include "graph_text.h"
#include "policy/names.h"
#include "policy/subject_index.h"

namespace fxcut {
namespace {

// Everything but the output is a subject.
std::string selected(std::string_view text, const PolicyMatch& match) {
  const Graph graph = joint_graph(text).graph;
  const std::vector<std::string> operators = naming_operators({});
  PolicySubjects subjects{std::vector<bool>(graph.size(), true), same_values(graph, operators), {}, {}, {}};
  subjects.is_subject.back() = false;
  subjects.names.resize(graph.size());
  for (const NamedValue& named : find_names(graph, subjects.same, operators)) {
    subjects.names[index_of(named.value)].push_back(named.name);
  }
  std::string names;
  for (const NodeId id : SubjectIndex(graph, subjects).select(match).nodes) {
    names += (names.empty() ? "" : " ") + graph[id].name;
  }
  return names;
}

constexpr std::string_view kText = R"(
    x = placeholder : f32[4, 4]
    a = aten.mm.default(x, x) : f32[4, 4] module=layers.0.mlp.up ac_graph_id=1
    b = aten.sin.default(a) : bf16[4, 4] module=layers.0.attention ac_graph_id=2
    c = aten.mm.default(b, x) : f32[8, 4] module=layers.1.mlp
    d = aten.topk.default(c, 2) : tuple(f32[8], i64[8])
    e = aten.cos.default(d)
    return e)";

TEST(PolicyMatch, AnEmptyOneSelectsEverything) { EXPECT_EQ(selected(kText, {}), "x a b c d e"); }

TEST(PolicyMatch, MatchesOperators) {
  PolicyMatch match;
  match.op = Pattern::glob("aten.mm.*");
  EXPECT_EQ(selected(kText, match), "a c");
  match.op = Pattern::glob("*");
  EXPECT_EQ(selected(kText, match), "a b c d e") << "inputs have no operator";
}

// Through the cast and the gather of a shard; a product of two activations is none, nor one of an untransposed weight.
TEST(PolicyMatch, MatchesTheProductOfADecomposedLinear) {
  constexpr std::string_view text = R"(
    w = placeholder : f32[4, 4]@1
    x = placeholder : f32[4, 4]@2
    t = aten.t.default(w) : f32[4, 4]@1
    a = aten.mm.default(x, t) : f32[4, 4]@3
    gather = _c10d_functional.all_gather_into_tensor.default(w, 2, 0) : f32[8, 4]@4
    wait = _c10d_functional.wait_tensor.default(gather) : f32[8, 4]@4
    half = prims.convert_element_type.default(wait) : bf16[8, 4]@5
    permute = aten.permute.default(half, [1, 0]) : bf16[4, 8]@5
    b = aten.addmm.default(x, a, permute) : bf16[4, 8]@6
    c = aten.mm.default(a, w) : f32[4, 4]@7
    u = aten.t.default(c) : f32[4, 4]@7
    d = aten.mm.default(a, u) : f32[4, 4]@8
    return d)";
  PolicyMatch match;
  match.op = Pattern::glob("aten.linear.*");
  EXPECT_EQ(selected(text, match), "a b");
}

TEST(PolicyMatch, MatchesModules) {
  PolicyMatch match;
  match.module = Pattern::glob("layers.*.mlp");
  EXPECT_EQ(selected(kText, match), "a c");
}

TEST(PolicyMatch, MatchesNodeNames) {
  PolicyMatch match;
  match.node = Pattern::glob("[a]");
  EXPECT_EQ(selected(kText, match), "") << "a glob has no sets";
  match.node = Pattern::regex("[ad]");
  EXPECT_EQ(selected(kText, match), "a d");
}

TEST(PolicyMatch, MatchesKinds) {
  constexpr std::string_view text = R"(
    p = placeholder : f32[4, 4]@1 static
    x = placeholder : f32[4, 4]@2
    t = aten.t.default(p) : f32[4, 4]@1
    a = aten.mm.default(x, t) : f32[4, 4]@3
    v = aten.view.default(a, [16]) : f32[16]@3
    return v)";
  PolicyMatch match;
  match.kind = NodeKind::Activation;
  EXPECT_EQ(selected(text, match), "a");
  match.kind = NodeKind::View;
  EXPECT_EQ(selected(text, match), "t v");
  match.kind = NodeKind::Parameter;
  EXPECT_EQ(selected(text, match), "p");
  match.kind = NodeKind::Input;
  EXPECT_EQ(selected(text, match), "x");
  match.kind = NodeKind::Gathered;
  EXPECT_EQ(selected(text, match), "");
}

TEST(PolicyMatch, GatheredValuesAreAlsoViewsOrActivations) {
  constexpr std::string_view text = R"(
    p = placeholder : f32[4, 4]@1 static
    x = placeholder : f32[32, 4]@2
    g = _c10d_functional.all_gather_into_tensor.default(p, 8, "0") : f32[32, 4]@3
    w = _c10d_functional.wait_tensor.default(g) : f32[32, 4]@3
    v = aten.view.default(w, [128]) : f32[128]@3
    a = aten.mul.Tensor(x, w) : f32[32, 4]@4
    return [a, v])";
  PolicyMatch match;
  match.kind = NodeKind::Gathered;
  EXPECT_EQ(selected(text, match), "g w v");
  match.kind = NodeKind::Activation;
  EXPECT_EQ(selected(text, match), "g a") << "a wait is the value that it waits for";
}

TEST(PolicyMatch, MatchesDtypes) {
  PolicyMatch match;
  match.dtype = Pattern::glob("bfloat16");
  EXPECT_EQ(selected(kText, match), "b");
}

TEST(PolicyMatch, MatchesCheckpointedRegions) {
  PolicyMatch match;
  match.ac_graph_id = 2;
  EXPECT_EQ(selected(kText, match), "b");
}

TEST(PolicyMatch, MatchesBytesWithBothBoundsIncluded) {
  PolicyMatch match;
  match.min_bytes = 64;  // x and a: 16 float32; c: 128; d: 8 float32 and 8 int64, 96
  EXPECT_EQ(selected(kText, match), "x a c d");
  match.max_bytes = 96;
  EXPECT_EQ(selected(kText, match), "x a d");
  match.min_bytes.reset();
  match.max_bytes = 32;
  EXPECT_EQ(selected(kText, match), "b");
}

TEST(PolicyMatch, UnknownSizesMatchNoBounds) {
  PolicyMatch match;
  match.op = Pattern::glob("aten.cos.default");
  match.min_bytes = 0;
  EXPECT_EQ(selected(kText, match), "");
}

TEST(PolicyMatch, AllPartsHaveToHold) {
  PolicyMatch match;
  match.op = Pattern::glob("aten.mm.*");
  match.module = Pattern::glob("layers.0");
  EXPECT_EQ(selected(kText, match), "a");
}

// Whichever part leaves fewest nodes is looked up, and the others asked of these.
TEST(PolicyMatch, AllPartsHaveToHoldWhicheverLeavesFewest) {
  const auto matches = [] {
    std::vector<PolicyMatch> all(6);
    all[0].op = Pattern::glob("aten.mm.*");          // a c
    all[1].module = Pattern::glob("layers.0");       // a b
    all[2].dtype = Pattern::glob("float32");                     // x a c
    all[3].min_bytes = 65;                           // c d
    all[4].ac_graph_id = 1;                          // a
    all[5].op = Pattern::regex("aten\\.(mm|sin).*");  // a b c
    return all;
  }();
  const std::vector<std::string> expected = {"a c", "a b", "x a c", "c d", "a", "a b c"};
  const auto holds = [](const std::string& names, char node) { return names.find(node) != std::string::npos; };
  for (std::size_t i = 0; i < matches.size(); ++i) {
    EXPECT_EQ(selected(kText, matches[i]), expected[i]);
    for (std::size_t j = 1; j < 5; ++j) {
      if (i == j) continue;
      PolicyMatch both = matches[i];
      if (j == 1) both.module = matches[1].module;
      if (j == 2) both.dtype = matches[2].dtype;
      if (j == 3) both.min_bytes = matches[3].min_bytes;
      if (j == 4) both.ac_graph_id = matches[4].ac_graph_id;
      std::string in_both;
      for (const char node : std::string("xabcde")) {
        if (!holds(expected[i], node) || !holds(expected[j], node)) continue;
        in_both += (in_both.empty() ? "" : " ") + std::string(1, node);
      }
      EXPECT_EQ(selected(kText, both), in_both) << i << " and " << j;
    }
  }
}

constexpr std::string_view kFive = R"(
    x = placeholder
    a = aten.sin.default(x)
    other = aten.cos.default(a)
    b = aten.sin.default(other)
    c = aten.sin.default(b)
    d = aten.sin.default(c)
    e = aten.sin.default(d)
    return e)";

TEST(PolicyMatch, EverySecondOfThoseThatTheRestSelects) {
  PolicyMatch match;
  match.op = Pattern::glob("aten.sin.*");
  match.every = 2;
  EXPECT_EQ(selected(kFive, match), "b d");
}

TEST(PolicyMatch, EveryOfMoreThanThereAreSelectsNothing) {
  PolicyMatch match;
  match.op = Pattern::glob("aten.sin.*");
  match.every = 6;
  EXPECT_EQ(selected(kFive, match), "");
}

TEST(PolicyMatch, ANameSelectsTheNodeThatComputesTheValue) {
  PolicyMatch match;
  match.name = Pattern::glob("q*");
  EXPECT_EQ(selected(R"(
    x = placeholder
    a = aten.sin.default(x)
    b = aten.view.default(a, [4])
    named = xla.name_tensor.default(b, "q1")
    c = aten.sin.default(named) checkpoint_name=q2
    d = aten.sin.default(c) checkpoint_name=k
    return d)",
                     match),
            "a c");
}

TEST(PolicyMatch, OneOfSeveralNamesIsEnough) {
  PolicyMatch match;
  match.name = Pattern::glob("k");
  EXPECT_EQ(selected(R"(
    x = placeholder
    a = aten.sin.default(x) checkpoint_name=q
    named = xla.name_tensor.default(a, "k")
    return named)",
                     match),
            "a");
}

TEST(PolicyMatch, IsDescribedByItsParts) {
  PolicyMatch match;
  EXPECT_EQ(describe(match), "everything");
  match.op = Pattern::glob("aten.mm.*");
  match.min_bytes = 16;
  match.every = 2;
  EXPECT_EQ(describe(match), "op aten.mm.*, at least 16 bytes, every 2");
}

}  // namespace
}  // namespace fxcut
