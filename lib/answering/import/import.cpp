#include "import/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "import/joint_graph_json.h"
#include "import/step_boundary.h"
#include "python_text/graph_source.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

ImportFormat recognise(std::string_view text) {
  if (is_stored_program(text)) return ImportFormat::Export;
  if (text.find("{\"aot_joint_graph\"") != std::string_view::npos) return ImportFormat::Trace;
  if (text.find("\nGraph signature:") != std::string_view::npos) return ImportFormat::Export;
  return ImportFormat::Text;
}

std::vector<GraphSource> find_graphs(std::string_view text, std::string_view file, ImportFormat format,
                                     std::size_t most_unpacked_bytes) {
  switch (format) {
    case ImportFormat::Text: return find_printed_graphs(text);
    case ImportFormat::Trace: return find_traced_graphs(text, file);
    case ImportFormat::Export: return find_exported_graphs(text, file, most_unpacked_bytes);
  }
  return {};
}

// A text copied from a terminal may have colours.
std::string without_colours(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const std::size_t escape = std::min(text.find("\x1b["), text.size());
    plain += text.substr(0, escape);
    text.remove_prefix(escape);
    if (!text.empty()) text.remove_prefix(std::min(text.find_first_not_of("0123456789;", 2), text.size() - 1) + 1);
  }
  return plain;
}

Failure no_graph(std::string_view text, std::string_view file, ImportFormat format) {
  switch (format) {
    case ImportFormat::Trace:
      return Failure(ExitStatus::BadInput,
                     {{std::string(file), "no joint graph in this trace: expected records of aot_joint_graph",
                       "nothing was compiled for training, or it came from a cache: set TORCHINDUCTOR_FORCE_DISABLE_CACHES=1"}});
    case ImportFormat::Export:
      if (is_stored_program(text)) {
        return Failure(ExitStatus::BadInput, {{std::string(file), "no exported program in this archive",
                                               "torch.export.save writes one as models/NAME.json"}});
      }
      [[fallthrough]];
    default:
      return Failure(ExitStatus::BadInput,
                     {{std::string(file), "no graph found: expected 'class NAME(torch.nn.Module):'",
                       "'TORCH_LOGS=aot_joint_graph python script.py' prints joint graphs"}});
  }
}

// Members that no text has, and modules if no comment has one; a stored program also lacks those printed above nodes.
std::vector<std::string> missing_members(bool is_stored, const TextGraph& graph) {
  const auto has_module = [](const TextNode& node) { return node.comment && !node.comment->module.empty(); };
  std::vector<std::string> missing;
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), has_module)) missing.emplace_back("module");
  missing.insert(missing.end(), {"seq_nr", is_stored ? "recompute" : "recompute of inputs"});
  if (is_stored) missing.insert(missing.end(), {"ac_graph_id", "custom", "source"});
  missing.insert(missing.end(), {"has_backward_hook", "should_offload", "saved_tensor_with_no_vc_check",
                                 "aot_runtime_epilogue_input_mutation", "memory_budget", "runtime_ms", "ops",
                                 "unreplaced"});
  return missing;
}

void note_assumptions(const AnnotationReader& annotations, bool has_hints, JointGraphHead& head) {
  head.assumed.emplace_back("storage",
                            "views and mutated arguments share storage as the operator's schema says; no other values do");
  head.assumed.emplace_back("partitioner_tag",
                            "the forward ends with the last node that its outputs need; later "
                            "nodes, and nodes that depend on a tangent, belong to the backward");
  if (annotations.some_lack_strides()) head.assumed.emplace_back("stride", "tensors without strides are contiguous");
  if (annotations.some_lack_device()) head.assumed.emplace_back("device", "tensors without a device are on one, unnamed");
  std::vector<std::string> unhinted;
  for (const auto& [name, symbol] : annotations.symbols()) {
    if (!symbol.hint) unhinted.push_back(name);
  }
  if (!unhinted.empty()) {
    head.assumed.emplace_back(
        "symbols", fmt::format("{} = 4096{}{}", list_names(unhinted), unhinted.size() == 1 ? "" : " each",
                               has_hints ? "" : ": the text has no hints; --hints sets them"));
  }
}

