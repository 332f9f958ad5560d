// Values as JSON, read back by the reader.
#include "json/value_json.h"

#include <gtest/gtest.h>

#include "graph_text.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

// The written value of `x` in a graph whose `x` has that value, in the notation.
std::string written_value(const std::string& value) {
  std::string out;
  append_value(*node_named(joint_graph("x = placeholder : " + value + "\nreturn x").graph, "x").value, out);
  return out;
}

std::string read_back(const std::string& json) {
  const auto document = Document::parse(R"({"format":"fx-joint-graph","version":1,"num_fwd_outputs":1,"nodes":[
    {"name":"x","op":"placeholder","target":"x","val":)" + json + R"(},
    {"name":"output","op":"output","args":[[{"node":"x"}]]}]})", "g.json");
  const JointGraph joint = read_joint_graph(*document);
  std::string out;
  append_value(*joint.graph.nodes[0].value, out);
  return out;
}

TEST(ValueJson, IsWhatTheReaderReads) {
  for (const std::string value : {"f32[4, s0=16]{16, 1}@3 on cuda:0", "bf16[]", "symint(2*s0=32)", "symbool(u0)",
                                  "tuple(f32[2], none, tuple(i64[3]))", "backward_state", "opaque", "other(device)",
                                  "f32[s0=16] was s0+s1", "symint(s0=16) was s1"}) {
    EXPECT_EQ(read_back(written_value(value)), written_value(value)) << value;
  }
}

TEST(ValueJson, SizesKeepTheirExpressions) {
  EXPECT_EQ(written_value("f32[s0=16]"),
            R"({"kind":"tensor","dtype":"float32","shape":[{"expr":"s0","hint":16,"symbols":["s0"]}]})");
}

TEST(ValueJson, SymbolsThatWereReplacedAreKept) {
  EXPECT_EQ(written_value("symint(4=4) was s1"),
            R"({"kind":"symint","expr":"4","hint":4,"symbols":[],"unreplaced":{"expr":"s1","symbols":["s1"]}})");
  EXPECT_EQ(written_value("int8[2] was s0"),
            R"({"kind":"tensor","dtype":"int8","shape":[2],"unreplaced":{"symbols":["s0"]}})");
}

}  // namespace
}  // namespace fxcut
