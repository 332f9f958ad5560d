// Graphs in printed text: plain, or in a log with a prefix on each line,
//
//     I1121 16:26:17.257000 30786 torch/_functorch/...:1780] [0/0] [__aot_joint_graph]     def forward(...):
//
// possibly after "[rank0]:". Lines of other logs and other processes' graphs may be in between.
#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "python_text/graph_source.h"

namespace fxcut {
namespace {

constexpr std::string_view kLogName = "[__aot_joint_graph]";

SourceLine without_front(const SourceLine& line, std::size_t count) {
  return {line.text.substr(count), {line.begin.line, line.begin.column + count}};
}

std::size_t indentation(std::string_view text) { return std::min(text.find_first_not_of(' '), text.size()); }

// The column at which "class NAME(torch.nn.Module)" begins: after white space, or after the path that a log prints before the
// first.
std::optional<std::size_t> find_class(std::string_view text) {
  const std::size_t at = text.find("class ");
  if (at == std::string_view::npos || text.find("(torch.nn.Module)", at) == std::string_view::npos) return std::nullopt;
  std::string_view before = text.substr(0, at);
  before.remove_prefix(indentation(before));
  if (before.empty()) return at;
  const bool is_path = before.ends_with(".py ") && before.find(' ') == before.size() - 1;
  return is_path ? std::optional(at) : std::nullopt;
}

struct LogPrefix {
  std::string process;     // its rank and number
  std::string compile_id;  // "0/0"
};

std::string_view word(std::string_view text, std::size_t number) {
  for (; number > 0; --number) {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) return {};
    text.remove_prefix(space + 1);
    text.remove_prefix(indentation(text));
  }
  return text.substr(0, text.find(' '));
}

LogPrefix read_prefix(std::string_view prefix) {
  LogPrefix read;
  if (prefix.starts_with("[rank")) read.process = prefix.substr(1, prefix.find(']') - 1);
  (read.process += ' ') += word(prefix, 2);
  const std::size_t open = prefix.rfind('[');
  const std::size_t close = prefix.rfind(']');
  if (open != std::string_view::npos && close != std::string_view::npos && open < close && open > 0) {
    read.compile_id = prefix.substr(open + 1, close - open - 1);
  }
  return read;
}

std::string joint_name(const std::string& compile_id, const std::string& process) {
  std::string name = "joint";
  if (process.starts_with("rank")) (name += '_') += process.substr(0, process.find(' '));
  if (!compile_id.empty()) (name += '_') += compile_id;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

// The graphs of one process, whose lines come in order.
class GraphCollector {
 public:
  // `name`: of a graph that starts in this line.
  void add(const SourceLine& line, const std::string& name) {
    const auto at = find_class(line.text);
    const bool is_after_path = at && *at > indentation(line.text);
    if (at && (is_after_path || graphs_.empty() || *at <= root_indentation_)) {
      root_indentation_ = is_after_path ? 0 : *at;
      GraphSource& source = graphs_.emplace_back();
      source.name = name;
      source.lines.push_back(without_front(line, *at));
    } else if (!graphs_.empty()) {
      graphs_.back().lines.push_back(line);
    }
  }
  std::vector<GraphSource> take() { return std::move(graphs_); }

 private:
  std::vector<GraphSource> graphs_;
  std::size_t root_indentation_ = 0;
};

}  // namespace

std::vector<SourceLine> split_lines(std::string_view text) {
  std::vector<SourceLine> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back({text.substr(0, end), {number, 1}});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<GraphSource> find_printed_graphs(std::string_view text) {
  const bool is_log = text.find(kLogName) != std::string_view::npos;
  std::vector<std::string> processes;
  std::unordered_map<std::string, GraphCollector> collectors;
  for (const SourceLine& line : split_lines(text)) {
    if (!is_log) {
      collectors[""].add(line, "joint");
      continue;
    }
    const std::size_t at = line.text.find(kLogName);
    if (at == std::string_view::npos) continue;
    const LogPrefix prefix = read_prefix(line.text.substr(0, at));
    const auto [collector, is_new] = collectors.try_emplace(prefix.process);
    if (is_new) processes.push_back(prefix.process);
    const SourceLine content = without_front(line, std::min(at + kLogName.size() + 1, line.text.size()));
    collector->second.add(content, joint_name(prefix.compile_id, prefix.process));
  }
  if (!is_log) return collectors[""].take();
  std::vector<GraphSource> graphs;
  for (const std::string& process : processes) {
    for (GraphSource& graph : collectors[process].take()) graphs.push_back(std::move(graph));
  }
  return graphs;
}

}  // namespace fxcut
