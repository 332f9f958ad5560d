// The calls that eager PyTorch is told to keep, on small graphs under policies.
#include "eager/eager_policy.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "eager/python_head.h"
#include "eager/save_list.h"
#include "eager/show_eager.h"
#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

// Saves the nodes that the glob matches, and recomputes all else.
PolicyStack saving(const std::string& nodes) {
  PolicyRule rule;
  rule.match.node = Pattern::glob(nodes);
  return {{"saving", RuleList{{rule}, CheckpointPolicy::PreferRecompute}}};
}

EagerPolicy said(std::string_view text, const std::string& nodes, const std::string& regions = "") {
  const JointGraph joint = joint_graph(text);
  return eager_policy(joint, partition(joint, {}, saving(nodes)).report, regions);
}

// "layers.0 aten.mm.default 1/2", a line a kept call.
std::string kept_in(const EagerPolicy& policy) {
  std::string text;
  for (const KeptCall& kept : policy.kept) {
    const EagerCall& call = kept.call;
    text += call.module + " " + call.op + " " + std::to_string(call.number) + "/" +
            std::to_string(policy.calls.counts.at({call.module, call.op})) + "\n";
  }
  return text;
}

constexpr std::string_view kLayers = R"(
    primals_1 = placeholder : f32[8, 8]@0 static
    primals_2 = placeholder : f32[8, 8]@1
    tangents_1 = placeholder : f32[8, 8]@2
    mm = aten.mm.default(primals_2, primals_1) : f32[8, 8]@3 module="layers.0"
    sin = aten.sin.default(mm) : f32[8, 8]@4 module="layers.0"
    mm_1 = aten.mm.default(sin, primals_1) : f32[8, 8]@5 module="layers.0"
    t = aten.t.default(mm_1) : f32[8, 8]@5 module="layers.0"
    mm_2 = aten.mm.default(t, primals_1) : f32[8, 8]@6 module="layers.1"
    sum = aten.sin.default(mm_2) : f32[8, 8]@7
    grad = aten.mul.Tensor(tangents_1, mm) : f32[8, 8]@8
    grad_1 = aten.mul.Tensor(grad, t) : f32[8, 8]@9
    grad_2 = aten.mul.Tensor(grad_1, mm_2) : f32[8, 8]@10
    grad_3 = aten.mul.Tensor(grad_2, primals_2) : f32[8, 8]@11
    return sum | grad_3)";

TEST(EagerPolicy, CallsAreCountedWithinTheirModule) {
  EXPECT_EQ(kept_in(said(kLayers, "mm*")),
            "layers.0 aten.mm.default 0/2\nlayers.0 aten.mm.default 1/2\nlayers.1 aten.mm.default 0/1\n");
}

TEST(EagerPolicy, TheBaseOfASavedViewIsKept) {
  const EagerPolicy policy = said(kLayers, "t");
  EXPECT_EQ(kept_in(policy), "layers.0 aten.mm.default 1/2\n");
  EXPECT_EQ(policy.kept[0].saved_bytes, 256);
  EXPECT_TRUE(policy.unsaid.empty());
}

TEST(EagerPolicy, InputsAreInMemoryInAnyCase) {
  const EagerPolicy policy = said(kLayers, "mm_2");
  EXPECT_EQ(policy.input_bytes, 256) << "of primals_2, which is no parameter";
  EXPECT_EQ(policy.held_bytes, policy.input_bytes + policy.kept_bytes() + policy.unsaid_bytes());
}

TEST(EagerPolicy, RegionsHoldWhatEntersThem) {
  const EagerPolicy policy = said(kLayers, "mm_2", "layers.*");
  ASSERT_EQ(policy.entering.size(), 1u);
  EXPECT_EQ(policy.entering[0].region, "layers.1");
  EXPECT_EQ(policy.entering_bytes(), 256);
  EXPECT_EQ(said(kLayers, "t", "layers.*").entering_bytes(), 0) << "the decision holds it";
}

