#include "graph_text/operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "graph_text/json.h"

namespace fxcut::notation {
namespace {

// Kinds of arguments that are written as KIND(TEXT).
constexpr std::array<std::string_view, 6> kNamedKinds = {"dtype", "device", "layout", "memory_format", "op", "opaque"};

std::string_view full_dtype_name(std::string_view name) {
  if (name == "f16") return "float16";
  if (name == "f32") return "float32";
  if (name == "f64") return "float64";
  if (name == "bf16") return "bfloat16";
  if (name == "i32") return "int32";
  if (name == "i64") return "int64";
  return name;
}

// The member `symbols` of an expression.
std::string symbols_in(std::string_view expression) {
  std::vector<std::string> symbols;
  for (std::size_t i = 0; i < expression.size();) {
    std::size_t end = i;
    while (end < expression.size() && std::isalnum(static_cast<unsigned char>(expression[end]))) ++end;
    const bool is_symbol = end > i && std::isalpha(static_cast<unsigned char>(expression[i])) &&
                           (end == expression.size() || expression[end] != '(');
    if (is_symbol) symbols.push_back(quoted(expression.substr(i, end - i)));
    i = std::max(end, i + 1);
  }
  return fmt::format("\"symbols\":[{}]", joined(symbols));
}

std::string symbolic(std::string_view expression, std::string_view hint) {
  return fmt::format("\"expr\":{},\"hint\":{},{}", quoted(expression), hint, symbols_in(expression));
}

// "s0=16" or "u0".
std::string symbolic(std::string_view size) {
  const std::size_t equals = size.find('=');
  return equals == std::string_view::npos ? symbolic(size, "null")
                                          : symbolic(size.substr(0, equals), size.substr(equals + 1));
}

std::string size_json(std::string_view size) {
  const bool is_integer = size.find_first_not_of("-0123456789") == std::string_view::npos;
  return is_integer ? std::string(size) : fmt::format("{{{}}}", symbolic(size));
}

std::string sizes(Line& line, char close) {
  const auto belongs = [close](char c) { return c != ',' && c != close; };
  return joined(line.items(close, [&] { return size_json(line.take_while(belongs)); }));
}

bool belongs_to_word(char c) { return c != ' ' && c != ',' && c != ')'; }

// The member for `was EXPRESSION`, after a comma; empty if the line does not continue that way.
std::string unreplaced(Line& line, bool has_expression) {
  Line ahead = line;
  if (ahead.word() != "was") return "";
  line = ahead;
  const std::string_view expression = line.take_while(belongs_to_word);
  const std::string text = has_expression ? fmt::format("\"expr\":{},", quoted(expression)) : "";
  return fmt::format(",\"unreplaced\":{{{}{}}}", text, symbols_in(expression));
}

std::string arguments(Line& line, char close) {
  return joined(line.items(close, [&] { return argument(line); }));
}

// A word that begins an argument, read already.
std::string named_argument(Line& line, std::string_view word) {
  if (word == "None") return "null";
  if (word == "True") return "true";
  if (word == "False") return "false";
  if (word == "inf" || word == "nan") return fmt::format("{{\"float\":\"{}\"}}", word);
  if (!line.at('(')) return fmt::format("{{\"node\":{}}}", quoted(word));
  if (word == "sym") return fmt::format("{{\"sym\":{}}}", size_json(line.in_parentheses()));
  if (std::find(kNamedKinds.begin(), kNamedKinds.end(), word) != kNamedKinds.end()) {
    return fmt::format("{{\"{}\":{}}}", word, quoted(line.in_parentheses()));
  }
  line.expect('(');
  return fmt::format("{{\"{}\":[{}]}}", word, arguments(line, ')'));  // slice, complex
}

}  // namespace

std::string tensor(Line& line, std::string_view dtype) {
  std::string json = fmt::format("\"dtype\":{}", quoted(full_dtype_name(dtype)));
  line.expect('[');
  json += fmt::format(",\"shape\":[{}]", sizes(line, ']'));
  if (line.take('{')) json += fmt::format(",\"stride\":[{}]", sizes(line, '}'));
  if (line.take('@')) json += fmt::format(",\"storage\":{}", line.word());
  return json;
}

std::string value(Line& line) {
  const std::string_view kind = line.word();
  if (kind == "tuple") {
    line.expect('(');
    return fmt::format("{{\"kind\":\"tuple\",\"items\":[{}]}}", joined(line.items(')', [&] { return value(line); })));
  }
  if (kind == "symint" || kind == "symfloat" || kind == "symbool") {
    const std::string number = symbolic(line.in_parentheses());
    return fmt::format("{{\"kind\":\"{}\",{}{}}}", kind, number, unreplaced(line, true));
  }
  if (kind == "other") return fmt::format("{{\"kind\":\"other\",\"type\":{}}}", quoted(line.in_parentheses()));
  if (!line.at('[')) return fmt::format("{{\"kind\":\"{}\"}}", kind);
  std::string json = "{\"kind\":\"tensor\"," + tensor(line, kind);
  Line ahead = line;
  if (ahead.word() == "on") {
    line = ahead;
    json += ",\"device\":" + quoted(line.take_while(belongs_to_word));
  }
  return json + unreplaced(line, false) + "}";
}

std::string argument(Line& line) {
  if (line.take('[')) return fmt::format("[{}]", arguments(line, ']'));
  if (line.take('(')) return fmt::format("{{\"tuple\":[{}]}}", arguments(line, ')'));
  if (line.take('{')) {
    return fmt::format("{{\"dict\":{{{}}}}}", joined(line.items('}', [&] {
                         const std::string key = line.string_literal();
                         line.expect(':');
                         return key + ":" + argument(line);
                       })));
  }
  if (line.at('"')) return line.string_literal();
  const std::string_view word = line.take_while([](char c) { return is_word_character(c) || c == '-' || c == '+'; });
  if (word == "-inf") return "{\"float\":\"-inf\"}";
  const bool is_number =
      word.starts_with('-') || (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front())));
  return is_number ? std::string(word) : named_argument(line, word);
}

std::string call_arguments(Line& line) {
  line.expect('(');
  std::vector<std::string> keyword;
  std::vector<std::string> positional = line.items(')', [&] {
    Line ahead = line;
    const std::string_view key = ahead.word();
    if (key.empty() || !ahead.take('=')) return argument(line);
    line = ahead;
    keyword.push_back(quoted(key) + ":" + argument(line));
    return std::string();
  });
  std::erase(positional, "");
  std::string json = fmt::format(",\"args\":[{}]", joined(positional));
  if (!keyword.empty()) json += fmt::format(",\"kwargs\":{{{}}}", joined(keyword));
  return json;
}

}  // namespace fxcut::notation
