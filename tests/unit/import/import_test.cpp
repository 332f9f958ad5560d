// From text to a graph.
#include "import/import.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "python_text/graph_source.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

JointGraph import(std::string_view text, const ImportRequest& request = {}) {
  const std::vector<ImportedGraph> graphs = import_graphs(text, "log", request);
  EXPECT_EQ(graphs.size(), 1U);
  return read_joint_graph(*Document::parse(graphs.front().json, "graph.json"));
}

const Node& node(const JointGraph& joint, std::string_view name) {
  for (const Node& each : joint.graph.nodes) {
    if (each.name == name) return each;
  }
  throw std::out_of_range(std::string(name));
}

std::string graph_of(std::string_view body) {
  return "class joint(torch.nn.Module):\n"
         "    def forward(self, primals_1: \"f32[4][1]cpu\", tangents_1: \"f32[4][1]cpu\"):\n" +
         std::string(body);
}

TEST(Import, ViewsAreInTheMemoryOfTheirInput) {
  const JointGraph joint = import(graph_of(R"(
        view: "f32[2, 2][2, 1]cpu" = torch.ops.aten.view.default(primals_1, [2, 2])
        split = torch.ops.aten.split.Tensor(view, 1);  view = None
        getitem: "f32[1, 2][2, 1]cpu" = split[0]
        getitem_1: "f32[1, 2][2, 1]cpu" = split[1];  split = None
        var_mean = torch.ops.aten.var_mean.correction(getitem, [0])
        getitem_2: "f32[2][1]cpu" = var_mean[0]
        getitem_3: "f32[2][1]cpu" = var_mean[1];  var_mean = None
        copy_: "f32[4][1]cpu" = torch.ops.aten.copy_.default(primals_1, getitem);  primals_1 = getitem = None
        return (getitem_2, tangents_1)
)"));
  const auto storage = [&](std::string_view name) { return node(joint, name).value->tensor.storage; };
  EXPECT_EQ(storage("view"), storage("primals_1"));
  EXPECT_EQ(storage("getitem"), storage("primals_1"));
  EXPECT_EQ(storage("getitem_1"), storage("primals_1"));
  EXPECT_EQ(storage("copy_"), storage("primals_1"));
  EXPECT_NE(storage("getitem_2"), storage("primals_1"));
  EXPECT_NE(storage("getitem_2"), storage("getitem_3"));
  ASSERT_EQ(node(joint, "var_mean").value->items.size(), 2U);
  EXPECT_EQ(node(joint, "var_mean").value->items[1].tensor.storage, storage("getitem_3"));
}

TEST(Import, PhasesOfTheStep) {
  const JointGraph joint = import(graph_of(R"(
        sin: "f32[4][1]cpu" = torch.ops.aten.sin.default(primals_1)
        detach: "f32[4][1]cpu" = torch.ops.aten.detach.default(sin)
        detach_1: "f32[4][1]cpu" = torch.ops.aten.detach.default(detach);  detach = None
        mul: "f32[4][1]cpu" = torch.ops.aten.mul.Tensor(tangents_1, detach_1);  tangents_1 = detach_1 = None
        neg: "f32[4][1]cpu" = torch.ops.aten.neg.default(sin)
        copy_: "f32[4][1]cpu" = torch.ops.aten.copy_.default(primals_1, neg);  primals_1 = neg = copy_ = None
        return (sin, mul)
)"));
  EXPECT_EQ(node(joint, "primals_1").meta.tag, PartitionerTag::IsForward);
  EXPECT_EQ(node(joint, "tangents_1").meta.tag, PartitionerTag::IsBackward);
  EXPECT_EQ(node(joint, "sin").meta.tag, PartitionerTag::IsForward);
  EXPECT_EQ(node(joint, "detach").meta.tag, PartitionerTag::IsForward) << "what autograd keeps of sin";
  EXPECT_EQ(node(joint, "detach_1").meta.tag, PartitionerTag::IsBackward);
  EXPECT_EQ(node(joint, "mul").meta.tag, PartitionerTag::IsBackward);
  EXPECT_EQ(node(joint, "neg").meta.tag, PartitionerTag::IsBackward);
  EXPECT_EQ(node(joint, "copy_").meta.tag, PartitionerTag::MustBeInForward) << "writes to an input, without a tangent";
}

TEST(Import, ColoursAreLeftOut) {
  const JointGraph joint =
      import(graph_of("        sin: \"\x1b[31mf32\x1b[0m\x1b[34m[4]\x1b[0m\" = torch.ops.aten.sin.default(primals_1)\n"
                      "        return (sin, tangents_1)\n"));
  EXPECT_EQ(node(joint, "sin").value->tensor.dtype->name, "float32");
}

TEST(Import, ProcessesInOneLogAreKeptApart) {
  const std::string text = graph_of("        return (primals_1, tangents_1)\n");
  std::string log;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    for (const char* rank : {"[rank0]:", "[rank1]:"}) {
      log += std::string(rank) + "I1121 17:02:45.7 15999 graph_compile.py:1780] [2/1] [__aot_joint_graph] " +
             text.substr(begin, end - begin) + "\nwarning: something else\n";
    }
    begin = end + 1;
  }
  const std::vector<ImportedGraph> graphs = import_graphs(log, "log", {});
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(graphs[0].name, "joint_rank0_2_1");
  EXPECT_EQ(graphs[1].name, "joint_rank1_2_1");
  EXPECT_EQ(graphs[0].nodes, 3U);
}

TEST(Import, GraphsOfOneNameAreNumbered) {
  const std::string one = graph_of("        return (primals_1, tangents_1)\n");
  const std::vector<ImportedGraph> graphs = import_graphs(one + one + one, "log", {});
  ASSERT_EQ(graphs.size(), 3U);
  EXPECT_EQ(graphs[0].name, "joint");
  EXPECT_EQ(graphs[1].name, "joint_2");
  EXPECT_EQ(graphs[2].name, "joint_3");
}

TEST(Import, AClassWithoutANameIsRead) {
  std::string one = graph_of("        return (primals_1, tangents_1)\n");
  one.replace(one.find("joint"), 5, "<lambda>");
  EXPECT_EQ(import(one).graph.size(), 3U);
}

TEST(Import, ALogThatHasInductorsCodeNamesTheCompiler) {
  const auto record = [](const std::string& name, int frame) {
    return "V1 f.py:1] {\"" + name + "\": {}, \"frame_id\": " + std::to_string(frame) + ", \"frame_compile_id\": 0}\n";
  };
  std::string payload;
  const std::string text = graph_of("        return (primals_1, tangents_1)\n");
  for (const SourceLine& line : split_lines(text)) {
    payload += "\t" + std::string(line.text) + "\n";
  }
  const std::vector<ImportedGraph> graphs =
      import_graphs(record("aot_joint_graph", 0) + payload + record("aot_joint_graph", 1) + payload +
                        record("inductor_output_code", 1) + "\tdef call(args):\n",
                    "log", {});
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(read_joint_graph(*Document::parse(graphs[0].json, "graph")).compiler, "") << "another backend's, or not known";
  EXPECT_EQ(read_joint_graph(*Document::parse(graphs[1].json, "graph")).compiler, kInductor);
}

TEST(Import, ExplicitOptionsWin) {
  ImportRequest request;
  request.forward_outputs = 2;
  request.static_inputs = {"primals_1"};
  request.producer = "torch 2.15.0";
  const JointGraph joint = import(graph_of("        return (primals_1, tangents_1)\n"), request);
  EXPECT_EQ(joint.num_forward_outputs, 2U);
  EXPECT_TRUE(node(joint, "primals_1").meta.static_lifetime);
  EXPECT_EQ(joint.producer, "torch 2.15.0");
}

}  // namespace
}  // namespace fxcut
