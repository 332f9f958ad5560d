// The nodes that give symbols a value.
#include "extract/forward_backward.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

constexpr std::string_view kText = R"(
  "symbols": {"s0": {"hint": 4}, "data": {"hint": null, "backed": false}}
  s0 = placeholder : symint(s0=4)
  s1 = placeholder : symint(s1=5)
  again = placeholder : symint(s1=5)
  double = operator.mul(s0, 2) : symint(2*s0=8)
  backed_call = aten.sym_size.int(s0, 0) : symint(s0=4)
  item = aten.item.default(s0) : symint(data)
  unbacked = aten.item.default(s0) : symint(u7)
  scale = aten.item.default(s0) : symfloat(zuf0)
  matrix = placeholder : f32[s1=5, s0=4]
  strided = placeholder : f32[2, 2]{s1=5, 1}
  pair = placeholder : tuple(f32[s0=4], f32[data])
  unknown = placeholder
  return s0)";

class SymbolBindings : public ::testing::Test {
 protected:
  std::vector<NodeId> ids(const std::vector<std::string>& names) const {
    std::vector<NodeId> found;
    for (const std::string& name : names) found.push_back(id_named(joint_.graph, name));
    return found;
  }
  std::string bound(const std::vector<std::string>& saved, const std::vector<std::string>& inputs) const {
    std::string names;
    for (const NodeId id : bind_symbols(joint_, ids(saved), ids(inputs)))
      names += (names.empty() ? "" : " ") + joint_.graph[id].name;
    return names;
  }
  std::string symbol_of(std::string_view name) const {
    const std::map<NodeId, std::string> bindings = binding_nodes(joint_);
    const auto found = bindings.find(id_named(joint_.graph, name));
    return found == bindings.end() ? "" : found->second;
  }

  JointGraph joint_ = joint_graph(kText);
};

TEST_F(SymbolBindings, InputsBindLoneSymbols) {
  EXPECT_EQ(symbol_of("s0"), "s0");
  EXPECT_EQ(symbol_of("double"), "");
  EXPECT_EQ(symbol_of("matrix"), "");
  EXPECT_EQ(symbol_of("unknown"), "");
}

TEST_F(SymbolBindings, CallsBindDataDependentSymbolsOnly) {
  EXPECT_EQ(symbol_of("backed_call"), "");
  EXPECT_EQ(symbol_of("item"), "data") << "the graph says that it is not backed";
  EXPECT_EQ(symbol_of("unbacked"), "u7") << "by its name";
  EXPECT_EQ(symbol_of("scale"), "") << "a symbolic float binds nothing";
}

TEST_F(SymbolBindings, SizesAreAddedInTheOrderOfTheSymbols) {
  EXPECT_EQ(bound({}, {"matrix"}), "s0 s1");
  EXPECT_EQ(bound({}, {"strided"}), "s1");
  EXPECT_EQ(bound({}, {"pair"}), "item s0") << "data comes before s0";
  EXPECT_EQ(bound({}, {"unknown"}), "");
}

TEST_F(SymbolBindings, ComeBeforeNumbersThatAreDerived) { EXPECT_EQ(bound({"double", "s1"}, {}), "s1 s0 double"); }

TEST_F(SymbolBindings, SavedNumbersAreNotAddedTwice) { EXPECT_EQ(bound({"again"}, {"matrix"}), "again s0"); }

// The nodes that bind a symbol, in a release.
std::string binders(const std::string& lines, Release release) {
  const JointGraph joint = joint_graph(made_by(release) + "x = placeholder : f32[4]\n" + lines + "\nreturn x");
  std::string names;
  for (const auto& [id, symbol] : binding_nodes(joint)) names += joint.graph[id].name + ":" + symbol + " ";
  return names;
}

TEST(SymbolBinders, DataDependentSizesMadeByATensorHaveNoneSince2_15) {
  const std::string lines = "found = aten.nonzero.default(x) : i64[u0, 1]\n"
                            "rows = aten.sym_size.int(found, 0) : symint(u0)";
  EXPECT_EQ(binders(lines, Release{13}), "rows:u0 ");
  EXPECT_EQ(binders(lines, Release{15}), "");
}

TEST(SymbolBinders, ANumberIsBoundOnlyByItsMakerSince2_15) {
  const std::string lines = "n = aten.item.default(x) : symint(u0)\nsame = operator.add(n, 0) : symint(u0)\n"
                            "more = operator.add(n, 1) : symint(u0 + 1)";
  EXPECT_EQ(binders(lines, Release{13}), "n:u0 same:u0 ");
  EXPECT_EQ(binders(lines, Release{15}), "n:u0 ");
}

TEST(SymbolBinders, ItemsOfATupleThatMakesTheSymbolBindNothingSince2_15) {
  const std::string lines = "pair = my.op.default(x) : tuple(f32[4], symint(u0))\n"
                            "n = operator.getitem(pair, 1) : symint(u0)";
  EXPECT_EQ(binders(lines, Release{13}), "n:u0 ");
  EXPECT_EQ(binders(lines, Release{15}), "");
}

TEST(SymbolBinders, InputsBindInAnyCase) {
  const std::string lines = "y = placeholder : f32[s0=4]\ns0 = placeholder : symint(s0=4)\n"
                            "n = placeholder : symint(u0)";
  EXPECT_EQ(binders(lines, Release{15}), "s0:s0 n:u0 ");
}

// The inputs that the backward takes along with `taken`, in a release.
std::string bound_for(const std::string& lines, const std::string& taken, Release release) {
  const JointGraph joint = joint_graph(made_by(release) + lines + "\nreturn " + taken);
  std::string names;
  for (const NodeId id : bind_symbols(joint, {}, {id_named(joint.graph, taken)})) names += joint.graph[id].name + " ";
  return names;
}

TEST(SymbolBinders, ReplacedSymbolsNeedBindersToo) {
  const std::string lines = "rows = placeholder : symint(s0=4)\n"
                            "labels = placeholder : symint(s0=4) was s1\n"
                            "heads = placeholder : symint(2=2) was s2\n"
                            "x = placeholder : f32[s0=4, 2] was s1*s2";
  EXPECT_EQ(bound_for(lines, "x", Release{13}), "rows ");
  EXPECT_EQ(bound_for(lines, "x", Release{15}), "rows labels heads ");
}

TEST(SymbolBinders, KindsThatPyTorchCannotSaveAreRefused) {
  const JointGraph joint = joint_graph("device = placeholder : other(device)\n"
                                       "many = placeholder : tuple(f32[4], other(Stream))\n"
                                       "generator = placeholder : other(Generator)\nreturn device");
  const auto refusal = [&](std::string_view name) -> std::string {
    try {
      bind_symbols(joint, {}, {id_named(joint.graph, name)});
      return "";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
      return failure.diagnostics().at(0).message;
    }
  };
  EXPECT_EQ(refusal("device"), "'device' would cross to the backward, but its value is a device, which cannot be "
                               "saved");
  EXPECT_EQ(refusal("many"), "'many' would cross to the backward, but its value is a Stream, which cannot be saved");
  EXPECT_EQ(refusal("generator"), "");
}

}  // namespace
}  // namespace fxcut
