#include "read/nodes_ahead.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <optional>
#include <string>

#include "diagnostic/diagnostic.h"
#include "graph/fingerprint.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

constexpr std::string_view kGraphHead = R"({"format": "fx-joint-graph", "version": 1, "name": "g", "num_fwd_outputs": 1,)";
constexpr std::string_view kValue =
    R"("val": {"kind": "tensor", "dtype": "float32", "shape": [2, 3], "stride": [3, 1], "device": "cpu"})";

// An input and a chain of `calls` calls on it, as the member "nodes"; the node `replaced` stands in place of one.
std::string nodes_text(std::size_t calls, std::size_t replaced_at = 0, const std::string& replaced = "") {
  std::string text = fmt::format(R"("nodes": [{{"name": "x", "op": "placeholder", "target": "x", {}}})", kValue);
  for (std::size_t i = 0; i < calls; ++i) {
    const std::string before = i == 0 ? "x" : fmt::format("n{}", i - 1);
    text += ",\n";
    text += i > 0 && i == replaced_at
                ? replaced
                : fmt::format(R"({{"name": "n{}", "op": "call_function", "target": "aten.sin.default",)"
                              R"( "args": [{{"node": "{}"}}], {}}})", i, before, kValue);
  }
  return text + fmt::format(R"(, {{"name": "output", "op": "output", "target": "output", )"
                            R"("args": [[{{"node": "n{}"}}]]}}])", calls - 1);
}

struct Outcome {
  std::optional<JointGraph> graph;
  std::string mistakes;
  bool was_ahead = false;
};

// Whether the nodes are sound and could be read ahead.
bool takes_ahead(const std::string& text) {
  NodesAhead nodes(kAsProducer, text.size());
  const auto document = Document::parse(text, "g.json", &nodes);
  return nodes.take(document->root()).has_value();
}

Outcome read_outcome(const std::string& text, bool ahead) {
  Outcome outcome;
  NodesAhead nodes(kAsProducer, text.size());
  try {
    outcome.was_ahead = ahead && takes_ahead(text);
    const auto document = Document::parse(text, "g.json", ahead ? &nodes : nullptr);
    outcome.graph = read_joint_graph(*document, kAsProducer, ahead ? &nodes : nullptr);
  } catch (const Failure& failure) {
    for (const Diagnostic& found : failure.diagnostics()) {
      outcome.mistakes += fmt::format("{}: {} ({})\n", found.place, found.message, found.hint);
    }
  }
  return outcome;
}

// Reads the text both ways, which have to come to the same; returns that.
Outcome read_both_ways(const std::string& text) {
  const Outcome later = read_outcome(text, false), ahead = read_outcome(text, true);
  EXPECT_EQ(ahead.mistakes, later.mistakes);
  EXPECT_EQ(ahead.graph.has_value(), later.graph.has_value());
  if (ahead.graph && later.graph) {
    EXPECT_EQ(fingerprint_of(*ahead.graph), fingerprint_of(*later.graph));
    for (std::size_t i = 0; i < later.graph->graph.size(); ++i) {
      EXPECT_EQ(ahead.graph->graph.nodes[i].origin, later.graph->graph.nodes[i].origin);
    }
  }
  return ahead;
}

// Each name is kept while more of them, whose content stands aside as well, are still being read.
TEST(NodesAhead, MayHaveEscapesInTheirNames) {
  std::string text = std::string(kGraphHead) + nodes_text(5000) + "}";
  const std::string plain = "\"n", escaped = "\"\\u006e";
  for (std::size_t at = text.find(plain, kGraphHead.size() + 8); at != text.npos; at = text.find(plain, at + 1)) {
    if (std::isdigit(static_cast<unsigned char>(text[at + 2])) != 0) text.replace(at, plain.size(), escaped);
  }
  const Outcome outcome = read_both_ways(text);
  EXPECT_EQ(outcome.mistakes, "");
  EXPECT_TRUE(outcome.was_ahead);
  ASSERT_TRUE(outcome.graph);
  EXPECT_EQ(outcome.graph->graph.nodes[4000].name, "n3999");
}

// A key is looked at once, not for each element: it may stand far from them.
TEST(NodesAhead, MayStandBehindALongArrayFarFromItsKey) {
  std::string text = std::string(kGraphHead) + "\"far\": " + std::string(1'000'000, ' ') + "[1";
  for (int i = 0; i < 300'000; ++i) text += ",1";
  const Outcome outcome = read_both_ways(text + "], " + nodes_text(10) + "}");
  EXPECT_EQ(outcome.mistakes, "");
  EXPECT_TRUE(outcome.was_ahead);
}

TEST(NodesAhead, AreThoseReadLater) {
  for (const std::size_t calls : {1u, 255u, 256u, 1000u}) {
    const Outcome outcome = read_both_ways(std::string(kGraphHead) + nodes_text(calls) + "}");
    EXPECT_EQ(outcome.mistakes, "");
    EXPECT_TRUE(outcome.was_ahead);
    ASSERT_TRUE(outcome.graph);
    EXPECT_EQ(outcome.graph->graph.size(), calls + 2);
  }
}

TEST(NodesAhead, AreReadAgainWhereTheirOperatorsComeLater) {
  const std::string ops = R"(, "ops": {"aten.sin.default": {"num_returns": 1}}})";
  const Outcome outcome = read_both_ways(std::string(kGraphHead) + nodes_text(300) + ops);
  EXPECT_EQ(outcome.mistakes, "");
  EXPECT_FALSE(outcome.was_ahead);
}

TEST(NodesAhead, KeepUpWithATapeThatMoves) {
  // Many values in few characters, and strings with escapes: more entries than were reserved.
  const std::string dense = R"({"name": "n400", "op": "call_function", "target": "aten.sin.default",)"
                            R"( "args": [{"node": "n399"}], "val": {"kind": "none"}, "other": [)" +
                            [] {
                              std::string ones = "1";
                              for (int i = 0; i < 200000; ++i) ones += ",1";
                              for (int i = 0; i < 500; ++i) ones += ",\"\\n\"";
                              return ones;
                            }() +
                            "]}";
  const Outcome outcome = read_both_ways(std::string(kGraphHead) + nodes_text(3000, 400, dense) + "}");
  EXPECT_EQ(outcome.mistakes, "");
  EXPECT_TRUE(outcome.was_ahead);
}

TEST(NodesAhead, LeaveMistakesToTheReadingOfTheWhole) {
  const auto mistakes = [](const std::string& node) {
    const Outcome outcome = read_both_ways(std::string(kGraphHead) + nodes_text(600, 300, node) + "}");
    EXPECT_FALSE(outcome.was_ahead);
    return outcome.mistakes;
  };
  EXPECT_NE(mistakes("7").find("/nodes/301: expected an object"), std::string::npos);
  EXPECT_NE(mistakes(R"({"name": "n300", "op": "call_function", "target": "aten.sin.default",)"
                     R"( "args": [{"node": "n500"}]})").find("'n500'"), std::string::npos);
  EXPECT_NE(mistakes(R"({"name": "n3", "op": "call_function", "target": "aten.sin.default", "args": []})")
                .find("duplicate name"), std::string::npos);
}

TEST(NodesAhead, EndWithTheParser) {
  const std::string text = std::string(kGraphHead) + nodes_text(2000);
  for (const std::size_t length : {text.size(), text.size() / 2, text.size() / 3}) {
    EXPECT_NE(read_both_ways(text.substr(0, length)).mistakes.find("this is not JSON"), std::string::npos);
  }
}

}  // namespace
}  // namespace fxcut
