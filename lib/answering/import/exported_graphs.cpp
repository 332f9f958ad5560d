// Exported programs, stored or as print() shows them: the graph, and below it the signature, one input or output a line,
//
//     Graph signature:
//         # inputs
//         p_l_weight: PARAMETER target='l.weight'
//         # outputs
//         div: LOSS_OUTPUT
#include "import/archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "import/exported_values.h"
#include "json/fields.h"
#include "python_text/graph_source.h"

namespace fxcut {
namespace {

// An ExportedProgram as torch.export.save stores it: JSON in the schema of torch/_export/serde/schema.py (version 8).
//
// In it a call with several results has their names, without operator.getitem, and a nested graph is an argument of the call
// that uses it. Both become nodes again, as torch.export.load makes them, so that the graph is the one that print() shows.

using Kind = PythonExpression::Kind;

constexpr std::int64_t kSchemaVersion = 8;
constexpr std::int64_t kKeywordArgument = 2;

// A graph's statements, one after the other.
class ProgramReader {
 public:
  ProgramReader(const JsonValue& graph, ExportedTypes& types) : graph_(graph), types_(types) {}

  GraphText read(std::string name, const ExportSignature* signature) {
    note_types();
    text_.name = std::move(name);
    std::size_t position = 0;
    for (const JsonValue input : needed_list(graph_, "inputs")) {
      const bool has_entry = signature && position < signature->inputs.size();
      std::string unnamed = has_entry ? signature->inputs[position].name : fmt::format("arg{}", position);
      read_input(input, std::move(unnamed));
      ++position;
    }
    for (const JsonValue node : needed_list(graph_, "nodes")) read_node(node);
    text_.returned.kind = Kind::Tuple;
    for (const JsonValue output : needed_list(graph_, "outputs")) {
      text_.returned.items.push_back(read_exported_argument(output));
    }
    return std::move(text_);
  }

 private:
  void note_types() {
    for (const JsonValue meta : needed(graph_, "tensor_values")) type_of_.emplace(meta.key(), types_.tensor(meta));
    for (const std::string_view kind : {"sym_int_values", "sym_bool_values", "sym_float_values"}) {
      const auto values = member(graph_, kind);
      if (!values || !values->is(JsonValue::Type::Object)) continue;
      for (const JsonValue value : *values) type_of_.emplace(value.key(), types_.symbolic(value));
    }
  }

  // A constant's name is in the signature.
  void read_input(const JsonValue& input, std::string unnamed) {
    PythonExpression read = read_exported_argument(input);
    const std::string_view kind = only_member(input).key();
    const bool is_value = kind == "as_tensor" || kind == "as_custom_obj" || kind.starts_with("as_sym_");
    std::string name = is_value && read.is(Kind::Name) ? read.text : std::move(unnamed);
    PythonExpression parameter = python_name(name);
    add(std::move(name), std::move(parameter), true);
  }

  void read_node(const JsonValue& node) {
    PythonExpression call = make_python(Kind::Call, "", {python_name(needed_text(node, "target"))});
    read_arguments(node, call);
    const JsonValue results = needed_list(node, "outputs");
    const auto given = member(node, "name");
    const bool is_named = given && given->is(JsonValue::Type::String);
    const bool is_one = results.size() == 1 && only_member(*results.begin()).key() != "as_tensors";
    if (is_one) {
      const PythonExpression result = read_exported_argument(*results.begin());
      const bool is_item = is_named && result.text != given->text();
      if (!is_item) return add(result.text, std::move(call));
    }
    if (!is_named) refuse_exported(node, "missing 'name'");
    std::string name(given->text());
    add(name, std::move(call));
    read_results(name, results);
  }

  void read_arguments(const JsonValue& node, PythonExpression& call) {
    for (const JsonValue input : needed_list(node, "inputs")) {
      const JsonValue argument = needed(input, "arg");
      if (only_member(argument).key() == "as_graph") read_nested(only_member(argument));
      PythonExpression read = read_exported_argument(argument);
      const auto kind = member(input, "kind");
      const bool is_keyword = kind && kind->is(JsonValue::Type::Integer) && kind->integer() == kKeywordArgument;
      if (is_keyword) call.keywords.push_back({needed_text(input, "name"), std::move(read)});
      else call.items.push_back(std::move(read));
    }
  }

  // A get_attr of the graph, and the graph.
  void read_nested(const JsonValue& argument) {
    const std::string name = needed_text(argument, "name");
    if (!names_of_nested_.insert(name).second) return;
    add(name, python_name("self." + name));
    text_.nested.push_back(ProgramReader(needed(argument, "graph"), types_).read(name, nullptr));
  }

  void read_results(const std::string& call, const JsonValue& results) {
    const bool is_list = results.size() == 1 && only_member(*results.begin()).key() == "as_tensors";
    std::size_t position = 0;
    for (const JsonValue result : is_list ? only_member(*results.begin()) : results) {
      const std::size_t at = position++;
      if (is_list) {
        take_item(call, at, needed_text(result, "name"));
        continue;
      }
      const JsonValue kind = only_member(result);
      if (kind.key() == "as_none") continue;
      if (kind.key() != "as_tensors") {
        take_item(call, at, read_exported_argument(result).text);
        continue;
      }
      const std::string list = fmt::format("{}_{}", call, at);
      take_item(call, at, list);
      std::size_t item = 0;
      for (const JsonValue tensor : kind) take_item(list, item++, needed_text(tensor, "name"));
    }
  }

