// Each ban on recomputing separately. Against a search for each node, on random graphs: tests/property.
#include "cost/bans.h"

#include <gtest/gtest.h>

#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

constexpr BanOptions kOnlyFixed = {.used_far_apart = false,
                                   .long_fusible_chains = false,
                                   .materialized_in_backward = false,
                                   .not_in_allowlist = false,
                                   .reduction = false};

// "primals_1:primal_input mm:compute_intensive", in execution order.
std::string bans(const AnalysedGraph& graph, const BanOptions& options = kOnlyFixed,
                 const std::vector<bool>& allowed = {}) {
  const Bans found = ban_recomputation(graph.analysis, options, allowed);
  std::string text;
  for (std::size_t i = 0; i < found.of.size(); ++i) {
    if (found.of[i] == Ban::None) continue;
    text += (text.empty() ? "" : " ") + graph.joint.graph.nodes[i].name + ":" + std::string(name_of(found.of[i]));
  }
  return text;
}

// A step whose forward is the given lines, which end in `y`; the backward multiplies with it.
std::string step(const std::string& lines) {
  return R"(
    primals_1 = placeholder : f32[8, 8]
    tangents_1 = placeholder : f32[8, 8]
    )" + lines +
         R"(
    loss = aten.add.Tensor(y, y) : f32[8, 8]
    grad = aten.mul.Tensor(tangents_1, y) : f32[8, 8]
    return loss | grad)";
}

TEST(Bans, InputsAndSeeds) {
  const AnalysedGraph graph(
      step("fwd_seed_0 = placeholder : i64[]\n"
           "y = aten.sin.default(primals_1) : f32[8, 8]"));
  EXPECT_EQ(bans(graph), "primals_1:primal_input fwd_seed_0:forward_seed");
}

