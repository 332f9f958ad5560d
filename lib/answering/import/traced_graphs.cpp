// The joint graphs in a log of TORCH_TRACE (python_text/trace_records.h), from these records of each compilation:
//
//     create_symbol                              a symbol and its hint
//     aot_joint_graph                            the graph, printed
//     artifact aot_forward_graph_fw_metadata     the static inputs; written later than the graph
//     inductor_output_code                       that inductor compiles it; written later as well
//     artifact torch_version                     the release of PyTorch, once a file
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "graph/graph.h"
#include "json/fields.h"
#include "python_text/graph_source.h"
#include "python_text/trace_records.h"

namespace fxcut {
namespace {

const std::vector<std::string_view> kRecords = {"aot_joint_graph", "create_symbol", "torch_version",
                                                "aot_forward_graph_fw_metadata", "create_unbacked_symbol",
                                                "inductor_output_code"};

struct Compilation {
  SymbolHints hints;
  std::vector<std::size_t> graphs;  // positions among those found
};

// The numbers in "static_input_indices=[0, 1, 3]" of a payload, possibly over several lines.
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

  void read(const std::vector<SourceLine>& lines) {
    const auto damaged = [&](std::size_t line, const Failure& failure) {
      add_graph(fmt::format("record_in_line_{}", line)).failure = failure;
    };
    const auto visit = [&](const JsonValue& record, auto payload) { read_record(record, std::move(payload)); };
    for_each_trace_record(lines, file_, kRecords, visit, damaged);
  }

  std::vector<GraphSource> take() {
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      graphs_[i].producer = producer_;
      graphs_[i].hints = compilations_[compilation_of_[i]].hints;
    }
    return std::move(graphs_);
  }

 private:
  void read_record(const JsonValue& record, std::vector<SourceLine> payload) {
    const std::string name = "joint" + compilation_name(record);
    const std::string artifact = artifact_name(record);
    if (artifact == "torch_version") {
      for (const SourceLine& line : payload) {
        const std::size_t at = line.text.find("\"pytorch_version\": \"");
        if (at == std::string_view::npos) continue;
        const std::string_view rest = line.text.substr(at + 20);
        producer_ = "torch " + std::string(rest.substr(0, rest.find('"')));
      }
    } else if (artifact == "aot_forward_graph_fw_metadata") {
      for (const std::size_t graph : compilations_[name].graphs) graphs_[graph].static_inputs = find_static_inputs(payload);
    } else if (member(record, "inductor_output_code")) {
      for (const std::size_t graph : compilations_[name].graphs) graphs_[graph].compiler = kInductor;
    } else if (const auto symbol = created_symbol(record)) {
      compilations_[name].hints.insert_or_assign(symbol->first, symbol->second);
    } else if (member(record, "aot_joint_graph")) {
      add_graph(name).lines = std::move(payload);
    }
  }

  GraphSource& add_graph(const std::string& compilation) {
    compilations_[compilation].graphs.push_back(graphs_.size());
    compilation_of_.push_back(compilation);
    GraphSource& graph = graphs_.emplace_back();
    graph.name = compilation;
    return graph;
  }

  std::string_view file_;
  std::string producer_;
  std::vector<GraphSource> graphs_;
  std::vector<std::string> compilation_of_;  // by graph
  std::unordered_map<std::string, Compilation> compilations_;
};

}  // namespace

std::vector<GraphSource> find_traced_graphs(std::string_view text, std::string_view file) {
  TraceReader reader(file);
  reader.read(split_lines(text));
  return reader.take();
}

}  // namespace fxcut