  void take_item(const std::string& of, std::size_t position, std::string name) {
    add(std::move(name), make_python(Kind::Subscript, "",
                                     {python_name(of), make_python(Kind::Integer, std::to_string(position))}));
  }

  void add(std::string name, PythonExpression value, bool is_parameter = false) {
    TextStatement statement;
    if (const auto type = type_of_.find(name); type != type_of_.end()) statement.annotation = {type->second, {}};
    statement.name = std::move(name);
    statement.value = std::move(value);
    statement.is_parameter = is_parameter;
    text_.statements.push_back(std::move(statement));
  }

  JsonValue graph_;
  ExportedTypes& types_;
  std::unordered_map<std::string_view, std::string> type_of_;
  std::unordered_set<std::string> names_of_nested_;
  GraphText text_;
};

// "GRADIENT_TO_PARAMETER" of "gradient_to_parameter".
std::string shouted(std::string_view key) {
  std::string word(key);
  for (char& letter : word) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return word;
}

SignatureEntry read_entry(const JsonValue& spec) {
  const JsonValue kind = only_member(spec);
  const auto argument = member(kind, "arg");
  if (!argument) return {needed_text(kind, "name"), shouted(kind.key())};
  const bool has_name = member(*argument, "name").has_value();
  return {has_name ? needed_text(*argument, "name") : read_exported_argument(*argument).text, shouted(kind.key())};
}

ExportSignature read_signature(const JsonValue& signature) {
  ExportSignature read;
  for (const JsonValue spec : needed_list(signature, "input_specs")) read.inputs.push_back(read_entry(spec));
  for (const JsonValue spec : needed_list(signature, "output_specs")) read.outputs.push_back(read_entry(spec));
  return read;
}

void check_version(const JsonValue& program) {
  const JsonValue major = needed(needed(program, "schema_version"), "major");
  if (major.is(JsonValue::Type::Integer) && major.integer() == kSchemaVersion) return;
  refuse_exported(major, fmt::format("expected version {} of torch.export's schema", kSchemaVersion));
}

// The program's graph, with its signature, the release of PyTorch and the hints of symbols. `name` is the graph's, `file` for
// messages. Throws Failure (BadInput) with the place in the JSON if it is not such a program.
GraphSource read_exported_program(std::string_view json, const std::string& file, std::string name) {
  const auto document = Document::parse(std::string(json), file);
  const JsonValue program = document->root();
  check_version(program);
  const JsonValue module = needed(program, "graph_module");
  GraphSource source;
  source.producer = "torch " + needed_text(program, "torch_version");
  source.signature = read_signature(needed(module, "signature"));
  ExportedTypes types;
  source.text = ProgramReader(needed(module, "graph"), types).read(name, &*source.signature);
  source.hints = types.hints();
  source.name = std::move(name);
  return source;
}

constexpr std::string_view kSignature = "Graph signature:";

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

ExportSignature read_signature(const std::vector<SourceLine>& lines, std::size_t begin) {
  ExportSignature signature;
  std::vector<SignatureEntry>* list = nullptr;
  for (std::size_t i = begin; i < lines.size(); ++i) {
    const std::string_view line = without_blanks(lines[i].text);
    if (line.starts_with("Range constraints")) break;
    if (line == "# inputs") list = &signature.inputs;
    if (line == "# outputs") list = &signature.outputs;
    const std::size_t colon = line.find(": ");
    if (!list || line.starts_with('#') || colon == std::string_view::npos) continue;
    const std::string_view kind = line.substr(colon + 2);
    list->push_back({std::string(line.substr(0, colon)), std::string(kind.substr(0, kind.find(' ')))});
  }
  return signature;
}

std::vector<GraphSource> find_archived_programs(std::string_view bytes, std::string_view file, std::size_t most_bytes) {
  std::vector<GraphSource> graphs;
  for (ArchivedModel& model : read_archived_models(bytes, file, most_bytes)) {
    const std::string place = fmt::format("{}, models/{}.json", file, model.name);
    graphs.push_back(read_exported_program(model.json, place, std::move(model.name)));
  }
  return graphs;
}

bool is_json(std::string_view text) { return without_blanks(text.substr(0, text.find('{') + 1)) == "{"; }

}  // namespace

bool is_stored_program(std::string_view bytes) {
  return is_archive(bytes) || (is_json(bytes) && bytes.find("\"graph_module\"") != std::string_view::npos);
}

std::vector<GraphSource> find_exported_graphs(std::string_view text, std::string_view file, std::size_t most_bytes) {
  if (is_archive(text)) return find_archived_programs(text, file, most_bytes);
  if (is_json(text)) return {read_exported_program(text, std::string(file), "model")};
  std::vector<GraphSource> graphs = find_printed_graphs(text);
  for (GraphSource& graph : graphs) {
    const auto signature = std::find_if(graph.lines.begin(), graph.lines.end(), [](const SourceLine& line) {
      return without_blanks(line.text).starts_with(kSignature);
    });
    if (signature == graph.lines.end()) continue;
    graph.signature = read_signature(graph.lines, static_cast<std::size_t>(signature - graph.lines.begin()));
    graph.lines.erase(signature, graph.lines.end());
  }
  return graphs;
}

}  // namespace fxcut
