// Graphs summed up.
#include "show/show_graph.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

TEST(GraphSummary, CountsEachStorageOnce) {
  EXPECT_EQ(graph_summary(joint_graph("\"symbols\": {\"s0\": {\"hint\": 16}, \"u0\": {\"backed\": false}}\n"
                                      "primals_1 = placeholder : f32[4, 8]@0 static\n"
                                      "primals_2 = placeholder : symint(s0=16)\n"
                                      "tangents_1 = placeholder : f32[8, 4]@1\n"
                                      "t = aten.t.default(primals_1) : f32[8, 4]@0 module=a.0 recompute=MUST_SAVE\n"
                                      "mm = aten.mm.default(primals_1, t) : f32[4, 4]@2 module=a.1.b\n"
                                      "view = aten.view.default(mm, [16]) : f32[16]@2 module=a.2.b ac_graph_id=3\n"
                                      "return view | tangents_1"),
                          GraphForm::Joint),
            "test: joint graph\n"
            "\n"
            "nodes            7  of which 3 calls of operators\n"
            "inputs           1  parameters and buffers, 128 B\n"
            "                 1  tangents, 128 B\n"
            "                 1  symbolic sizes\n"
            "outputs          1  of the forward, 64 B\n"
            "                 1  gradients, 128 B\n"
            "makes         64 B  of memory, each storage counted once\n"
            "computes  258 FLOP  as PyTorch's counter has it\n"
            "run time    2.3 us  estimated for h100\n"
            "tags             1  nodes MUST_SAVE\n"
            "                 1  checkpointed regions\n"
            "symbols          2  s0 = 16, u0 (depends on data)\n"
            "\n"
            "OPERATOR           CALLS  MAKES  COMPUTES  RUN TIME\n"
            "aten.mm.default        1   64 B  256 FLOP    2.3 us\n"
            "aten.t.default         1    0 B    1 FLOP      0 ns\n"
            "aten.view.default      1    0 B    1 FLOP      0 ns\n"
            "\n"
            "MODULE       CALLS  MAKES  COMPUTES  RUN TIME\n"
            "a.1-2.b  x2      2   64 B  257 FLOP    2.3 us\n"
            "a.0              1    0 B    1 FLOP      0 ns\n");
}

}  // namespace
}  // namespace fxcut
