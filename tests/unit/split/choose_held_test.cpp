// The least that a backward in two parts can hold.
#include "split/choose_held.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "graph_text.h"
#include "split/split_backward.h"

namespace fxcut {
namespace {

const DeviceProfile& device() { return device_profiles().front(); }

// The names of the values handed over, in order.
std::string held(const std::string& text, const std::vector<bool>& of_weights = {true, false}) {
  const JointGraph backward = joint_graph(text);
  std::string names;
  for (const NodeId id : choose_held(backward, backward, of_weights, device())) {
    names += (names.empty() ? "" : " ") + backward.graph[id].name;
  }
  return names;
}

// A product with `both`, of two saved values, has a weight's gradient; each of them has part in the gradient of the inputs.
const std::string kSaved = "gate = placeholder : f32[64, 64]@1\nup = placeholder : f32[64, 64]@2\n"
                           "t = placeholder : f32[64, 64]@3\n";
const std::string kInputs = "a = aten.mul.Tensor(t, gate) : f32[64, 64]@4\nb = aten.mul.Tensor(a, up) : f32[64, 64]@5\n"
                            "gx = aten.mm.default(b, gate) : f32[64, 64]@6\n";
const std::string kWeights = "both = aten.mul.Tensor(gate, up) : f32[64, 64]@7\ngw = aten.mm.default(both, b) : f32[64, 64]@8\n";

TEST(ChooseHeld, AProductIsHeldInPlaceOfItsTwoFactors) {
  const std::string text = kSaved + kInputs + kWeights + "return gw, gx";
  EXPECT_EQ(held(text), "b both");
  const JointGraph backward = joint_graph(text);
  const std::vector<NodeId> chosen = choose_held(backward, backward, {true, false}, device());
  const BackwardParts parts = split_backward(backward, {true, false}, chosen).value();
  EXPECT_EQ(names_of(parts.input), "gate up t a b gx both output");
  EXPECT_EQ(names_of(parts.weight), "b both gw output");
}

TEST(ChooseHeld, AValueIsComputedAgainFromWhatIsHeldAnyway) {
  const std::string text = "x = placeholder : f32[64, 64]@1\nt = placeholder : f32[64, 64]@2\n"
                           "sin = aten.sin.default(x) : f32[64, 64]@3\ng = aten.mm.default(t, sin) : f32[64, 64]@4\n"
                           "gx = aten.mul.Tensor(g, x) : f32[64, 64]@5\nprod = aten.mm.default(g, x) : f32[64, 64]@6\n"
                           "gw = aten.mm.default(prod, sin) : f32[64, 64]@7\nreturn gw, gx";
  EXPECT_EQ(held(text), "x g");
  const JointGraph backward = joint_graph(text);
  const std::vector<NodeId> chosen = choose_held(backward, backward, {true, false}, device());
  const BackwardParts parts = split_backward(backward, {true, false}, chosen).value();
  EXPECT_EQ(names_of(parts.input), "x t sin g gx output");
  EXPECT_EQ(names_of(parts.weight), "x g sin prod gw output");
}

TEST(ChooseHeld, AReductionRunsEarlier) {
  EXPECT_EQ(held("x = placeholder : f32[64, 64]@1\nt = placeholder : f32[64, 64]@2\ngx = aten.neg.default(t) : f32[64, 64]@3\n"
                 "m = aten.mul.Tensor(t, x) : f32[64, 64]@4\ngw = aten.sum.dim_IntList(m, [0]) : f32[64]@5\nreturn gw, gx"),
            "gw");
}

TEST(ChooseHeld, ChoosesNothingIfTheNeededValuesAreTheMinimum) {
  EXPECT_EQ(held("x = placeholder : f32[64, 64]@1\nt = placeholder : f32[64, 64]@2\ngx = aten.neg.default(t) : f32[64, 64]@3\n"
                 "gw = aten.mm.default(x, t) : f32[64, 64]@4\nreturn gw, gx"),
            "");
  EXPECT_EQ(held(kSaved + kWeights.substr(0, kWeights.find('\n') + 1) + "return both, None"), "");  // one kind only
}

// The held values if `from` is replaced by `to` in the factors' graph.
std::string held_with(const std::string& from, const std::string& to) {
  std::string text = kSaved + kInputs + kWeights + "return gw, gx";
  text.replace(text.find(from), from.size(), to);
  return held(text);
}

TEST(ChooseHeld, OnlyCheapCallsWithoutEffectsMove) {
  EXPECT_EQ(held_with("both = aten.mul.Tensor(gate, up)", "both = aten.mm.default(gate, up)"), "");
  EXPECT_EQ(held_with("both = aten.mul.Tensor(gate, up)", "both = aten.bernoulli.default(gate, up)"), "");
  EXPECT_EQ(held_with("gx = aten.mm", "written = aten.copy_.default(gate, b) : f32[64, 64]@1\ngx = aten.mm"), "");
}

// The forward of the next microbatch may come between the parts.
TEST(ChooseHeld, ValuesTheForwardWritesToAreNotReadLater) {
  const std::string text = "buffer = placeholder : f32[64, 64]@1 static\nt = placeholder : f32[64, 64]@2\n"
                           "sin = aten.sin.default(buffer) : f32[64, 64]@3\ng = aten.mm.default(t, sin) : f32[64, 64]@4\n"
                           "gw = aten.mm.default(g, sin) : f32[64, 64]@5\nreturn gw, g";
  const JointGraph backward = joint_graph(text);
  const JointGraph writing = joint_graph("buffer = placeholder : f32[64, 64]@1 static\nx = placeholder : f32[64, 64]@6\n"
                                         "y = aten.copy_.default(buffer, x) : f32[64, 64]@1\nreturn y |");
  EXPECT_EQ(held(text), "buffer g");
  EXPECT_TRUE(choose_held(writing, backward, {true, false}, device()).empty());
}

TEST(ChooseHeld, TuplesAreNotHeld) {
  const std::string text = "x = placeholder : f32[64, 64]@1\nt = placeholder : f32[64, 64]@2\n"
                           "gx = aten.neg.default(t) : f32[64, 64]@3\npair = aten.max.dim(x, 1) : tuple(f32[64]@4, i64[64]@5)\n"
                           "values = operator.getitem(pair, 0) : f32[64]@4\n"
                           "gw = aten.mm.default(values, t) : f32[64]@6\nreturn gw, gx";
  const std::string found = held(text);
  EXPECT_TRUE(found == "t values" || found.empty()) << found;  // whether PyTorch fuses max.dim
}

TEST(ChooseHeld, AParameterAndWhatIsInItsStorageCostNothing) {
  EXPECT_EQ(held("w = placeholder : f32[64, 64]@1 static\nx = placeholder : f32[64, 64]@2\nt = placeholder : f32[64, 64]@3\n"
                 "wt = aten.t.default(w) : f32[64, 64]@1\nm = aten.mul.Tensor(x, wt) : f32[64, 64]@4\n"
                 "gx = aten.mm.default(t, m) : f32[64, 64]@5\nn = aten.mul.Tensor(x, m) : f32[64, 64]@6\n"
                 "gw = aten.mm.default(n, m) : f32[64, 64]@7\nreturn gw, gx"),
            "x wt");
}

}  // namespace
}  // namespace fxcut
