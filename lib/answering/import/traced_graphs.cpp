// The structured log that TORCH_TRACE writes and tlparse reads: a record is a line of JSON behind a prefix, and its
// payload the lines below that begin with a tab. Of each compilation (frame_id, frame_compile_id, attempt) these count:
//
//     create_symbol                              a symbol and its hint
//     aot_joint_graph                            the graph, printed
//     artifact aot_forward_graph_fw_metadata     which inputs are static; written later than the graph
//     artifact torch_version                     which PyTorch, once a file
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "import/graph_source.h"
#include "json/fields.h"

namespace fxcut {
namespace {

constexpr std::array<std::string_view, 5> kWanted = {"\"aot_joint_graph\"", "\"create_symbol\"", "\"torch_version\"",
                                                     "\"aot_forward_graph_fw_metadata\"", "\"create_unbacked_symbol\""};

struct Compilation {
  SymbolHints hints;
  std::vector<std::size_t> graphs;  // positions among those found
};

// The record in a line, where it is of a wanted kind.
std::string_view find_record(std::string_view line) {
  const std::size_t begin = line.find("] {");
  if (line.starts_with('\t') || begin == std::string_view::npos) return {};
  const bool is_wanted = std::any_of(kWanted.begin(), kWanted.end(),
                                     [&](std::string_view word) { return line.find(word) != std::string_view::npos; });
  return is_wanted ? line.substr(begin + 2) : std::string_view();
}

std::string number_text(const JsonValue& record, std::string_view key) {
  const auto field = member(record, key);
  return field && field->is(JsonValue::Type::Integer) ? std::to_string(field->integer()) : "";
}

std::string text_of(const std::optional<JsonValue>& field) {
  return field && field->is(JsonValue::Type::String) ? std::string(field->text()) : "";
}

std::string artifact_name(const JsonValue& record) {
  const auto artifact = member(record, "artifact");
  return artifact && artifact->is(JsonValue::Type::Object) ? text_of(member(*artifact, "name")) : "";
}

// "joint_rank_1_frame_0_0", and the attempt where it is not the first.
std::string compilation_name(const JsonValue& record) {
  std::string name = "joint";
  if (const std::string rank = number_text(record, "rank"); !rank.empty()) name += "_rank_" + rank;
  for (const std::string_view key : {"compiled_autograd_id", "frame_id", "frame_compile_id"}) {
    if (const std::string number = number_text(record, key); !number.empty()) name += "_" + number;
  }
  const std::string attempt = number_text(record, "attempt");
  return attempt.empty() || attempt == "0" ? name : name + "_attempt_" + attempt;
}

std::optional<std::int64_t> read_number(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return all ? std::optional(number) : std::nullopt;
}

// The numbers in "static_input_indices=[0, 1, 3]" of a payload, which may go on over lines.
std::optional<std::vector<std::size_t>> find_static_inputs(const std::vector<SourceLine>& payload) {
  constexpr std::string_view kKey = "static_input_indices=[";
  std::vector<std::size_t> indices;
  bool is_open = false;
  for (const SourceLine& line : payload) {
    std::string_view text = line.text;
    if (const std::size_t at = is_open ? 0 : text.find(kKey); at != std::string_view::npos) {
      text.remove_prefix(is_open ? 0 : at + kKey.size());
      is_open = true;
    }
    if (!is_open) continue;
    const std::size_t end = std::min(text.find(']'), text.size());
    for (std::size_t i = 0; i < end;) {
      std::size_t digits = 0;
      while (i + digits < end && text[i + digits] >= '0' && text[i + digits] <= '9') ++digits;
      if (const auto index = read_number(text.substr(i, digits))) indices.push_back(static_cast<std::size_t>(*index));
      i += std::max<std::size_t>(digits, 1);
    }
    if (end < text.size()) return indices;
  }
  return std::nullopt;
}

class TraceReader {
 public:
  explicit TraceReader(std::string_view file) : file_(file) {}

  void read(const std::vector<SourceLine>& lines);
  std::vector<GraphSource> take();

 private:
  void read_record(const JsonValue& record, std::vector<SourceLine> payload);
  GraphSource& add_graph(const std::string& compilation);

  std::string_view file_;
  std::string producer_;
  std::vector<GraphSource> graphs_;
  std::vector<std::string> compilation_of_;  // by graph
  std::unordered_map<std::string, Compilation> compilations_;
};

void TraceReader::read(const std::vector<SourceLine>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view json = find_record(lines[i].text);
    if (json.empty()) continue;
    std::vector<SourceLine> payload;
    for (std::size_t k = i + 1; k < lines.size() && lines[k].text.starts_with('\t'); ++k) {
      payload.push_back({lines[k].text.substr(1), {lines[k].begin.line, 2}});
    }
    try {
      const auto document =
          Document::parse(std::string(json), fmt::format("{}, the record in line {}", file_, lines[i].begin.line));
      if (document->root().is(JsonValue::Type::Object)) read_record(document->root(), std::move(payload));
    } catch (const Failure& failure) {
      add_graph(fmt::format("record_in_line_{}", lines[i].begin.line)).failure = failure;
    }
  }
}

GraphSource& TraceReader::add_graph(const std::string& compilation) {
  compilations_[compilation].graphs.push_back(graphs_.size());
  compilation_of_.push_back(compilation);
  GraphSource& graph = graphs_.emplace_back();
  graph.name = compilation;
  return graph;
}

void TraceReader::read_record(const JsonValue& record, std::vector<SourceLine> payload) {
  const std::string name = compilation_name(record);
  const std::string artifact = artifact_name(record);
  if (artifact == "torch_version") {
    for (const SourceLine& line : payload) {
      const std::size_t at = line.text.find("\"pytorch_version\": \"");
      if (at == std::string_view::npos) continue;
      const std::string_view rest = line.text.substr(at + 20);
      producer_ = "torch " + std::string(rest.substr(0, rest.find('"')));
    }
  } else if (artifact == "aot_forward_graph_fw_metadata") {
    for (const std::size_t graph : compilations_[name].graphs)
      graphs_[graph].static_inputs = find_static_inputs(payload);
  } else if (const auto symbol = member(record, "create_symbol"); symbol && symbol->is(JsonValue::Type::Object)) {
    const auto hint = read_number(text_of(member(*symbol, "val")));
    if (hint) compilations_[name].hints.insert_or_assign(text_of(member(*symbol, "symbol")), *hint);
  } else if (member(record, "aot_joint_graph")) {
    add_graph(name).lines = std::move(payload);
  }
}

std::vector<GraphSource> TraceReader::take() {
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    graphs_[i].producer = producer_;
    graphs_[i].hints = compilations_[compilation_of_[i]].hints;
  }
  return std::move(graphs_);
}

}  // namespace

std::vector<GraphSource> find_traced_graphs(std::string_view text, std::string_view file) {
  TraceReader reader(file);
  reader.read(split_lines(text));
  return reader.take();
}

}  // namespace fxcut
