// Graph files with other numbers for their symbols.
#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph/fingerprint.h"
#include "graph_text.h"
#include "read/read_graph.h"
#include "sizes/hinted_text.h"

namespace fxcut {
namespace {

JointGraph with_numbers(const std::string& json, const SymbolHints& hints) {
  return read_joint_graph(*Document::parse(hinted_text(*Document::parse(json, "graph.json"), hints), "hinted.json"));
}

// The graph in the notation below with these numbers.
std::string graph_at(const std::string& s0, const std::string& twice, const std::string& half, const std::string& both) {
  return R"("symbols": {"s0": {"hint": )" + s0 + R"(, "backed": true}, "u1": {"hint": null, "backed": false}}
    primals_1 = placeholder : symint(s0=)" + s0 + R"()
    primals_2 = placeholder : f32[2*s0=)" + twice + R"(, (s0//2)=)" + half + R"(]
    tangents_1 = placeholder : f32[s0*u1=)" + both + R"(, u1]
    sin = aten.sin.default(primals_2) : f32[2*s0=)" + twice + R"(, (s0//2)=)" + half + R"(]
    mul = aten.mul.Tensor(tangents_1, sin) : f32[s0*u1=)" + both + R"(, u1]
    return sin, primals_1 | None, mul)";
}

TEST(HintedText, IsTheGraphTracedAtTheseNumbers) {
  const std::string traced = joint_json(graph_at("8", "16", "4", "32768"));
  EXPECT_EQ(fingerprint_of(with_numbers(traced, {{"s0", 8}})), fingerprint_of(read_joint_graph(*Document::parse(traced, "g"))));
  EXPECT_EQ(fingerprint_of(with_numbers(traced, {{"s0", 3}})), fingerprint_of(joint_graph(graph_at("3", "6", "1", "12288"))));
  EXPECT_EQ(fingerprint_of(with_numbers(traced, {{"s0", 0}})), fingerprint_of(joint_graph(graph_at("0", "0", "0", "0"))));
}

TEST(HintedText, AnUnbackedSymbolHasANumberToo) {
  const JointGraph hinted = with_numbers(joint_json(graph_at("8", "16", "4", "32768")), {{"u1", 5}});
  const Tensor& tensor = node_named(hinted.graph, "mul").value->tensor;
  EXPECT_EQ(hints_of(tensor.shape), (Extents{40, 5}));
  EXPECT_EQ(hinted.symbols.at("u1").hint, 5);
  EXPECT_EQ(hinted.symbols.at("s0").hint, 8);
}

TEST(HintedText, ASizeHasANumberWhereItsSymbolHasNone) {
  const JointGraph hinted = with_numbers(joint_json(R"("symbols": {"u0": {"hint": null, "backed": false}}
    primals_1 = placeholder : f32[u0=10, s1=3]
    tangents_1 = placeholder : f32[u0*s1=30]
    view = aten.view.default(primals_1, [-1]) : f32[u0*s1=30]
    mul = aten.mul.Tensor(tangents_1, view) : f32[u0*s1=30]
    return view | mul)"), {{"s1", 7}});
  EXPECT_EQ(hints_of(node_named(hinted.graph, "mul").value->tensor.shape), Extents{70});
}

TEST(HintedText, MeasuredTimesAreThoseOfTheFilesSizes) {
  const std::string json = joint_json(R"(
    primals_1 = placeholder : f32[s0=10]
    tangents_1 = placeholder : f32[s0=10]
    sin = aten.sin.default(primals_1) : f32[s0=10] runtime_ms=0.5
    mul = aten.mul.Tensor(tangents_1, sin) : f32[s0=10]
    return sin | mul)");
  EXPECT_TRUE(node_named(with_numbers(json, {{"s0", 10}}).graph, "sin").meta.runtime_ms.has_value());
  EXPECT_FALSE(node_named(with_numbers(json, {{"s0", 11}}).graph, "sin").meta.runtime_ms.has_value());
}

std::string refusal_of(const std::string& notation, const SymbolHints& hints) {
  try {
    hinted_text(*Document::parse(joint_json(notation), "graph.json"), hints);
    return "";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::Usage);
    return failure.what();
  }
}

TEST(HintedText, SizesThatCannotBeAreRefused) {
  const std::string fixed = "primals_1 = placeholder : f32[4]\nsin = aten.sin.default(primals_1) : f32[4]\nreturn sin | None";
  const std::string thirds = "primals_1 = placeholder : f32[s0=9, s0/3=3, s0-4=5]\nreturn primals_1 | None";
  EXPECT_NE(refusal_of(fixed, {{"s0", 4}}).find("it has no symbolic sizes"), std::string::npos) << refusal_of(fixed, {{"s0", 4}});
  EXPECT_NE(refusal_of(thirds, {{"s1", 4}}).find("did you mean 's0'?"), std::string::npos);
  EXPECT_NE(refusal_of(thirds, {{"s0", 10}}).find("'s0/3' is no integer"), std::string::npos);
  EXPECT_NE(refusal_of(thirds, {{"s0", 3}}).find("'s0-4' is negative"), std::string::npos);
  const std::string power = "primals_1 = placeholder : f32[s0**4=16]\nreturn primals_1 | None";
  EXPECT_NE(refusal_of(power, {{"s0", 1 << 20}}).find("is no integer"), std::string::npos);
}

}  // namespace
}  // namespace fxcut
