
#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "python_text/symbolic_sizes.h"

namespace fxcut {
namespace {

std::string printed(std::string_view repr) { return print_size(read_symbolic_repr(repr, "model.json")); }

TEST(SymbolicRepr, IsPrintedAsSympyPrintsIt) {
  EXPECT_EQ(printed("Symbol('s77', positive=True, integer=True)"), "s77");
  EXPECT_EQ(printed("Integer(8)"), "8");
  EXPECT_EQ(printed("Mul(Integer(8), Symbol('s13', positive=True, integer=True))"), "8*s13");
  EXPECT_EQ(printed("Add(Integer(-1), Symbol('s0'), Symbol('u1'))"), "s0 + u1 + -1");
  EXPECT_EQ(printed("Mul(Integer(4), Add(Symbol('s0'), Integer(1)))"), "4*(s0 + 1)");
  EXPECT_EQ(printed("FloorDiv(Symbol('s0'), Integer(2))"), "(s0//2)");
  EXPECT_EQ(printed("Max(Integer(1), Symbol('s0'))"), "Max(1, s0)");
  EXPECT_EQ(printed("Equality(Symbol('s0'), Integer(1))"), "Eq(s0, 1)");
  EXPECT_EQ(printed("StrictLessThan(Symbol('s0'), Float('2.5', precision=53))"), "s0 < 2.5");
}

TEST(SymbolicRepr, IsRefusedWithItsPlace) {
  try {
    read_symbolic_repr("Mul(Integer(8)", "model.json:1: /sizes/0");
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.diagnostics().front().place.find("model.json:1: /sizes/0"), 0U);
  }
}

}  // namespace
}  // namespace fxcut