std::vector<std::string> notes_on(const JointGraphHead& head, std::string_view file_kind) {
  std::vector<std::string> notes;
  for (const auto& [about, what] : head.assumed) notes.push_back(about + ": " + what);
  notes.push_back(fmt::format("not in the {}: {}", file_kind, list_names(head.missing)));
  return notes;
}

// Checks that the JSON can be read: a mistake found only there is one of the text.
void check_readable(const std::string& json, std::string_view file, const std::string& name) {
  try {
    read_joint_graph(*Document::parse(json, fmt::format("{}, graph {} as imported", file, name)));
  } catch (const Failure& failure) {
    throw Failure(ExitStatus::BadInput, failure.diagnostics());
  }
}

class Importer {
 public:
  Importer(std::string_view text, std::string_view file, ImportFormat format, const ImportRequest& request)
      : text_(text), file_(file), format_(format), request_(request) {}

  ImportOutcome try_import(const GraphSource& source, std::string name) const {
    ImportOutcome outcome{std::move(name), std::nullopt, source.failure};
    if (outcome.failure) return outcome;
    try {
      outcome.graph = import(source, outcome.name);
    } catch (const TextFailure& failure) {
      outcome.failure = failure.with_excerpt(text_);
    } catch (const Failure& failure) {
      outcome.failure = failure;
    }
    return outcome;
  }

 private:
  ImportedGraph import(const GraphSource& source, const std::string& name) const {
    SymbolHints hints = source.hints.value_or(SymbolHints());
    for (const auto& [symbol, hint] : request_.hints) hints.insert_or_assign(symbol, hint);
    AnnotationReader annotations(file_, hints);
    TextGraph graph = make_text_graph(read_code(source), file_, annotations);
    JointGraphHead head;
    head.name = name;
    head.producer = request_.producer.empty() ? source.producer : request_.producer;
    head.compiler = source.compiler;
    constexpr std::string_view kSources[] = {"text", "trace", "export"};
    head.source = kSources[static_cast<std::size_t>(format_)];
    if (source.signature) replace_loss_gradient(graph, *source.signature, file_, head);
    find_step_boundary(graph, source, {request_.forward_outputs, request_.static_inputs}, file_, head);
    head.missing = missing_members(source.text.has_value(), graph);
    note_assumptions(annotations, source.hints.has_value(), head);
    ImportedGraph imported;
    imported.json = joint_graph_json(graph, head, file_, annotations);
    check_readable(imported.json, file_, name);
    imported.nodes = graph.nodes.size();
    imported.notes = notes_on(head, source.text ? "program" : "text");
    imported.name = name;
    return imported;
  }

  GraphText read_code(const GraphSource& source) const {
    if (source.text) return *source.text;
    PythonReader reader(file_, source.lines, 0, source.lines.size());
    return read_graph_text(reader, file_);
  }

  std::string_view text_, file_;
  ImportFormat format_;
  const ImportRequest& request_;
};

}  // namespace

std::vector<ImportOutcome> import_each(std::string_view text, std::string_view file, const ImportRequest& request) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // which editors put before UTF-8
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string plain;
  if (text.find('\x1b') != std::string_view::npos && !is_stored_program(text)) {
    plain = without_colours(text);
    text = plain;
  }
  const ImportFormat format = request.format.value_or(recognise(text));
  const std::vector<GraphSource> sources = find_graphs(text, file, format, request.most_unpacked_bytes);
  if (sources.empty()) throw no_graph(text, file, format);
  const Importer importer(text, file, format, request);
  std::vector<ImportOutcome> outcomes;
  std::unordered_set<std::string> names;
  std::unordered_map<std::string, std::size_t> repeats;
  for (const GraphSource& source : sources) {
    std::string name = source.name;
    std::size_t& count = repeats[source.name];
    while (!names.insert(name).second) name = fmt::format("{}_{}", source.name, ++count + 1);
    outcomes.push_back(importer.try_import(source, std::move(name)));
  }
  return outcomes;
}

std::vector<ImportedGraph> import_graphs(std::string_view text, std::string_view file, const ImportRequest& request) {
  std::vector<ImportedGraph> graphs;
  for (ImportOutcome& outcome : import_each(text, file, request)) {
    if (outcome.failure) throw *outcome.failure;
    graphs.push_back(std::move(*outcome.graph));
  }
  return graphs;
}

}  // namespace fxcut