TEST(Bans, ComputeIntensiveAndRandomOperators) {
  const AnalysedGraph graph(step(R"(
    mm = aten.mm.default(primals_1, primals_1) : f32[8, 8]
    noise = aten.rand_like.default(mm) : f32[8, 8]
    y = aten.add.Tensor(mm, noise) : f32[8, 8])"));
  EXPECT_EQ(bans(graph), "primals_1:primal_input mm:compute_intensive noise:random_operator");
}

TEST(Bans, OperatorsOffTheAllowlistAreBanned) {
  const AnalysedGraph graph(step(R"(
    mm = aten.mm.default(primals_1, primals_1) : f32[8, 8]
    own = my.own.default(mm) : f32[8, 8]
    y = aten.sin.default(own) : f32[8, 8])"));
  BanOptions options = kOnlyFixed;
  options.not_in_allowlist = true;
  EXPECT_EQ(bans(graph, options), "primals_1:primal_input mm:not_in_allowlist own:not_in_allowlist");
}

TEST(Bans, CustomOperatorsOnRequest) {
  const std::string lines = step(R"(
    own = my.own.default(primals_1) : f32[8, 8]
    kernel = higher_order.triton_kernel_wrapper_functional(kernel_idx=0, kwargs={"x": own}, tensors_to_clone=[])
    y = aten.sin.default(own) : f32[8, 8]
    used = aten.mul.Tensor(y, kernel) : f32[8, 8]
    kept = aten.copy_.default(primals_1, used) : f32[8, 8])");
  EXPECT_EQ(bans(AnalysedGraph(lines)), "primals_1:primal_input");
  Settings settings;
  settings.is_non_builtin_to_include = true;
  EXPECT_EQ(bans(AnalysedGraph(lines, settings)), "primals_1:primal_input own:non_builtin kernel:non_builtin");
}

TEST(Bans, ValuesTaggedToBeSavedAreBanned) {
  const AnalysedGraph graph(step(R"(
    a = aten.sin.default(primals_1) : f32[8, 8] recompute=MUST_SAVE
    b = aten.cos.default(a) : f32[8, 8] recompute=PREFER_SAVE
    pair = aten.topk.default(b, 2) : tuple(f32[8, 8], i64[8, 8]) recompute=MUST_SAVE
    y = operator.getitem(pair, 0) : f32[8, 8] recompute=MUST_SAVE)"));
  EXPECT_EQ(bans(graph), "primals_1:primal_input a:must_save pair:must_save")
      << "getitem is never banned for its own sake";
}

TEST(Bans, NeverViewsNorWhatIsTaggedToBeRecomputed) {
  const AnalysedGraph graph(step(R"(
    mm = aten.mm.default(primals_1, primals_1) : f32[8, 8] recompute=MUST_RECOMPUTE
    bmm = aten.bmm.default(mm, mm) : f32[8, 8] recompute=PREFER_RECOMPUTE
    y = aten.view.default(bmm, [8, 8]) : f32[8, 8] recompute=MUST_SAVE)"));
  EXPECT_EQ(bans(graph), "primals_1:primal_input");
}

TEST(Bans, NeverSymbolicFloats) {
  const AnalysedGraph graph(step(R"(
    scale = torch.sym_float(primals_1) : symfloat(zf0)
    length = torch.sym_int(primals_1) : symint(u0)
    y = aten.mul.Tensor(primals_1, scale, length) : f32[8, 8])"));
  BanOptions options = kOnlyFixed;
  options.not_in_allowlist = true;
  EXPECT_EQ(bans(graph, options), "primals_1:primal_input length:not_in_allowlist");
}

TEST(Bans, NeverFreshLiftedConstants) {
  const AnalysedGraph graph(step(R"(
    c = aten.lift_fresh_copy.default(primals_1) : f32[1]
    y = aten.mul.Tensor(primals_1, c) : f32[8, 8])"));
  BanOptions options = kOnlyFixed;
  options.reduction = true;
  EXPECT_EQ(bans(graph, options), "primals_1:primal_input") << "64 times smaller than its input";
}

TEST(Bans, DevicesSince2_15OnlyIfTheyAreTagged) {
  const std::string lines = step(R"(
    device = my.current_device.default() : other(device)
    kept = my.current_device.default() : other(device) recompute=MUST_SAVE
    y = aten.full.default([8, 8], 1, device=device, other=kept) : f32[8, 8])");
  BanOptions options = kOnlyFixed;
  options.not_in_allowlist = true;
  EXPECT_EQ(bans(AnalysedGraph(made_by(Release{13}) + lines), options),
            "primals_1:primal_input device:not_in_allowlist kept:must_save");
  EXPECT_EQ(bans(AnalysedGraph(made_by(Release{15}) + lines), options), "primals_1:primal_input kept:must_save");
}

TEST(Bans, ValuesTheBackwardMaterializesAreBanned) {
  BanOptions options = kOnlyFixed;
  options.materialized_in_backward = true;
  const AnalysedGraph graph(R"(
    primals_1 = placeholder : f32[8, 8]
    tangents_1 = placeholder : f32[8, 8]
    fused = aten.sin.default(primals_1) : f32[8, 8]
    held = aten.cos.default(primals_1) : f32[8, 8]
    viewed = aten.exp.default(primals_1) : f32[8, 8]
    view = aten.view.default(viewed, [8, 8]) : f32[8, 8]
    sum = aten.add.Tensor(fused, held) : f32[8, 8]
    loss = aten.add.Tensor(sum, viewed) : f32[8, 8]
    a = aten.mul.Tensor(tangents_1, fused) : f32[8, 8]
    b = aten.mm.default(a, held) : f32[8, 8]
    c = aten.mm.default(b, view) : f32[8, 8]
    return loss | c)");
  EXPECT_EQ(bans(graph, options),
            "primals_1:primal_input held:materialized_in_backward viewed:materialized_in_backward "
            "loss:materialized_in_backward");
}

TEST(Bans, ValuesFarFromTheBackwardAreBanned) {
  Settings settings;
  settings.max_dist_from_bw = 2;
  const AnalysedGraph graph(step(R"(
    a = aten.sin.default(primals_1) : f32[8, 8]
    b = aten.cos.default(a) : f32[8, 8]
    y = aten.exp.default(b) : f32[8, 8])"),
                            settings);
  EXPECT_EQ(bans(graph), "primals_1:primal_input a:too_far_from_backward");
}

TEST(Bans, ValuesThatDoNotReachTheBackwardAreNotTooFar) {
  Settings settings;
  settings.max_dist_from_bw = 0;
  const AnalysedGraph graph(step("y = aten.sin.default(primals_1) : f32[8, 8]"), settings);
  EXPECT_EQ(bans(graph), "primals_1:primal_input y:too_far_from_backward") << "loss is beyond 1000";
}

TEST(Bans, ReductionsAreMoreThanFourTimesSmallerThanTheirInputs) {
  BanOptions options = kOnlyFixed;
  options.reduction = true;
  const AnalysedGraph graph(R"(
    primals_1 = placeholder : f32[8, 8]
    tangents_1 = placeholder : f32[8, 8]
    quarter = aten.sum.dim_IntList(primals_1, [0]) : f32[16]
    less = aten.sum.dim_IntList(primals_1, [0]) : f32[15]
    two = aten.add.Tensor(primals_1, primals_1) : f32[31]
    listed = aten.cat.default([primals_1, primals_1]) : f32[1]
    loss = aten.add.Tensor(quarter, less) : f32[64]
    grad = aten.mul.Tensor(tangents_1, two, listed) : f32[8, 8]
    return loss, listed, two | grad)");
  EXPECT_EQ(bans(graph, options), "primals_1:primal_input less:reduction two:reduction")
      << "inputs count as often as they are given, but not in lists";
}

// `a` is used far apart: by `near`, and, after what does not fuse, by `far`.
const std::string kUsedFarApart = R"(
    a = aten.sin.default(primals_1) : f32[8, 8]
    near = aten.cos.default(a) : f32[8, 8]
    mm = aten.mm.default(near, near) : f32[8, 8]
    far = aten.exp.default(a) : f32[8, 8])";

TEST(Bans, ValuesUsedFarApartAreBanned) {
  BanOptions options = kOnlyFixed;
  options.used_far_apart = true;
  const AnalysedGraph graph(step(kUsedFarApart + R"(
    y = aten.add.Tensor(mm, far) : f32[8, 8])"));
  EXPECT_EQ(bans(graph, options), "primals_1:primal_input mm:compute_intensive far:used_far_apart");
}

TEST(Bans, LongFusibleChainsAreCutAfter100Nodes) {
  std::string chain = "n0 = aten.sin.default(primals_1) : f32[8, 8]\n";
  for (int i = 1; i < 250; ++i)
    chain += "n" + std::to_string(i) + " = aten.sin.default(n" + std::to_string(i - 1) + ") : f32[8, 8]\n";
  BanOptions options = kOnlyFixed;
  options.long_fusible_chains = true;
  const AnalysedGraph graph(step(chain + "y = aten.sin.default(n249) : f32[8, 8]"));
  // The forward's order counts primals_1 as 0. A chain begins with its first node, n0: 1 + 101 is n101. The next begins
  // with n102, and so on.
  EXPECT_EQ(bans(graph, options), "primals_1:primal_input n101:long_fusible_chain n203:long_fusible_chain");
}

TEST(Bans, AggressiveRecomputationLiftsAllButReductions) {
  Settings settings;
  BanOptions options = ban_options(settings);
  EXPECT_TRUE(options.used_far_apart && options.long_fusible_chains && options.materialized_in_backward &&
              options.not_in_allowlist && options.reduction);
  settings.aggressive_recomputation = true;
  options = ban_options(settings);
  EXPECT_FALSE(options.used_far_apart || options.long_fusible_chains || options.materialized_in_backward ||
               options.not_in_allowlist);
  EXPECT_TRUE(options.reduction);
  settings.ban_recompute_reductions = false;
  EXPECT_FALSE(ban_options(settings).reduction);
}

TEST(Bans, AreLiftedForNodesThatAreAllowedButNotForCollectives) {
  const std::string lines = step(R"(
    mm = aten.mm.default(primals_1, primals_1) : f32[8, 8]
    all = _c10d_functional.all_reduce.default(mm, "sum", "0") : f32[8, 8] recompute=MUST_SAVE
    y = _c10d_functional.wait_tensor.default(all) : f32[8, 8])");
  Settings settings;
  const AnalysedGraph graph(lines, settings);
  const std::vector<bool> all_allowed(graph.joint.graph.size(), true);
  EXPECT_EQ(bans(graph, kOnlyFixed, all_allowed), "all:must_save");
  settings.unsafe_allow_optimization_of_collectives = true;
  EXPECT_EQ(bans(AnalysedGraph(lines, settings), kOnlyFixed, all_allowed), "");
}

TEST(Bans, AreListedInTheOrderInWhichTheyStruck) {
  BanOptions options = kOnlyFixed;
  options.used_far_apart = true;
  const AnalysedGraph graph(step(kUsedFarApart + R"(
    last = aten.mm.default(mm, far) : f32[8, 8]
    y = aten.sin.default(last) : f32[8, 8])"));
  std::string order;
  for (const NodeId id : ban_recomputation(graph.analysis, options).banned) order += graph.joint.graph[id].name + " ";
  EXPECT_EQ(order, "primals_1 mm last far ");
}

TEST(Bans, EachHasAWordAndAPhrase) {
  for (int ban = static_cast<int>(Ban::PrimalInput); ban <= static_cast<int>(Ban::LongFusibleChain); ++ban) {
    EXPECT_FALSE(name_of(static_cast<Ban>(ban)).empty()) << ban;
    EXPECT_FALSE(phrase_for(static_cast<Ban>(ban)).empty()) << ban;
  }
}

}  // namespace
}  // namespace fxcut
