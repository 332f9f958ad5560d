// The comments above nodes.
#include "python_text/node_comment.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

std::optional<NodeComment> read_comment(std::string_view text) { return read_node_comment({text, {1, 1}, true}, "log"); }

TEST(NodeComment, TheSourceIsReadWithoutItsCode) {
  const auto comment = read_comment(" File: /a b/model.py:012 in <lambda>, code: x = f(y), code: \"#\"");
  ASSERT_TRUE(comment);
  EXPECT_EQ(comment->source_file, "/a b/model.py");
  EXPECT_EQ(comment->source_line, "12");
  EXPECT_EQ(comment->source_function, "<lambda>");
  EXPECT_EQ(comment->recompute, "");
  EXPECT_EQ(comment->ac_graph_id, "");
}

TEST(NodeComment, SourceOfABackwardNodeIsTheForwards) {
  EXPECT_EQ(read_comment(" Backward of forward node: File: m.py:7 in f, code: x")->source_line, "7");
}

TEST(NodeComment, RegionsAndTagsStandBeforeTheSource) {
  const auto comment = read_comment(" ac_graph_id: 2 - MUST_SAVE No stacktrace found for following nodes");
  ASSERT_TRUE(comment);
  EXPECT_EQ(comment->ac_graph_id, "2");
  EXPECT_EQ(comment->recompute, "MUST_SAVE");
  EXPECT_EQ(comment->source_file, "");
  EXPECT_EQ(read_comment(" ac_graph_id: 3 File: m.py:1 in f, code: x")->ac_graph_id, "3");
  EXPECT_EQ(read_comment(" recompute: PREFER_SAVE File: m.py:1 in f, code: x")->recompute, "PREFER_SAVE");
}

// As print_readable(additional_meta=["nn_module_stack", "fwd_nn_module_stack"]) of PyTorch 2.13 prints them.
TEST(NodeComment, TheInnermostModuleCounts) {
  const auto comment = read_comment(" nn_module_stack: {'1': (\"L['self'].layers\", <class 'm.Stack'>), '2': "
                                    "(\"L['self'].layers.0\", <class 'torch.nn.modules.linear.Linear'>)} "
                                    "# ac_graph_id: 2 File: m.py:7 in f, code: x = {");
  ASSERT_TRUE(comment);
  EXPECT_EQ(comment->module, "layers.0");
  EXPECT_EQ(comment->ac_graph_id, "2");
  EXPECT_EQ(comment->source_line, "7");
  EXPECT_EQ(read_comment(" fwd_nn_module_stack: None # File: m.py:7 in f, code: x")->module, "");
  EXPECT_EQ(read_comment(" fwd_nn_module_stack: None # File: m.py:7 in f, code: x")->source_line, "7");
  EXPECT_EQ(read_comment(" nn_module_stack: {'a': ('mlp', 'm.Mlp')} # No stacktrace found for following nodes")->module, "mlp");
  EXPECT_FALSE(read_comment(" nn_module_stack: {'a': ('mlp'"));
}

TEST(NodeComment, Annotations) {
  const auto comment = read_comment(" Annotation: {'a': '}', 'b': 0.5} recompute: MUST_SAVE File: m.py:1 in f, code: x");
  ASSERT_TRUE(comment && comment->annotations);
  EXPECT_EQ(comment->annotations->items.size(), 4U);
  EXPECT_EQ(comment->annotations->items[1].text, "}");
  EXPECT_EQ(comment->recompute, "MUST_SAVE");
  EXPECT_EQ(comment->source_file, "m.py");
  EXPECT_FALSE(read_comment(" Annotation: {'a': 1 1} File: m.py:1 in f, code: x")->annotations) << "no Python";
}

TEST(NodeComment, OthersAreNone) {
  EXPECT_FALSE(read_comment(" the user's own"));
  EXPECT_FALSE(read_comment(" Annotation: {'a'"));
  EXPECT_FALSE(read_comment(""));
}

}  // namespace
}  // namespace fxcut