TEST(EagerPolicy, OutsideOfTheRegionsNothingIsSaid) {
  const EagerPolicy policy = said(kLayers, "mm*", "layers.1");
  EXPECT_EQ(kept_in(policy), "layers.1 aten.mm.default 0/1\n");
  ASSERT_EQ(policy.unsaid.size(), 1u) << "but mm_1, which enters the region";
  EXPECT_EQ(policy.unsaid[0].name, "mm");
  EXPECT_EQ(policy.unsaid[0].why, Unsaid::Outside);
}

TEST(EagerPolicy, RegionsThatDoNotExistAreRefused) { EXPECT_THROW(said(kLayers, "mm*", "blocks.*"), Failure); }

constexpr std::string_view kSeveralResults = R"(
    primals_1 = placeholder : f32[8, 8]@0
    tangents_1 = placeholder : f32[8, 8]@1
    norm = aten.native_layer_norm.default(primals_1, [8], None, None, 1e-05) : tuple(f32[8, 8]@2, f32[8, 1]@3, f32[8, 1]@4)
    getitem = operator.getitem(norm, 0) : f32[8, 8]@2
    getitem_1 = operator.getitem(norm, 1) : f32[8, 1]@3
    sin = aten.sin.default(getitem) : f32[8, 8]@5
    grad = aten.mul.Tensor(tangents_1, getitem) : f32[8, 8]@6
    grad_1 = aten.mul.Tensor(grad, getitem_1) : f32[8, 8]@7
    return sin | grad_1)";

TEST(EagerPolicy, ResultsThatAreKeptTooAreCounted) {
  const EagerPolicy policy = said(kSeveralResults, "getitem");
  EXPECT_EQ(kept_in(policy), " aten.native_layer_norm.default 0/1\n");
  EXPECT_EQ(policy.kept_bytes() + policy.more_bytes(), 256 + 32 + 32);
}

TEST(EagerPolicy, LargerResultsThanThoseDecidedOnAreNotKept) {
  const EagerPolicy policy = said(R"(
    primals_1 = placeholder : f32[8, 8]@0
    tangents_1 = placeholder : f32[8, 8]@1
    norm = aten.native_layer_norm.default(primals_1, [8], None, None, 1e-05) : tuple(f32[8, 8]@2, f32[8, 1]@3, f32[8, 1]@4)
    getitem = operator.getitem(norm, 0) : f32[8, 8]@2
    getitem_1 = operator.getitem(norm, 1) : f32[8, 1]@3
    grad = aten.mul.Tensor(tangents_1, getitem_1) : f32[8, 8]@6
    return getitem | grad)", "norm");
  EXPECT_EQ(kept_in(policy), "");
  ASSERT_EQ(policy.unsaid.size(), 1u);
  EXPECT_EQ(policy.unsaid[0].name, "getitem_1");
  EXPECT_EQ(policy.unsaid[0].why, Unsaid::OtherResults);
}

TEST(EagerPolicy, ProductsOfACompilersGraphAreSaid) {
  const EagerPolicy policy = said(std::string("\"compiler\": \"inductor\"\n") + std::string(kLayers), "*m*");
  EXPECT_TRUE(policy.is_decomposed);
  EXPECT_EQ(policy.kept.size(), 3u);
  EXPECT_NE(unsaid_in_short(said(std::string("\"compiler\": \"inductor\"\n") + std::string(kSeveralResults), "getitem*"))
                .find("aot_eager"), std::string::npos);
}

TEST(TorchtitansList, HasWhatIsMostlySavedAndOfProductsEverySecond) {
  const JointGraph joint = joint_graph(kLayers);
  const EagerPolicy policy = torchtitan_list(joint, partition(joint, {}, saving("mm*")).report);
  EXPECT_EQ(policy.listed, std::vector<std::string>{"aten.mm.default"});
  EXPECT_EQ(kept_in(policy), "layers.0 aten.mm.default 0/2\nlayers.1 aten.mm.default 0/1\n");
  ASSERT_EQ(policy.unsaid.size(), 1u);
  EXPECT_EQ(policy.unsaid[0].name, "mm_1") << "the second";
  EXPECT_EQ(policy.unsaid[0].why, Unsaid::NotListed);
}

