#include "import/exported_program.h"

#include <fmt/format.h>

#include <cctype>
#include <unordered_map>
#include <unordered_set>

#include "import/exported_argument.h"
#include "import/exported_fields.h"
#include "import/exported_types.h"
#include "json/fields.h"

namespace fxcut {
namespace {

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

}  // namespace

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

}  // namespace fxcut
