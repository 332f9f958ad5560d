// Which nodes give symbols a value.
#include "extract/symbol_bindings.h"

#include <gtest/gtest.h>

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

TEST_F(SymbolBindings, OfSizesAreAddedInTheOrderOfTheSymbols) {
  EXPECT_EQ(bound({}, {"matrix"}), "s0 s1");
  EXPECT_EQ(bound({}, {"strided"}), "s1");
  EXPECT_EQ(bound({}, {"pair"}), "item s0") << "data comes before s0";
  EXPECT_EQ(bound({}, {"unknown"}), "");
}

TEST_F(SymbolBindings, ComeBeforeNumbersThatAreDerived) { EXPECT_EQ(bound({"double", "s1"}, {}), "s1 s0 double"); }

TEST_F(SymbolBindings, OfSavedNumbersAreNotDoubled) { EXPECT_EQ(bound({"again"}, {"matrix"}), "again s0"); }

}  // namespace
}  // namespace fxcut
