// Items are taken out of a tuple as soon as it exists.
#include "finish/execution_order.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

std::string raised(std::string_view text) { return names_of(raise_getitems(joint_graph(text).graph)); }

TEST(Getitems, GoRightBehindTheTuple) {
  EXPECT_EQ(raised(R"(
    x = placeholder
    pair = aten.topk.default(x, 2)
    between = aten.sin.default(x)
    values = operator.getitem(pair, 0)
    more = aten.cos.default(values)
    indices = operator.getitem(pair, 1)
    return more, indices)"),
            "x pair values indices between more output");
}

TEST(Getitems, NestedGetitemsMoveFromTheLastToTheFirst) {
  // inner is moved after outer, and only then outer after nested.
  EXPECT_EQ(raised(R"(
    x = placeholder
    nested = my.own.default(x)
    between = aten.sin.default(x)
    outer = operator.getitem(nested, 0)
    other = aten.cos.default(x)
    inner = operator.getitem(outer, 1)
    second = operator.getitem(nested, 1)
    return inner, second, between, other)"),
            "x nested outer second between inner other output");
}

TEST(Getitems, GetitemsOfAnInputFollowIt) {
  EXPECT_EQ(raised(R"(
    pair = placeholder
    x = placeholder
    item = operator.getitem(pair, 0)
    return item, x)"),
            "pair item x output");
}

TEST(Getitems, InputsOfOtherNodesAreRenumbered) {
  EXPECT_EQ(text_of(raise_getitems(joint_graph(R"(
    x = placeholder
    pair = aten.topk.default(x, 2)
    between = aten.sin.default(x)
    values = operator.getitem(pair, 0)
    sum = aten.add.Tensor(between, values)
    return sum)")
                                       .graph)),
            "x = placeholder\n"
            "pair = aten.topk.default(x, 2)\n"
            "values = operator.getitem(pair, 0)\n"
            "between = aten.sin.default(x)\n"
            "sum = aten.add.Tensor(between, values)\n"
            "return sum\n");
}

TEST(Getitems, WithAComputedKeyAreRefused) {
  try {
    raised("x = placeholder\nkey = placeholder\nitem = operator.getitem(x, key)\nreturn item");
    FAIL() << "no failure";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_NE(std::string(failure.what()).find("'item'"), std::string::npos);
  }
}

}  // namespace
}  // namespace fxcut
