#include "read/read_node.h"

#include <fmt/format.h>

#include <algorithm>

namespace fxcut {

using Type = JsonValue::Type;

const Operator& NodeReader::find_operator(std::string_view target) {
  const auto known = known_operators_.find(target);
  if (known != known_operators_.end()) return *known->second;
  const Operator& found = operators_.find(target);
  known_operators_.emplace(found.target, &found);
  return found;
}

// One pass for all, since each pass reads the text of every key.
NodeReader::Fields::Fields(const JsonValue& node) {
  for (const JsonValue field : node) {
    const std::string_view key = field.key();
    if (key == "name") name = field;
    else if (key == "op") op = field;
    else if (key == "target") target = field;
    else if (key == "args") args = field;
    else if (key == "kwargs") kwargs = field;
    else if (key == "val") val = field;
    else if (key == "tensor_meta") tensor_meta = field;
    else if (key == "meta") meta = field;
  }
}

void NodeReader::read(const JsonValue& json, const NodeNames& names, NodeId id, Node& node) {
  static const auto kNoArguments = std::make_shared<const Arguments>();
  node.origin = json.ticket();
  node.arguments = kNoArguments;
  if (!expect(json, Type::Object, "", mistakes_)) return;
  const Fields fields(json);
  if (fields.name && fields.name->is(Type::String)) node.name = fields.name->text();
  const auto& op = fields.op;
  if (!op || !op->is(Type::String)) {
    mistakes_.add(json, node.name, "missing 'op', a string such as \"call_function\"", "");
    return;
  }
  const auto opcode =
      std::find_if(kOpcodes.begin(), kOpcodes.end(), [&](const auto& o) { return o.first == op->text(); });
  if (opcode == kOpcodes.end()) {
    mistakes_.add(*op, node.name, fmt::format("unknown op '{}'", op->text()),
                  "expected one of placeholder, call_function, get_attr, output");
    return;
  }
  node.opcode = opcode->second;
  std::string_view target;
  if (fields.target) target = read_string(*fields.target, node.name, mistakes_).value_or("");
  if (fields.val) node.value = values_.read_val(*fields.val, node.name);
  if (fields.tensor_meta) node.tensor_meta = values_.read_tensor_meta(*fields.tensor_meta, node.name);
  if (fields.meta) meta_.read(*fields.meta, node);
  if (node.is_call() || node.is_output()) read_call(fields, names, id, node);
  if (node.is_call()) {
    if (target.empty()) {
      mistakes_.add(json, node.name, "missing 'target', a string such as \"aten.mm.default\"", "");
    }
    node.callee = &find_operator(target);
  } else if (target.empty()) {
    node.target = node.is_output() ? "output" : node.name;
  } else {
    node.target = target;
  }
}

void NodeReader::read_call(const Fields& fields, const NodeNames& names, NodeId id, Node& node) {
  outline_.begin(names, id);
  if (fields.args) outline_.add_positional(*fields.args);
  if (fields.kwargs) outline_.add_keyword(*fields.kwargs);
  const auto known = shared_arguments_.find(outline_.text());
  if (known != shared_arguments_.end() && outline_.is_sound()) {
    node.arguments = known->second;
    node.inputs = outline_.inputs();
    return;
  }
  read_arguments(fields, names, id, node);
  if (mistakes_.empty()) shared_arguments_.emplace(outline_.text(), node.arguments);
}

void NodeReader::read_arguments(const Fields& fields, const NodeNames& names, NodeId id, Node& node) {
  const auto& args = fields.args;
  const auto& kwargs = fields.kwargs;
  ArgumentReader reader(names, operators_, id, node.name, mistakes_);
  auto arguments = std::make_shared<Arguments>();
  if (args && expect(*args, Type::Array, node.name, mistakes_)) {
    arguments->positional.reserve(args->size());
    for (const JsonValue argument : *args) arguments->positional.push_back(reader.read(argument));
  }
  if (kwargs && expect(*kwargs, Type::Object, node.name, mistakes_)) {
    for (const JsonValue argument : *kwargs) arguments->keyword.emplace_back(argument.key(), reader.read(argument));
  }
  node.arguments = std::move(arguments);
  node.inputs = reader.take_inputs();
}

}  // namespace fxcut
