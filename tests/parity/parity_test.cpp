// Every recorded question is put to the library, and its answer has to be PyTorch's: the saved values and symbols in
// order, each cut, the totals, both graphs node by node with the graphs nested in them, or that there is no partition.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "diagnostic/diagnostic.h"
#include "graph_difference.h"
#include "partition/partition.h"
#include "read/read_file.h"
#include "read/read_graph.h"
#include "read/read_settings.h"
#include "recorded_answers.h"
#include "write_down.h"

namespace fxcut {
namespace {

std::vector<std::string> names_in(const Json& rows) {
  std::vector<std::string> names;
  for (const Json& row : rows) names.push_back(row.at("name").get<std::string>());
  return names;
}

void expect_same_values(const Json& answer, const Json& report) {
  EXPECT_EQ(names_in(report.at("saved_values")), answer.at("saved_values").get<std::vector<std::string>>());
  EXPECT_EQ(names_in(report.at("saved_symbols")), answer.at("saved_sym_nodes").get<std::vector<std::string>>());
}

// Some of PyTorch's figures are whole numbers written as reals: where symbolic sizes take part, and 2.15's cuts.
std::uint64_t whole(const Json& number) {
  const auto figure = number.get<std::uint64_t>();
  EXPECT_EQ(static_cast<double>(figure), number.get<double>());
  return figure;
}

void expect_same_cuts(const Json& answer, const Json& report) {
  const Json &tagged = answer.at("cuts"), &found = report.at("cuts");
  ASSERT_EQ(found.size(), tagged.size());
  for (std::size_t i = 0; i < tagged.size(); ++i) {
    EXPECT_EQ(whole(found[i].at("value")), whole(tagged[i].at("cut_value"))) << "cut " << i;
    for (const char* count : {"vertices", "edges"}) {
      if (!tagged[i].contains(count)) continue;
      EXPECT_EQ(found[i].at(count), tagged[i].at(count)) << count << " of cut " << i;
    }
  }
}

void expect_same_totals(const Json& answer, const Json& report) {
  for (const char* total : {"saved_bytes", "saved_bytes_not_static", "recomputed_flops"}) {
    EXPECT_EQ(whole(report.at("totals").at(total)), whole(answer.at(total))) << total;
  }
}

void expect_same_flops(const Json& flops, const Json& report) {
  if (flops.is_null()) return;
  for (const Json& row : report.at("recomputed_values")) {
    const auto name = row.at("name").get<std::string>();
    EXPECT_EQ(whole(row.at("flops")), flops.contains(name) ? whole(flops.at(name)) : 1) << "FLOPs of " << name;
  }
}

void expect_same_subgraphs(const Json& tagged, const WrittenPartition& written) {
  std::set<std::string> found, recorded;
  for (const Json* side : {&written.forward, &written.backward}) {
    const Json subgraphs = side->value("subgraphs", Json::object());
    for (const auto& [name, subgraph] : subgraphs.items()) {
      found.insert(name);
      if (!tagged.contains(name)) continue;
      const Json& nodes = tagged.at(name);
      EXPECT_EQ(first_difference(nodes, subgraph.at("nodes"), names_of(nodes)), "") << "in the subgraph " << name;
    }
  }
  for (const auto& [name, nodes] : tagged.items()) recorded.insert(name);
  EXPECT_EQ(found, recorded) << "subgraphs";
}

void expect_same_graphs(const Json& answer, const Json& joint, const WrittenPartition& written) {
  if (!answer.contains("forward")) return;  // recorded once a graph pair
  const auto names = node_names(joint);
  EXPECT_EQ(first_difference(answer.at("forward"), written.forward.at("nodes"), names), "") << "in the forward";
  EXPECT_EQ(first_difference(answer.at("backward"), written.backward.at("nodes"), names), "") << "in the backward";
  if (answer.contains("subgraphs")) expect_same_subgraphs(answer["subgraphs"], written);
}

// Values that the graph marks for offloading are offloaded or refused, and no others are offloaded.
void expect_marks_accounted_for(const Json& joint, const WrittenPartition& written) {
  const auto in_forward = node_names(written.forward);
  std::set<std::string> marked, offloaded, refused;
  for (const Json& node : joint.at("nodes")) {
    const bool is_marked = node.value("meta", Json::object()).value("should_offload", Json(false)) == Json(true);
    if (is_marked) marked.insert(node.at("name"));
  }
  for (const Json& row : written.report.at("saved_values")) {
    if (row.at("offloaded").get<bool>()) offloaded.insert(row.at("name"));
  }
  for (const Json& row : written.report.at("offload_refusals")) refused.insert(row.at("name"));
  for (const std::string& name : offloaded) EXPECT_TRUE(marked.contains(name)) << name << " is not marked";
  for (const std::string& name : marked) {
    if (!in_forward.contains(name)) continue;
    EXPECT_NE(offloaded.contains(name), refused.contains(name)) << name << ": is it offloaded or refused?";
  }
}

bool names_a_node(const std::string& text, const Json& joint) {
  static const std::regex kName(R"([\w.]+)");
  const auto names = node_names(joint);
  for (std::sregex_iterator word(text.begin(), text.end(), kName), end; word != end; ++word) {
    if (names.contains(word->str())) return true;
  }
  return false;
}

void expect_refused(JointGraph graph, const Settings& settings, const Json& joint) {
  try {
    partition(std::move(graph), settings);
    ADD_FAILURE() << "partitioned; PyTorch refuses it";
  } catch (const Failure& refusal) {
    EXPECT_EQ(refusal.status(), ExitStatus::NoPartition) << refusal.what();
    EXPECT_TRUE(names_a_node(refusal.what(), joint)) << refusal.what();
  }
}

class Parity : public testing::TestWithParam<RecordedCase> {};

TEST_P(Parity, AnswersAsPyTorchDid) {
  const auto [graph_name, oracle, answer, config, flops] = read_answer(GetParam());
  SCOPED_TRACE("settings " + config.dump());
  const std::string text = read_file(GetParam().graph_path);
  const auto document = Document::parse(text, GetParam().graph_path);
  Settings settings;
  read_settings(Document::parse(config.dump(), "config")->root(), settings);
  JointGraph graph = read_joint_graph(*document, settings.torch_version);
  EXPECT_EQ(graph.name, graph_name);
  EXPECT_TRUE(oracle.starts_with("torch " + graph.torch.release.version() + ".")) << oracle;
  const Json joint = Json::parse(text);
  if (answer.contains("error")) {
    SCOPED_TRACE("PyTorch said " + answer.at("error").get<std::string>());
    return expect_refused(std::move(graph), settings, joint);
  }
  const WrittenPartition written = write_down(partition(std::move(graph), settings), *document);
  expect_same_values(answer, written.report);
  expect_same_cuts(answer, written.report);
  expect_same_totals(answer, written.report);
  expect_same_flops(flops, written.report);
  expect_same_graphs(answer, joint, written);
  if (settings.enable_activation_offloading) expect_marks_accounted_for(joint, written);
}

INSTANTIATE_TEST_SUITE_P(Recorded, Parity, testing::ValuesIn(recorded_cases(FXCUT_TESTDATA)),
                         [](const auto& recorded) { return recorded.param.name(); });

}  // namespace
}  // namespace fxcut
