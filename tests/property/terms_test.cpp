// That terms tell graphs apart which compute different things.
#include "terms.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

// Whether two graphs over x and y return the same.
bool same(const std::string& a, const std::string& b) {
  Terms terms;
  const std::map<std::string, Terms::Term> inputs = {{"x", terms.make("x")}, {"y", terms.make("y")}};
  const std::string placeholders = "x = placeholder\ny = placeholder\n";
  return terms.of_outputs(joint_graph(placeholders + a).graph, inputs) ==
         terms.of_outputs(joint_graph(placeholders + b).graph, inputs);
}

TEST(Terms, GoByOperatorsAndArgumentsAndNotByNames) {
  const std::string graph = "a = aten.sub.Tensor(x, y, alpha=2)\nreturn a";
  EXPECT_TRUE(same(graph, "b = aten.sub.Tensor(x, y, alpha=2)\nreturn b"));
  EXPECT_FALSE(same(graph, "a = aten.sub.Tensor(y, x, alpha=2)\nreturn a"));
  EXPECT_FALSE(same(graph, "a = aten.sub.Tensor(x, y, alpha=3)\nreturn a"));
  EXPECT_FALSE(same(graph, "a = aten.add.Tensor(x, y, alpha=2)\nreturn a"));
  EXPECT_FALSE(same(graph, "a = aten.sub.Tensor(x, y, alpha=2)\nreturn a, a"));
}

TEST(Terms, CopiesAreWhatTheyCopy) {
  EXPECT_TRUE(same("a = prims.device_put.default(x, device(cpu))\nreturn a", "return x"));
  EXPECT_TRUE(same("a = ao.offload.default(x)\nb = ao.wait_tensor.default(a, x)\nreturn b", "return x"));
  EXPECT_FALSE(same("a = prims.device_put.default(y, device(cpu))\nreturn a", "return x"));
}

TEST(Terms, ARandomOperatorDrawsTheSameUnderItsOwnStateOnly) {
  const std::string drawn = "a = aten.rand_like.default(x, seed=1)\nreturn a";
  const std::string saved = "both = higher_order.run_and_save_rng_state(op(aten.rand_like.default), x, seed=1)\n"
                            "state = operator.getitem(both, 0)\nfirst = operator.getitem(both, 1)\n";
  EXPECT_TRUE(same(drawn, saved + "return first"));
  EXPECT_TRUE(same(drawn, saved + "a = higher_order.run_with_rng_state(state, op(aten.rand_like.default), x, "
                                  "seed=1)\nreturn a"));
  EXPECT_FALSE(same(drawn, "a = higher_order.run_with_rng_state(y, op(aten.rand_like.default), x, seed=1)\nreturn a"));
}

}  // namespace
}  // namespace fxcut
