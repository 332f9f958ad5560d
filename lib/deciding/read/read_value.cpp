#include "read/read_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace fxcut {
namespace {

using Type = JsonValue::Type;

constexpr Int128 kMaxBytes = std::numeric_limits<std::int64_t>::max();

constexpr std::array<std::pair<std::string_view, Value::Kind>, 11> kKinds = {{
    {"tensor", Value::Kind::Tensor},
    {"symint", Value::Kind::SymInt},
    {"symfloat", Value::Kind::SymFloat},
    {"symbool", Value::Kind::SymBool},
    {"tuple", Value::Kind::Tuple},
    {"dict", Value::Kind::Dict},
    {"none", Value::Kind::None},
    {"scalar", Value::Kind::Scalar},
    {"backward_state", Value::Kind::BackwardState},
    {"opaque", Value::Kind::Opaque},
    {"other", Value::Kind::Other},
}};

// Python types that PyTorch registers as opaque but that the capture writes as kind "other".
constexpr std::array<std::string_view, 4> kOpaqueTypes = {"Generator", "ProcessGroup", "DeviceMesh",
                                                          "FakeProcessGroup"};

// The text between the brackets of a non-empty array; empty if it has entries other than integers.
std::string_view text_of_integers(const JsonValue& array) {
  const char *begin = nullptr, *end = nullptr;
  for (const JsonValue entry : array) {
    if (!entry.is(Type::Integer)) return {};
    const std::string_view digits = entry.text();
    if (begin == nullptr) begin = digits.data();
    end = digits.data() + digits.size();
  }
  return {begin, static_cast<std::size_t>(end - begin)};
}

bool is_opaque_type(std::string_view name) {
  return std::find(kOpaqueTypes.begin(), kOpaqueTypes.end(), name) != kOpaqueTypes.end();
}

}  // namespace

const Dtype* read_dtype(const JsonValue& json, std::string_view node, Mistakes& mistakes) {
  constexpr std::string_view kPrefix = "torch.";  // Python's form
  const auto name = read_string(json, node, mistakes);
  const Dtype* dtype = name ? find_dtype(*name) : nullptr;
  if (!name || dtype) return dtype;
  const std::string_view meant = name->starts_with(kPrefix) ? name->substr(kPrefix.size()) : *name;
  mistakes.add(json, node, fmt::format("unknown dtype '{}'", *name), did_you_mean(meant, dtype_names()));
  return nullptr;
}

std::shared_ptr<const Value> ValueReader::read_val(const JsonValue& val, std::string_view node) {
  return std::make_shared<const Value>(read(val, node));
}

std::shared_ptr<const Value> ValueReader::read_tensor_meta(const JsonValue& meta, std::string_view node) {
  if (!expect(meta, Type::Object, node, mistakes_)) return nullptr;
  Value value;
  value.kind = Value::Kind::Tensor;
  read_tensor(meta, node, value.tensor);
  return std::make_shared<const Value>(std::move(value));
}

Value ValueReader::read(const JsonValue& json, std::string_view node) {
  Value value;
  if (!expect(json, Type::Object, node, mistakes_)) return value;
  std::optional<JsonValue> kind_name, type, unreplaced;
  for (const JsonValue field : json) {
    const std::string_view key = field.key();
    if (key == "kind") kind_name = field;
    if (key == "type") type = field;
    if (key == "unreplaced") unreplaced = field;
  }
  if (!kind_name || !kind_name->is(Type::String)) {
    mistakes_.add(json, node, "missing 'kind', a string such as \"tensor\"", "");
    return value;
  }
  const auto kind = read_word(*kind_name, kKinds, "kind of value", node, mistakes_);
  if (!kind) return value;
  value.kind = *kind;
  if (value.is_tensor()) read_tensor(json, node, value.tensor);
  if (type && type->is(Type::String)) value.type_name = type->text();
  if (value.kind == Value::Kind::Other && is_opaque_type(value.type_name)) value.kind = Value::Kind::Opaque;
  if (value.is_symbolic()) {
    value.expression = read_expression(json, node);
    const auto hint = member(json, "hint");
    if (hint && hint->is(Type::Integer)) value.hint = hint->integer();
  }
  if (unreplaced) value.unreplaced = read_text_and_symbols(*unreplaced, node);
  if (value.kind == Value::Kind::Tuple || value.kind == Value::Kind::Dict) {
    const auto items = member(json, "items");
    const Type items_type = value.kind == Value::Kind::Tuple ? Type::Array : Type::Object;
    if (!items) {
      mistakes_.add(json, node, fmt::format("missing 'items' of a {}", kind_name->text()), "");
    } else if (expect(*items, items_type, node, mistakes_)) {
      for (const JsonValue item : *items) value.items.push_back(read(item, node));
    }
  }
  return value;
}

