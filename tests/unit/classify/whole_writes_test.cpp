#include "classify/whole_writes.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

// The names of the nodes that are marked.
std::string marked(const Graph& graph, const std::vector<bool>& is_marked) {
  std::string names;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (is_marked[i]) names += graph.nodes[i].name + " ";
  }
  return names;
}

std::string whole(std::string_view text) {
  const Graph graph = joint_graph(text).graph;
  return marked(graph, find_copies_in_place(graph).is_whole);
}

std::string idle(std::string_view text) {
  const Graph graph = joint_graph(text).graph;
  return marked(graph, find_copies_in_place(graph).is_idle);
}

std::string same(std::string_view text) {
  const Graph graph = joint_graph(text).graph;
  return marked(graph, find_copies_in_place(graph).writes_same);
}

TEST(WholeWrites, AreThoseToAllOfAMemory) {
  EXPECT_EQ(whole(R"(
    x = placeholder : f32[2, 4]{4, 1}@0
    y = placeholder : f32[8]{1}@1
    made = aten.sin.default(x) : f32[2, 4]{4, 1}@2
    flat = aten.view.default(made, [8]) : f32[8]{1}@2
    part = aten.select.int(made, 0, 0) : f32[4]@2
    all = aten.copy_.default(x, made) : f32[2, 4]{4, 1}@0
    through_view = aten.copy_.default(flat, y) : f32[8]{1}@2
    to_part = aten.copy_.default(part, part) : f32[4]@2
    added = aten.add_.Tensor(y, y) : f32[8]{1}@1
    return all)"),
            "all through_view ");
}

TEST(WholeWrites, AreNotKnownOfInputsThatShareMemory) {
  EXPECT_EQ(whole(R"(
    x = placeholder : f32[4]@0
    y = placeholder : f32[4]@0
    z = placeholder : f32[4]@1
    written = aten.copy_.default(x, z) : f32[4]@0
    return written)"),
            "");
}

TEST(WholeWrites, AreNotKnownWhereElementsMayBeTheSame) {
  EXPECT_EQ(whole(R"(
    x = placeholder : f32[4]@0
    z = placeholder : f32[4]@1
    part = aten.select.int(x, 0, 0) : f32[1]@0
    spread = aten.expand.default(part, [4]) : f32[4]{0}@0
    written = aten.copy_.default(spread, z) : f32[4]{0}@0
    strided = aten.as_strided.default(z, [4], [1]) : f32[4]@1
    again = aten.copy_.default(strided, x) : f32[4]@1
    return written)"),
            "");
}

TEST(WholeWrites, WritingATensorToItselfIsIdle) {
  constexpr std::string_view kGraph = R"(
    x = placeholder : f32[2, 2]{2, 1}@0
    alias = aten.alias.default(x) : f32[2, 2]{2, 1}@0
    t = aten.t.default(x) : f32[2, 2]{1, 2}@0
    same = aten.copy_.default(x, x) : f32[2, 2]{2, 1}@0
    through_alias = aten.copy_.default(alias, x) : f32[2, 2]{2, 1}@0
    transposed = aten.copy_.default(x, t) : f32[2, 2]{2, 1}@0
    return same)";
  EXPECT_EQ(idle(kGraph), "same ");
  EXPECT_EQ(same(kGraph), "through_alias ");  // another order may have other memory in its place
}

TEST(WholeWrites, WritingBackAnUnchangedCloneChangesNothing) {
  EXPECT_EQ(same(R"(
    x = placeholder : f32[2]@0
    y = placeholder : f32[2]@1
    clone = aten.clone.default(x) : f32[2]@2
    back = aten.copy_.default(x, clone) : f32[2]@0
    of_other = aten.copy_.default(y, clone) : f32[2]@1
    added = aten.add_.Tensor(x, y) : f32[2]@0
    after_a_write = aten.copy_.default(x, clone) : f32[2]@0
    second = aten.clone.default(x) : f32[2]@3
    changed = aten.add_.Tensor(second, y) : f32[2]@3
    of_a_changed_one = aten.copy_.default(x, second) : f32[2]@0
    return x)"),
            "back ");
}

TEST(WholeWrites, BackFromWhatWasCopiedToWriteTheSame) {
  EXPECT_EQ(same(R"(
    x = placeholder : f32[2]{1}@0
    y = placeholder : f32[2]{1}@1
    z = placeholder : f32[2]{1}@2
    there = aten.copy_.default(y, x) : f32[2]{1}@1
    further = aten.copy_.default(z, y) : f32[2]{1}@2
    back = aten.copy_.default(x, z) : f32[2]{1}@0
    added = aten.add_.Tensor(y, x) : f32[2]{1}@1
    after_a_write = aten.copy_.default(x, y) : f32[2]{1}@0
    return x)"),
            "back ");
}

TEST(WholeWrites, AnotherTypeOrOrderIsAChange) {
  EXPECT_EQ(same(R"(
    x = placeholder : f32[2, 2]{2, 1}@0
    y = placeholder : f16[2, 2]{2, 1}@1
    z = placeholder : f32[2, 2]{1, 2}@2
    rounded = aten.copy_.default(y, x) : f16[2, 2]{2, 1}@1
    back = aten.copy_.default(x, y) : f32[2, 2]{2, 1}@0
    turned = aten.copy_.default(z, x) : f32[2, 2]{1, 2}@2
    t = aten.t.default(z) : f32[2, 2]{2, 1}@2
    transposed = aten.copy_.default(x, t) : f32[2, 2]{2, 1}@0
    return x)"),
            "");
}

// When the memory that `back` writes to has first held the same.
std::string restored(std::string_view text) {
  const Graph graph = joint_graph(text).graph;
  const CopiesInPlace copies = find_copies_in_place(graph);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].name != "back" || !copies.restores[i]) continue;
    return copies.restores[i]->write ? "after " + graph[*copies.restores[i]->write].name : "first";
  }
  return "never";
}

TEST(WholeWrites, BringBackWhatAMemoryHasHeld) {
  const std::string start = "x = placeholder : f32[4]{1}@0\ny = placeholder : f32[4]{1}@1\n";
  const std::string clone = "clone = aten.clone.default(x) : f32[4]{1}@2\n", add = "add = aten.add_.Tensor(x, y) : f32[4]{1}@0\n";
  const std::string back = "back = aten.copy_.default(x, clone) : f32[4]{1}@0\nreturn x";
  EXPECT_EQ(restored(start + clone + add + back), "first");
  EXPECT_EQ(restored(start + add + clone + "more = aten.mul_.Tensor(x, y) : f32[4]{1}@0\n" + back), "after add");
  EXPECT_EQ(restored(start + clone + add + "more = aten.mul_.Tensor(clone, y) : f32[4]{1}@2\n" + back), "never");
  EXPECT_EQ(restored(start + "clone = aten.clone.default(y) : f32[4]{1}@2\n" + add + back), "never");
}

}  // namespace
}  // namespace fxcut
