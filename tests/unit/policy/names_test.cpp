// The value that a checkpoint name belongs to.
#include "policy/names.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

// "NAME: NAMING NODE of VALUE", a line an occurrence.
std::string names_in(std::string_view text, const Settings& settings = {}) {
  const Graph graph = joint_graph(text).graph;
  const std::vector<std::string> operators = naming_operators(settings);
  std::string lines;
  for (const NamedValue& named : find_names(graph, same_values(graph, operators), operators)) {
    lines += named.name + ": " + graph[named.naming].name + " of " + graph[named.value].name + "\n";
  }
  return lines;
}

TEST(Names, ComeFromNamingOperatorsAndBelongToTheirArgument) {
  EXPECT_EQ(names_in(R"(
    x = placeholder
    a = aten.sin.default(x)
    n = xla.name_tensor.default(a, "q")
    b = aten.sin.default(n)
    m = xla.offload_name.default(b, "k")
    return m)"),
            "q: n of a\nk: m of b\n");
}

TEST(Names, MayBeGivenByKeyword) {
  EXPECT_EQ(names_in("x = placeholder\na = aten.sin.default(x)\nn = xla.name_tensor.default(a, name=\"q\")\nreturn n"),
            "q: n of a\n");
}

TEST(Names, ComeFromMeta) {
  EXPECT_EQ(names_in("x = placeholder\na = aten.sin.default(x) checkpoint_name=q\nreturn a"), "q: a of a\n");
}

TEST(Names, GoThroughViewsAndOtherNames) {
  EXPECT_EQ(names_in(R"(
    x = placeholder
    a = aten.mm.default(x, x)
    v = aten.view.default(a, [16])
    n = xla.name_tensor.default(v, "q")
    t = aten.unsqueeze.default(n, 0)
    m = xla.name_tensor.default(t, "k")
    return m)"),
            "q: n of a\nk: m of a\n");
}

TEST(Names, GoThroughWhatSharesMemory) {
  EXPECT_EQ(names_in(R"(
    x = placeholder : f32[4]@1
    a = aten.sin.default(x) : f32[4]@2
    same = my.alias.default(a) : f32[4]@2
    copy = my.alias.default(a) : f32[4]@3
    n = xla.name_tensor.default(same, "q")
    m = xla.name_tensor.default(copy, "k")
    return n, m)"),
            "q: n of a\nk: m of copy\n");
}

TEST(Names, AnItemsBelongToTheItemNotToItsTuple) {
  EXPECT_EQ(names_in(R"(
    x = placeholder : f32[4]
    pair = aten.topk.default(x, 2) : tuple(f32[2], i64[2])
    values = operator.getitem(pair, 0) : f32[2]
    n = xla.name_tensor.default(values, "q")
    return n)"),
            "q: n of values\n");
}

TEST(Names, AnInputsBelongToTheInput) {
  EXPECT_EQ(names_in("x = placeholder\nn = xla.name_tensor.default(x, \"foo\")\nreturn n"), "foo: n of x\n");
}

TEST(Names, MayRepeat) {
  EXPECT_EQ(names_in(R"(
    x = placeholder
    a = aten.sin.default(x) checkpoint_name=layer
    b = aten.sin.default(a) checkpoint_name=layer
    return b)"),
            "layer: a of a\nlayer: b of b\n");
}

TEST(Names, OperatorsThatGiveThemAreASetting) {
  Settings settings;
  settings.naming_operators = "my.tag.default,my.label.default";
  EXPECT_EQ(naming_operators(settings), (std::vector<std::string>{"my.tag.default", "my.label.default"}));
  EXPECT_EQ(names_in(R"(
    x = placeholder
    a = my.tag.default(x, "q")
    b = aten.sin.default(x)
    c = xla.name_tensor.default(b, "k")
    return a, c)",
                     settings),
            "q: a of x\n");
}

}  // namespace
}  // namespace fxcut
