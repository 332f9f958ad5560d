// The table of nodes. What PyTorch prints of whole graphs is compared in tests/parity/show_test.cpp.
#include "show/show_graph.h"

#include <gtest/gtest.h>

#include <sstream>

#include "graph_text.h"

namespace fxcut {
namespace {

TEST(GraphTable, ColumnsAreAsWideAsTheirWidestCell) {
  std::ostringstream out;
  write_graph_table(joint_graph("x = placeholder\n"
                                "y = aten.sum.dim_IntList(x, [-1], keepdim=True)\n"
                                "z = operator.getitem(y, 0)\n"
                                "return z")
                        .graph,
                    out);
  EXPECT_EQ(out.str(),
            "opcode         name    target                       args       kwargs\n"
            "-------------  ------  ---------------------------  ---------  -----------------\n"
            "placeholder    x       x                            ()         {}\n"
            "call_function  y       aten.sum.dim_IntList         (x, [-1])  {'keepdim': True}\n"
            "call_function  z       <built-in function getitem>  (y, 0)     {}\n"
            "output         output  output                       ([z],)     {}\n");
}

}  // namespace
}  // namespace fxcut
