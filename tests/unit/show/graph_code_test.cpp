// Graphs as Python. What PyTorch prints of whole graphs is compared in tests/parity/show_test.cpp.
#include "show/graph_code.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

// The code without the empty lines before it, and without its last line of white space.
std::string code_of(std::string_view text, CodeStyle style = {}) {
  std::string code = graph_code(joint_graph(text).graph, style);
  EXPECT_TRUE(code.starts_with("\n\n\ndef forward(")) << code;
  EXPECT_TRUE(code.ends_with("\n    ")) << code;
  return code.substr(3, code.size() - 3 - 4);
}

TEST(GraphCode, FreesAValueBehindItsLastUse) {
  EXPECT_EQ(code_of("x = placeholder\n"
                    "y = aten.sin.default(x)\n"
                    "z = aten.mul.Tensor(y, x)\n"
                    "return z"),
            "def forward(self, x):\n"
            "    y = torch.ops.aten.sin.default(x)\n"
            "    z = torch.ops.aten.mul.Tensor(y, x);  y = x = None\n"
            "    return [z]\n");
}

TEST(GraphCode, FreesAValueThatNobodyTakesAtOnce) {
  EXPECT_EQ(code_of("x = placeholder\n"
                    "y = aten.sin.default(x)\n"
                    "return x"),
            "def forward(self, x):\n"
            "    y = torch.ops.aten.sin.default(x);  y = None\n"
            "    return [x]\n");
}

TEST(GraphCode, WritesOperatorsOfPython) {
  EXPECT_EQ(code_of("a = placeholder\n"
                    "b = operator.add(a, 1)\n"
                    "c = operator.neg(b)\n"
                    "d = operator.getitem(c, 0)\n"
                    "e = operator.iadd(d, a)\n"
                    "f = builtins.max(e, 2)\n"
                    "return f"),
            "def forward(self, a):\n"
            "    b = a + 1\n"
            "    c = -b;  b = None\n"
            "    d = c[0];  c = None\n"
            "    d += a;  e = d;  d = a = None\n"
            "    f = max(e, 2);  e = None\n"
            "    return [f]\n");
}

TEST(GraphCode, CallsAnOperatorOfPythonThatLacksOperands) {
  EXPECT_EQ(code_of("a = placeholder\nb = operator.add(a)\nreturn b"),
            "def forward(self, a):\n"
            "    b = _operator_add(a);  a = None\n"
            "    return [b]\n");
}

TEST(GraphCode, RenamesWhatWouldHideAGlobal) {
  EXPECT_EQ(code_of("max = placeholder\n"
                    "math_ceil = math.ceil(max)\n"
                    "b = math.ceil(math_ceil)\n"
                    "return b"),
            "def forward(self, max):\n"
            "    max_1 = max\n"
            "    math_ceil_1 = math_ceil(max_1);  max_1 = None\n"
            "    b = math_ceil(math_ceil_1);  math_ceil_1 = None\n"
            "    return [b]\n");
}

TEST(GraphCode, AsksForAttributesThatAreNoIdentifiers) {
  EXPECT_EQ(code_of("w = get_attr layers.0.weight\nreturn w"),
            "def forward(self):\n"
            "    w = getattr(self.layers, \"0\").weight\n"
            "    return [w]\n");
}

TEST(GraphCode, TakesListsAndReturnsATreeAsTraced) {
  CodeStyle style;
  style.as_traced = true;
  EXPECT_EQ(code_of("primals_1 = placeholder\n"
                    "primals_2 = placeholder\n"
                    "tangents_1 = placeholder\n"
                    "return primals_1 | tangents_1",
                    style),
            "def forward(self, primals, tangents):\n"
            "    primals_1, primals_2, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)\n"
            "    return pytree.tree_unflatten([primals_1, tangents_1], self._out_spec)\n");
}

TEST(GraphCode, ComplexNumbersAreCallsSince215WhereAPartIsZero) {
  const std::string_view text = "x = placeholder\ny = aten.mul.Tensor(x, complex(0, 2))\nreturn y";
  EXPECT_NE(code_of(text, {Release{13}}).find("(x, 2j)"), std::string::npos);
  EXPECT_NE(code_of(text, {Release{15}}).find("(x, complex(0.0, 2.0))"), std::string::npos);
}

TEST(GraphCode, NotesStandBesideTheNodes) {
  const NodeNotes notes{[](const Node& node) { return ": \"" + node.name + "!\""; },
                        [](const Node&) { return std::string("# the same"); }};
  CodeStyle style;
  style.notes = &notes;
  EXPECT_EQ(code_of("x = placeholder\n"
                    "y = aten.sin.default(x)\n"
                    "z = aten.sin.default(y)\n"
                    "return z",
                    style),
            "def forward(self, x: \"x!\"):\n"
            "    # the same\n"
            "    y: \"y!\" = torch.ops.aten.sin.default(x);  x = None\n"
            "    z: \"z!\" = torch.ops.aten.sin.default(y);  y = None\n"
            "    return [z]\n");
}

TEST(GraphCode, AnnotationsOfListsEndInASpaceUntil215) {
  const NodeNotes notes{[](const Node&) { return std::string(": \"f32\""); },
                        [](const Node&) { return std::string("#"); }};
  CodeStyle style{Release{13}};
  style.as_traced = true;
  style.notes = &notes;
  const std::string_view text = "primals_1 = placeholder\nprimals_2 = placeholder\nreturn primals_1";
  EXPECT_NE(code_of(text, style).find("primals_1: \"f32\"; primals_2: \"f32\"; \n\n"), std::string::npos);
  style.release = Release{15};
  EXPECT_NE(code_of(text, style).find("primals_1: \"f32\"; primals_2: \"f32\";\n\n"), std::string::npos);
}

}  // namespace
}  // namespace fxcut
