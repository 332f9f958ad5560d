// Every recorded question is put to the library, and its answer has to be PyTorch's: the saved values and symbols in
// order, each cut, the totals, both graphs node by node, or that there is no partition.
#include <gtest/gtest.h>

#include <regex>

#include "diagnostic/diagnostic.h"
#include "graph_difference.h"
#include "pipeline.h"
#include "read/read_graph.h"
#include "read/read_settings.h"
#include "recorded_answers.h"
#include "verify_partition.h"
#include "write/files.h"
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

// Where symbolic sizes take part, PyTorch's figures are whole numbers written as reals.
std::uint64_t whole(const Json& number) { return number.get<std::uint64_t>(); }

void expect_same_cuts(const Json& answer, const Json& report) {
  const Json &wanted = answer.at("cuts"), &found = report.at("cuts");
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(whole(found[i].at("value")), whole(wanted[i].at("cut_value"))) << "cut " << i;
    for (const char* count : {"vertices", "edges"}) {
      if (!wanted[i].contains(count)) continue;
      EXPECT_EQ(found[i].at(count), wanted[i].at(count)) << count << " of cut " << i;
    }
  }
}

void expect_same_totals(const Json& answer, const Json& report) {
  for (const char* total : {"saved_bytes", "saved_bytes_not_static", "recomputed_flops"}) {
    if (!answer.contains(total)) continue;
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

void expect_same_graphs(const Json& answer, const Json& joint, const WrittenPartition& written) {
  if (!answer.contains("forward")) return;  // recorded once a graph pair
  const auto names = node_names(joint);
  EXPECT_EQ(first_difference(answer.at("forward"), written.forward.at("nodes"), names), "") << "in the forward";
  EXPECT_EQ(first_difference(answer.at("backward"), written.backward.at("nodes"), names), "") << "in the backward";
}

bool names_a_node(const std::string& text, const Json& joint) {
  static const std::regex kName(R"([\w.]+)");
  const auto names = node_names(joint);
  for (std::sregex_iterator word(text.begin(), text.end(), kName), end; word != end; ++word) {
    if (names.contains(word->str())) return true;
  }
  return false;
}

void expect_refused(const JointGraph& graph, const Settings& settings, const Json& joint) {
  try {
    partition(graph, settings);
    ADD_FAILURE() << "partitioned; PyTorch refuses it";
  } catch (const Failure& refusal) {
    EXPECT_EQ(refusal.status(), ExitStatus::NoPartition) << refusal.what();
    EXPECT_TRUE(names_a_node(refusal.what(), joint)) << refusal.what();
  }
}

class Parity : public testing::TestWithParam<RecordedCase> {};

TEST_P(Parity, AnswersAsPyTorchDid) {
  const auto [answer, config, flops] = read_answer(GetParam());
  SCOPED_TRACE("settings " + config.dump());
  const std::string text = read_file(GetParam().graph_path);
  const auto document = Document::parse(text, GetParam().graph_path);
  Settings settings;
  read_settings(*Document::parse(config.dump(), "config"), settings);
  const Json joint = Json::parse(text);
  if (answer.contains("error")) {
    SCOPED_TRACE("PyTorch said " + answer.at("error").get<std::string>());
    return expect_refused(read_joint_graph(*document), settings, joint);
  }
  const WrittenPartition written = write_down(partition(read_joint_graph(*document), settings), *document);
  expect_same_values(answer, written.report);
  expect_same_cuts(answer, written.report);
  expect_same_totals(answer, written.report);
  expect_same_flops(flops, written.report);
  expect_same_graphs(answer, joint, written);
  for (const std::string& problem : verify_partition(joint, written)) ADD_FAILURE() << problem;
}

INSTANTIATE_TEST_SUITE_P(Recorded, Parity, testing::ValuesIn(recorded_cases(FXCUT_TESTDATA)),
                         [](const auto& recorded) { return recorded.param.name(); });

}  // namespace
}  // namespace fxcut
