// From the notation to JSON, and to graphs.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "graph_text.h"
#include "graph_text/json.h"
#include "graph_text/line.h"
#include "graph_text/operands.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

using notation::joined, notation::Line, notation::quoted;

// The document in the making.
class Notation {
 public:
  void add(std::string_view text) {
    Line line(text);
    if (line.empty() || line.at('#')) return;
    if (line.at('"')) {
      members_.emplace_back(text);
      return;
    }
    const std::string_view name = line.word();
    if (name == "return") {
      add_output(line);
    } else {
      line.expect('=');
      add_node(name, line);
    }
  }

  std::string joint_json() const {
    return fmt::format(
        "{{\"format\":\"fx-joint-graph\",\"version\":1,\"name\":\"test\",\"num_fwd_outputs\":{},"
        "\"static_lifetime_inputs\":[{}],{}\"nodes\":[\n{}]}}",
        num_forward_outputs_, joined(static_), members(), fmt::join(nodes_, ",\n"));
  }
  std::string subgraph_json() const { return fmt::format("{{{}\"nodes\":[{}]}}", members(), joined(nodes_)); }

 private:
  std::string members() const { return members_.empty() ? "" : joined(members_) + ","; }

  void add_node(std::string_view name, Line& line) {
    std::string json = fmt::format("{{\"name\":{}", quoted(name));
    const std::string_view target = line.word();
    if (target == "placeholder" || target == "get_attr") {
      Line ahead = line;
      const std::string_view given = ahead.word();
      const bool has_target = !given.empty() && given != "static" && !ahead.at('=');
      if (has_target) line = ahead;
      json += fmt::format(",\"op\":\"{}\",\"target\":{}", target, quoted(has_target ? given : name));
    } else {
      json += fmt::format(",\"op\":\"call_function\",\"target\":{}{}", quoted(target), notation::call_arguments(line));
    }
    if (line.take(':')) json += ",\"val\":" + notation::value(line);
    nodes_.push_back(json + words(name, line) + "}");
  }

  // The words after the value.
  std::string words(std::string_view name, Line& line) {
    std::string outside;
    std::vector<std::string> meta;
    while (!line.empty()) {
      const std::string_view key = line.word();
      if (key == "static") {
        static_.push_back(quoted(name));
        continue;
      }
      line.expect('=');
      if (key == "tensor_meta") {
        const std::string_view dtype = line.word();
        outside += fmt::format(",\"tensor_meta\":{{{}}}", notation::tensor(line, dtype));
        continue;
      }
      const std::string_view content = line.until_space();
      const bool is_word = std::isalpha(static_cast<unsigned char>(content.front())) && content != "true" &&
                           content != "false" && content != "null";
      meta.push_back(quoted(key) + ":" + (is_word ? quoted(content) : std::string(content)));
    }
    if (!meta.empty()) outside += fmt::format(",\"meta\":{{{}}}", joined(meta));
    return outside;
  }

  void add_output(Line& line) {
    std::vector<std::string> leaves;
    while (!line.empty()) {
      if (line.take('|')) {
        num_forward_outputs_ = leaves.size();
        split_ = true;
        continue;
      }
      leaves.push_back(notation::argument(line));
      if (!line.empty() && !line.at('|')) line.expect(',');
    }
    if (!split_) num_forward_outputs_ = leaves.size();
    nodes_.push_back(
        fmt::format("{{\"name\":\"output\",\"op\":\"output\",\"target\":\"output\",\"args\":[[{}]]}}", joined(leaves)));
  }

  std::vector<std::string> members_, nodes_, static_;
  std::size_t num_forward_outputs_ = 0;
  bool split_ = false;
};

Notation parse(std::string_view text) {
  Notation notation;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    notation.add(line.substr(std::min(line.find_first_not_of(' '), line.size())));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return notation;
}

}  // namespace

std::string joint_json(std::string_view text) { return parse(text).joint_json(); }

JointGraph joint_graph(std::string_view text) {
  return read_joint_graph(*Document::parse(joint_json(text), "test.json"));
}

JointGraph step_graph(std::string_view text) {
  std::string json = joint_json(text);
  constexpr std::string_view kJoint = "fx-joint-graph";
  json.replace(json.find(kJoint), kJoint.size(), "fx-step-graph");
  return read_joint_graph(*Document::parse(json, "test.json"));
}

std::string subgraphs_line(const std::vector<std::pair<std::string, std::string>>& subgraphs) {
  std::vector<std::string> members;
  for (const auto& [name, text] : subgraphs) members.push_back(quoted(name) + ":" + parse(text).subgraph_json());
  return fmt::format("\"subgraphs\": {{{}}}\n", joined(members));
}

std::string made_by(Release release) { return fmt::format("\"producer\": \"torch {}.0\"\n", release.version()); }

}  // namespace fxcut