TEST(JaxNames, AreOneForAllLayersThatSaveAlike) {
  const JointGraph joint = joint_graph(kLayers);
  const JaxNames names = jax_names(joint, partition(joint, {}, saving("mm*")).report);
  std::vector<std::string> all;
  for (const JaxName& named : names.names) all.push_back(named.name);
  EXPECT_EQ(all, (std::vector<std::string>{"layers.mm", "layers.mm_1"}));
  EXPECT_EQ(names.held_bytes, names.named_bytes() + names.input_bytes + names.unsaid_bytes);
  const JaxNames of_one = jax_names(joint, partition(joint, {}, saving("mm_2")).report);
  ASSERT_EQ(of_one.names.size(), 1u);
  EXPECT_EQ(of_one.names[0].name, "layers.1.mm");
}

TEST(EagerPolicy, ModulesOfOlderTracesHaveTheirNames) {
  const JointGraph joint = joint_graph(R"(
    primals_1 = placeholder : f32[8]@0
    sin = aten.sin.default(primals_1) : f32[8]@1 module="_modules['layers']._modules['0'].norm"
    cos = aten.cos.default(sin) : f32[8]@2 module="layers[1].norm"
    return cos |)");
  EXPECT_EQ(eager_module(node_named(joint.graph, "sin")), "layers.0.norm");
  EXPECT_EQ(eager_module(node_named(joint.graph, "cos")), "layers.1.norm");
}

TEST(EagerPolicy, NothingOfAGraphEndsTheDocstringOrAText) {
  JointGraph joint = joint_graph(kLayers);
  const Report report = partition(joint, {}, saving("mm*")).report;
  joint.name = "a\"\"\"\\";
  const std::string text = torch_policy(eager_policy(joint, report), {"fxcut", "fxcut policy '\"\"\"'"});
  EXPECT_NE(text.find("of the graph a'''/ ("), std::string::npos);
  EXPECT_EQ(text.find("@"), text.find("@contextlib")) << "no mark is left";
}

TEST(TorchtitansList, OperatorsThatAreNoNamesInPythonAreQuoted) {
  EXPECT_EQ(python_operator("aten.mm.default"), "torch.ops.aten.mm.default");
  EXPECT_EQ(python_operator("aten.gelu.from"), R"(getattr(torch.ops.aten.gelu, "from"))");
  EXPECT_EQ(python_operator("my-ops.f.2"), R"(getattr(getattr(torch.ops, "my-ops").f, "2"))");
  const JointGraph joint = joint_graph(kLayers);
  EagerPolicy policy = torchtitan_list(joint, partition(joint, {}, saving("mm*")).report);
  const std::string odd = "aten.mm.x\"\"\"\nimport os#";
  policy.listed = {odd};
  policy.kept.push_back({{"layers.0", odd, 0}, {}, 0, 256});  // which the list saves beyond the decision
  const std::string text = torchtitan_policy(policy, {"fxcut", "fxcut policy"});
  EXPECT_NE(text.find(R"(    getattr(torch.ops.aten.mm, "x\"\"\"\nimport os#"),)"), std::string::npos) << text;
  EXPECT_NE(text.find("1 call of aten.mm.x'''"), std::string::npos) << text;
  EXPECT_EQ(text.find("\nimport os"), std::string::npos);
}

TEST(TorchtitansList, LayersElsewhereAreRefused) {
  std::string text(kLayers);
  for (std::size_t at = 0; (at = text.find("\"layers", at)) != std::string::npos;) text.insert(at + 1, "model.");
  const JointGraph joint = joint_graph(text);
  try {
    torchtitan_list(joint, partition(joint, {}, saving("mm*")).report);
    FAIL() << "expected a failure";
  } catch (const Failure& failure) {
    EXPECT_NE(std::string(failure.what()).find("torchtitan wraps those of model.layers"), std::string::npos);
  }
}

}  // namespace
}  // namespace fxcut
