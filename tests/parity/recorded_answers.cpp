#include "recorded_answers.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace fxcut {
namespace {

constexpr std::string_view kAnswerSuffix = ".expected.json";

std::string answers_to(const std::string& graph_path) {
  const std::string path = std::filesystem::path(graph_path).replace_extension().string() + std::string(kAnswerSuffix);
  std::ostringstream text;
  if (!(text << std::ifstream(path, std::ios::binary).rdbuf())) throw std::runtime_error("cannot read " + path);
  return text.str();
}

// Each test is a process of its own that lists all tests first, so this does not parse: a case has one such key.
std::size_t count_cases(const std::string& answers) {
  constexpr std::string_view kKey = "\"partitioner\"";
  std::size_t cases = 0;
  for (std::size_t at = answers.find(kKey); at != std::string::npos; at = answers.find(kKey, at + 1)) ++cases;
  return cases;
}

// Refuses keys that are not compared, since a file with more would seem to be checked.
void require_keys(const Json& object, const std::string& what, const std::vector<std::string_view>& known) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw std::runtime_error("the recorded " + what + " has '" + key + "', which nothing compares");
    }
  }
}

void require_known_case(const Json& answer) {
  if (answer.contains("error")) {
    if (!answer.value("cuts", Json::array()).empty()) throw std::runtime_error("a refused case has cuts");
    return require_keys(answer, "refusal", {"partitioner", "config", "cuts", "error"});
  }
  require_keys(answer, "case",
               {"partitioner", "config", "cuts", "saved_values", "saved_sym_nodes", "saved_bytes", "recomputed_flops",
                "saved_bytes_not_static", "forward", "backward", "subgraphs"});
  for (const Json& cut : answer.at("cuts")) require_keys(cut, "cut", {"cut_value", "vertices", "edges"});
}

}  // namespace

std::string RecordedCase::name() const {
  std::string name = std::filesystem::path(graph_path).stem().string() + "_case" + std::to_string(number);
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

void PrintTo(const RecordedCase& recorded, std::ostream* out) { *out << recorded.name(); }

std::vector<RecordedCase> recorded_cases(const std::string& directory) {
  std::vector<std::string> graphs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    const std::string path = entry.path().string();
    if (path.ends_with(kAnswerSuffix)) graphs.push_back(path.substr(0, path.size() - kAnswerSuffix.size()) + ".json");
  }
  std::sort(graphs.begin(), graphs.end());
  std::vector<RecordedCase> cases;
  for (const std::string& graph : graphs) {
    const std::size_t count = count_cases(answers_to(graph));
    for (std::size_t i = 0; i < count; ++i) cases.push_back({graph, i});
  }
  if (cases.empty()) throw std::runtime_error("no recorded answer under " + directory);
  return cases;
}

RecordedAnswer read_answer(const RecordedCase& recorded) {
  Json all = Json::parse(answers_to(recorded.graph_path));
  require_keys(all, "file", {"graph", "oracle", "flops", "cases"});
  RecordedAnswer read;
  read.graph = all.at("graph").get<std::string>();
  read.oracle = all.at("oracle").get<std::string>();
  read.answer = std::move(all.at("cases").at(recorded.number));
  require_known_case(read.answer);
  read.settings = read.answer.at("config");
  read.settings["partitioner"] = read.answer.at("partitioner");
  if (all.contains("flops")) read.flops = std::move(all["flops"]);
  return read;
}

}  // namespace fxcut
