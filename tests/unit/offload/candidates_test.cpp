// The marked values that are offloaded, and the reasons why the others are not.
#include "offload/candidates.h"

#include <gtest/gtest.h>

#include <set>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

// "a:none b:view": the verdicts in a forward whose outputs before the | are its own, and after it the values that it saves.
std::string verdicts(const std::string& text) {
  const JointGraph joint = joint_graph(text);
  std::string all;
  for (const OffloadCandidate& candidate : find_offload_candidates(joint.graph, joint)) {
    all += (all.empty() ? "" : " ") + candidate.name + ":" + std::string(name_of(candidate.refusal));
  }
  return all;
}

// The verdict on `x`, computed by `call` and saved.
std::string verdict(const std::string& call) {
  return verdicts("\"symbols\": {\"u0\": {\"hint\": null, \"backed\": false}}\np = placeholder\nx = " + call +
                  " should_offload=true\nreturn p | x");
}

TEST(OffloadCandidates, AreWhatIsMarked) {
  EXPECT_EQ(verdicts(R"(
    p = placeholder : f32[4]{1} should_offload=true
    a = aten.sin.default(p) : f32[4]{1} should_offload=true
    b = aten.cos.default(p) : f32[4]{1} should_offload=false
    c = aten.exp.default(p) : f32[4]{1} recompute=MUST_CPU_OFFLOAD
    return c | p, a, b)"),
            "p:none a:none");
}

TEST(OffloadCandidates, StaticInputsAreNotSpared) {
  EXPECT_EQ(verdicts("p = placeholder : f32[4]{1} static should_offload=true\nreturn | p"), "p:none");
}

TEST(OffloadCandidates, ValuesTheBackwardDoesNotReadStay) {
  EXPECT_EQ(verdicts("p = placeholder\na = aten.sin.default(p) : f32[4] should_offload=true\n"
                     "return p | p"), "a:not_saved");
}

TEST(OffloadCandidates, OutputsStayEvenIfTheyAreSaved) {
  EXPECT_EQ(verdicts("p = placeholder\na = aten.sin.default(p) : f32[4] should_offload=true\nreturn a | a"),
            "a:forward_output");
  EXPECT_EQ(verdicts("p = placeholder\na = aten.view.default(p, [4]) : f32[4] should_offload=true\nreturn a | p"),
            "a:forward_output")
      << "asked first";
}

TEST(OffloadCandidates, ViewsAndItemsStay) {
  EXPECT_EQ(verdict("aten.view.default(p, [2, 2]) : f32[2, 2]{1, 2}"), "x:view") << "asked before strides";
  EXPECT_EQ(verdict("operator.getitem(p, 0) : f32[2, 2]{1, 2}"), "x:item") << "asked before strides";
}

TEST(OffloadCandidates, NonContiguousValuesStay) {
  EXPECT_EQ(verdict("aten.sin.default(p) : f32[2, 2]{1, 2}"), "x:not_contiguous");
  EXPECT_EQ(verdict("aten.sin.default(p) : f32[s0=8, 4]{1, s0=8}"), "x:not_contiguous");
}

TEST(OffloadCandidates, ASymbolStaysIfAPolicyOnlyPrefersTheHost) {
  JointGraph joint = joint_graph("p = placeholder\nx = aten.sym_size.int(p, 0) : symint(s0=8) should_offload=true\nreturn p | x");
  const auto refusal_of = [&](OffloadRequest request) {
    joint.graph.nodes[1].meta.offload_request = request;
    return find_offload_candidates(joint.graph, joint).at(0).refusal;
  };
  EXPECT_EQ(refusal_of(OffloadRequest::Preferred), OffloadRefusal::NotATensor);
  EXPECT_EQ(refusal_of(OffloadRequest::Permitted), OffloadRefusal::NotATensor);
  EXPECT_EQ(refusal_of(OffloadRequest::Must), OffloadRefusal::None) << "which ends in an error";
}

TEST(OffloadCandidates, ValuesNotOfTheForwardStay) {
  const JointGraph joint = joint_graph("p = placeholder\ng = aten.sin.default(p) should_offload=true\nreturn p | g");
  const JointGraph forward = joint_graph("p = placeholder\nreturn p");
  const std::vector<OffloadCandidate> candidates = find_offload_candidates(forward.graph, joint);
  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_EQ(candidates[0].name, "g");
  EXPECT_EQ(candidates[0].refusal, OffloadRefusal::NotInForward);
}

TEST(OffloadCandidates, SizesThatDependOnDataMustLeaveNoDoubt) {
  EXPECT_EQ(verdict("aten.sin.default(p) : f32[u0, 8]{8, 1}"), "x:none");
  try {
    verdict("aten.sin.default(p) : f32[u0, 8]{1, u0}");
    FAIL() << "of one row it would be contiguous";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_EQ(failure.diagnostics().at(0).message,
              "'x' is marked for offloading, but whether it is contiguous depends on data");
  }
}

TEST(OffloadCandidates, EachRefusalHasAWordAndASentenceOfItsOwn) {
  std::set<std::string_view> words, sentences;
  constexpr int kLast = static_cast<int>(OffloadRefusal::NotATensor);
  for (int refusal = 1; refusal <= kLast; ++refusal) {
    words.insert(name_of(static_cast<OffloadRefusal>(refusal)));
    sentences.insert(phrase_for(static_cast<OffloadRefusal>(refusal)));
  }
  EXPECT_EQ(words.size(), static_cast<std::size_t>(kLast));
  EXPECT_EQ(sentences.size(), static_cast<std::size_t>(kLast));
  EXPECT_FALSE(words.contains(""));
  EXPECT_FALSE(sentences.contains(""));
}

}  // namespace
}  // namespace fxcut
