#include "python_text/annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "json/value_json.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

// torch.dtype.abbr of every dtype of torch 2.15 (torch.utils._dtype_abbrs).
constexpr std::array<std::pair<std::string_view, std::string_view>, 28> kAbbreviations = {{
    {"u8", "uint8"}, {"i8", "int8"}, {"i16", "int16"}, {"i32", "int32"}, {"i64", "int64"}, {"f16", "float16"},
    {"f32", "float32"}, {"f64", "float64"}, {"c32", "complex32"}, {"c64", "complex64"}, {"c128", "complex128"},
    {"b8", "bool"}, {"bf16", "bfloat16"}, {"b1x8", "bits1x8"}, {"b2x4", "bits2x4"}, {"b4x2", "bits4x2"}, {"b8x1", "bits8"},
    {"b16x1", "bits16"}, {"f8e5m2", "float8_e5m2"}, {"f8e4m3fn", "float8_e4m3fn"}, {"f8e5m2fnuz", "float8_e5m2fnuz"},
    {"f8e4m3fnuz", "float8_e4m3fnuz"}, {"u16", "uint16"}, {"u32", "uint32"}, {"u64", "uint64"},
    {"f8e8m0fnu", "float8_e8m0fnu"}, {"f4e2m1fnx2", "float4_e2m1fn_x2"}, {"bc32", "bcomplex32"}}};

const Dtype* find_abbreviated(std::string_view abbreviation) {
  for (const auto& [known, name] : kAbbreviations) {
    if (known == abbreviation) return find_dtype(name);
  }
  return nullptr;
}

std::string suggest_abbreviation(std::string_view word) {
  std::vector<std::string_view> known;
  for (const auto& row : kAbbreviations) known.push_back(row.first);
  return did_you_mean(word, known);
}

TextPlace move_right(TextPlace place, std::size_t columns) { return {place.line, place.column + columns}; }

// The position of the bracket that closes the one that the text begins with; npos if none does.
std::size_t find_closing(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '(') ++depth;
    if ((text[i] == ']' || text[i] == ')') && --depth == 0) return i;
  }
  return std::string_view::npos;
}

bool is_relation(const PythonExpression& e) {
  constexpr std::array<std::string_view, 9> kRelations = {"Eq", "Ne", "Lt", "Gt", "Le", "Ge", "And", "Or", "Not"};
  if (e.is(Kind::Name)) return e.text == "True" || e.text == "False";
  if (e.is(Kind::Binary)) return e.text.find_first_of("<>=!&|") != std::string::npos && e.text.size() <= 2;
  return e.is(Kind::Call) && std::find(kRelations.begin(), kRelations.end(), e.items[0].text) != kRelations.end();
}

bool is_real(const PythonExpression& e) {
  constexpr std::array<std::string_view, 5> kReal = {"ToFloat", "IntTrueDiv", "FloatTrueDiv", "FloatPow", "RoundDecimal"};
  if (e.is(Kind::Real)) return true;
  if (e.is(Kind::Name)) return e.text.starts_with("zf") || e.text.starts_with("zuf");
  if (e.is(Kind::Call)) return std::find(kReal.begin(), kReal.end(), e.items[0].text) != kReal.end();
  return std::any_of(e.items.begin(), e.items.end(), is_real);
}

bool is_unbacked_name(std::string_view symbol) { return symbol.starts_with("u") || symbol.starts_with("zuf"); }

}  // namespace

std::string_view dtype_abbreviation(std::string_view dtype) {
  const auto* const row = std::ranges::find_if(kAbbreviations, [&](const auto& each) { return each.second == dtype; });
  return row == kAbbreviations.end() ? std::string_view() : row->first;
}

Value AnnotationReader::read(std::string_view annotation, TextPlace place) {
  if (annotation.starts_with("Sym(") && annotation.ends_with(")")) {
    return read_symbolic(annotation.substr(4, annotation.size() - 5), move_right(place, 4));
  }
  // A tensor of a class of its own: "DTensor(f32[2][1]cpu, ...)".
  const std::size_t bracket = annotation.find('[');
  const std::size_t wrapper = annotation.substr(0, bracket).find('(');
  const std::size_t begin = wrapper == std::string_view::npos ? 0 : wrapper + 1;
  return read_tensor(annotation.substr(begin), move_right(place, begin));
}