void ValueReader::read_tensor(const JsonValue& json, std::string_view node, Tensor& tensor) {
  bool has_shape = false, has_dtype = false;
  for (const JsonValue field : json) {
    const std::string_view key = field.key();
    if (key == "dtype") {
      has_dtype = true;
      tensor.dtype = read_dtype(field, node, mistakes_);
    } else if (key == "shape") {
      has_shape = true;
      tensor.shape = read_sizes(field, "size", node);
    } else if (key == "stride") {
      if (!field.is(Type::Null)) tensor.stride = read_sizes(field, "stride", node);
    } else if (key == "device") {
      if (const auto device = read_string(field, node, mistakes_)) tensor.device = *device;
    } else if (key == "storage") {
      if (!field.is(Type::Null)) tensor.storage = read_integer(field, node, mistakes_);
    }
  }
  if (!has_shape || !has_dtype) {
    mistakes_.add(json, node, "missing 'dtype' or 'shape' of a tensor", "");
    tensor.stride = {};
  }
  if (!tensor.dtype) tensor.dtype = find_dtype("float32");  // a mistake was added
  if (!tensor.stride.empty() && tensor.stride.size() != tensor.shape.size()) {
    mistakes_.add(json, node,
                  fmt::format("'stride' has {} entries, 'shape' has {}", tensor.stride.size(), tensor.shape.size()),
                  "");
    tensor.stride = {};
  }
  check_bytes(json, node, tensor);
}

Sizes ValueReader::read_sizes(const JsonValue& json, std::string_view what, std::string_view node) {
  if (!expect(json, Type::Array, node, mistakes_) || json.empty()) return {};
  const std::string_view numbers = text_of_integers(json);
  if (const auto known = known_sizes_.find(numbers); known != known_sizes_.end()) return known->second;
  std::vector<Size> sizes;
  sizes.reserve(json.size());
  for (const JsonValue entry : json) sizes.push_back(read_size(entry, what, node));
  Sizes shared = std::move(sizes);
  if (!numbers.empty() && mistakes_.empty()) known_sizes_.emplace(numbers, shared);
  return shared;
}

Size ValueReader::read_size(const JsonValue& json, std::string_view what, std::string_view node) {
  Size size;
  if (json.is(Type::Integer)) {
    size.hint = json.integer();
  } else if (json.is(Type::Object)) {
    size.expression = read_expression(json, node);
    const auto hint = member(json, "hint");
    size.hint = kUnhintedSize;
    if (hint && !hint->is(Type::Null)) size.hint = read_integer(*hint, node, mistakes_).value_or(kUnhintedSize);
  } else {
    mistakes_.add(json, node,
                  fmt::format("expected a {}, an integer or {{\"expr\", \"hint\", \"symbols\"}}, found {}", what,
                              describe(json.type())),
                  json.is(Type::BigInteger) ? "sizes are 64-bit integers" : "");
  }
  if (size.hint < 0) {
    mistakes_.add(json, node, fmt::format("expected a {} of 0 or more, found {}", what, size.hint), "");
    size.hint = 0;
  }
  return size;
}

std::shared_ptr<const Expression> ValueReader::read_expression(const JsonValue& json, std::string_view node) {
  if (!member(json, "expr")) {
    mistakes_.add(json, node, "missing 'expr' of a symbolic size, such as \"2*s77\"", "");
    return std::make_shared<Expression>();
  }
  return read_text_and_symbols(json, node);
}

std::shared_ptr<const Expression> ValueReader::read_text_and_symbols(const JsonValue& json, std::string_view node) {
  auto expression = std::make_shared<Expression>();
  if (!expect(json, Type::Object, node, mistakes_)) return expression;
  if (const auto text = member(json, "expr")) {
    if (const auto read = read_string(*text, node, mistakes_)) expression->text = *read;
  }
  read_symbols(json, node, *expression);
  return expression;
}

void ValueReader::read_symbols(const JsonValue& json, std::string_view node, Expression& expression) {
  const auto symbols = member(json, "symbols");
  if (!symbols || !expect(*symbols, Type::Array, node, mistakes_)) return;
  for (const JsonValue symbol : *symbols) {
    if (const auto name = read_string(symbol, node, mistakes_)) expression.symbols.emplace_back(*name);
  }
}

// So that no sum of sizes overflows: for each tensor the larger of its elements and its extent counts.
void ValueReader::check_bytes(const JsonValue& json, std::string_view node, const Tensor& tensor) {
  for (const Size& size : tensor.shape) {
    if (size.hint == 0) return;
  }
  Int128 elements = 1, last = 0;
  bool too_many = false;
  for (std::size_t d = 0; d < tensor.shape.size() && !too_many; ++d) {
    elements *= tensor.shape[d].hint;
    if (!tensor.stride.empty()) last += Int128{tensor.shape[d].hint - 1} * tensor.stride[d].hint;
    too_many = elements > kMaxBytes || last > kMaxBytes;
  }
  const Int128 bytes = too_many ? 0 : std::max(elements, last + 1) * tensor.dtype->size_bytes;
  total_bytes_ += bytes;
  if (too_many || total_bytes_ > kMaxBytes) {
    mistakes_.add(json, node,
                  fmt::format("{} more than 2^63 - 1 bytes",
                              too_many || bytes > kMaxBytes ? "the tensor takes" : "the tensors so far take"),
                  "check 'shape' and 'stride'");
    total_bytes_ = 0;
  }
}

}  // namespace fxcut
