#include "json/value_json.h"

#include <string_view>
#include <utility>

#include "json/document.h"

namespace fxcut {
namespace {

template <typename Items, typename Append>
void append_list(const Items& items, std::string& out, const Append& append) {
  out += '[';
  bool first = true;
  for (const auto& item : items) {
    if (!std::exchange(first, false)) out += ',';
    append(item, out);
  }
  out += ']';
}

void append_symbols(const Expression& expression, std::string& out) {
  out += "\"symbols\":";
  append_list(expression.symbols, out,
              [](const std::string& symbol, std::string& o) { append_json_string(symbol, o); });
}

void append_expression(const Expression& expression, const std::string& hint, std::string& out) {
  out += "\"expr\":";
  append_json_string(expression.text, out);
  out += ",\"hint\":" + hint + ",";
  append_symbols(expression, out);
}

void append_unreplaced(const Expression& expression, std::string& out) {
  out += ",\"unreplaced\":{";
  if (!expression.text.empty()) {
    out += "\"expr\":";
    append_json_string(expression.text, out);
    out += ',';
  }
  append_symbols(expression, out);
  out += '}';
}

void append_tensor(const Tensor& tensor, std::string& out) {
  out += "\"tensor\",\"dtype\":";
  append_json_string(tensor.dtype->name, out);
  out += ",\"shape\":";
  append_list(tensor.shape, out, append_size);
  if (tensor.stride.size() == tensor.shape.size()) {
    out += ",\"stride\":";
    append_list(tensor.stride, out, append_size);
  }
  if (!tensor.device.empty()) {
    out += ",\"device\":";
    append_json_string(tensor.device, out);
  }
  if (tensor.storage) out += ",\"storage\":" + std::to_string(*tensor.storage);
}

void append_typed(std::string_view kind, const Value& value, std::string& out) {
  append_json_string(kind, out);
  out += ",\"type\":";
  append_json_string(value.type_name, out);
}

void append_symbolic(std::string_view kind, const Value& value, std::string& out) {
  append_json_string(kind, out);
  out += ',';
  append_expression(*value.expression, value.hint ? std::to_string(*value.hint) : "null", out);
}

}  // namespace

void append_size(const Size& size, std::string& out) {
  if (!size.expression) {
    out += std::to_string(size.hint);
    return;
  }
  out += '{';
  append_expression(*size.expression, std::to_string(size.hint), out);
  out += '}';
}

void append_value(const Value& value, std::string& out) {
  out += "{\"kind\":";
  switch (value.kind) {
    case Value::Kind::Tensor: append_tensor(value.tensor, out); break;
    case Value::Kind::SymInt: append_symbolic("symint", value, out); break;
    case Value::Kind::SymFloat: append_symbolic("symfloat", value, out); break;
    case Value::Kind::SymBool: append_symbolic("symbool", value, out); break;
    case Value::Kind::Tuple:
      out += "\"tuple\",\"items\":";
      append_list(value.items, out, append_value);
      break;
    case Value::Kind::Dict:
      out += "\"dict\",\"items\":";
      append_list(value.items, out, append_value);
      break;
    case Value::Kind::None: out += "\"none\""; break;
    case Value::Kind::Scalar: out += "\"scalar\",\"value\":null"; break;
    case Value::Kind::BackwardState: out += "\"backward_state\""; break;
    case Value::Kind::Opaque: append_typed("opaque", value, out); break;
    case Value::Kind::Other: append_typed("other", value, out); break;
  }
  if (value.unreplaced) append_unreplaced(*value.unreplaced, out);
  out += '}';
}

}  // namespace fxcut