Value AnnotationReader::read_symbolic(std::string_view text, TextPlace place) {
  const PythonExpression expression = parse_python(text, file_, place);
  Value value;
  value.kind = is_relation(expression) ? Value::Kind::SymBool
               : is_real(expression)   ? Value::Kind::SymFloat
                                       : Value::Kind::SymInt;
  value.expression = make_expression(expression, text);
  if (value.kind == Value::Kind::SymInt) value.hint = evaluate_size(expression, hints_);
  return value;
}

Value AnnotationReader::read_tensor(std::string_view text, TextPlace place) {
  constexpr std::string_view kForm = "expected a type such as \"f32[64, 128][128, 1]cuda:0\" or \"Sym(s77)\"";
  const std::size_t bracket = text.find('[');
  const std::size_t closing = bracket == std::string_view::npos ? bracket : find_closing(text.substr(bracket));
  if (closing == std::string_view::npos) refuse_text(file_, place, fmt::format("{}, found '{}'", kForm, text));
  Value value;
  value.kind = Value::Kind::Tensor;
  Tensor& tensor = value.tensor;
  tensor.dtype = find_abbreviated(text.substr(0, bracket));
  if (!tensor.dtype) {
    refuse_text(file_, place, fmt::format("unknown dtype '{}'", text.substr(0, bracket)),
                suggest_abbreviation(text.substr(0, bracket)));
  }
  tensor.shape = read_sizes(text.substr(bracket + 1, closing - 1), move_right(place, bracket + 1));
  std::size_t at = bracket + closing + 1;
  if (text.substr(at).starts_with('[')) {
    const std::size_t end = find_closing(text.substr(at));
    if (end == std::string_view::npos) refuse_text(file_, move_right(place, at), "expected ']' after the strides");
    tensor.stride = read_sizes(text.substr(at + 1, end - 1), move_right(place, at + 1));
    if (tensor.stride.size() != tensor.shape.size()) {
      refuse_text(file_, move_right(place, at),
                  fmt::format("{} strides, but the shape has {} sizes", tensor.stride.size(), tensor.shape.size()));
    }
    at += end + 1;
  } else {
    lacks_strides_ = true;
  }
  tensor.device = text.substr(at, text.find_first_of(",)", at) - at);
  if (tensor.device.empty()) lacks_device_ = true;
  return value;
}

std::vector<Size> AnnotationReader::read_sizes(std::string_view text, TextPlace place) {
  std::vector<Size> sizes;
  std::size_t depth = 0, begin = 0;
  for (std::size_t i = 0; i <= text.size() && !text.empty(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == ')' || text[i] == ']') && depth > 0) --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    const std::size_t first = std::min(text.find_first_not_of(' ', begin), i);
    const std::string_view size = text.substr(first, i - first);
    sizes.push_back(make_size(parse_python(size, file_, move_right(place, first)), size));
    begin = i + 1;
  }
  return sizes;
}

Size AnnotationReader::make_size(const PythonExpression& expression, std::string_view text) {
  Size size;
  const auto number = evaluate_size(expression, hints_);
  if (!number && expression.is(Kind::Integer)) {
    refuse_text(file_, expression.place, fmt::format("the size {} is too large: sizes are 64-bit integers", text));
  }
  size.hint = std::max<std::int64_t>(number.value_or(kUnhintedSize), 0);
  auto described = make_expression(expression, text);
  if (number && *number < 0 && described->symbols.empty()) {
    refuse_text(file_, expression.place, fmt::format("the size {} is negative", text));
  }
  if (!number || !described->symbols.empty()) size.expression = std::move(described);
  return size;
}

std::shared_ptr<const Expression> AnnotationReader::make_expression(const PythonExpression& expression,
                                                                    std::string_view text) {
  std::set<std::string> names;
  collect_symbols(expression, names);
  for (const std::string& name : names) {
    Symbol symbol;
    if (const auto hint = hints_.find(name); hint != hints_.end()) symbol.hint = hint->second;
    symbol.backed = !is_unbacked_name(name);
    symbols_.emplace(name, symbol);
  }
  return std::make_shared<const Expression>(Expression{std::string(text), {names.begin(), names.end()}});
}

std::string AnnotationReader::size_json(const PythonExpression& expression) {
  std::string json;
  append_size(make_size(expression, print_size(expression)), json);
  return json;
}

}  // namespace fxcut
