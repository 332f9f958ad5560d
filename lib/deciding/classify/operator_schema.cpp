#include "classify/operator_schema.h"

#include <charconv>

namespace fxcut {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The arguments as written, "int n=1", without the lone "*" before keyword-only ones. Commas separate them, but also
// the items of a default such as "int[2] x=[0, 0]".
std::vector<std::string_view> split_arguments(std::string_view schema) {
  const std::size_t open = schema.find('('), close = schema.rfind(')', schema.rfind("->"));
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  schema = schema.substr(open + 1, close - open - 1);
  std::vector<std::string_view> arguments;
  int depth = 0;
  for (std::size_t begin = 0, i = 0; i <= schema.size(); ++i) {
    const char c = i < schema.size() ? schema[i] : ',';
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < schema.size())) continue;
    const std::string_view argument = trim(schema.substr(begin, i - begin));
    if (!argument.empty() && argument != "*") arguments.push_back(argument);
    begin = i + 1;
  }
  return arguments;
}

struct Declaration {
  std::string_view type;
  std::string_view name;
  std::string_view by_default;  // empty for none
};

Declaration parse_declaration(std::string_view argument) {
  const std::size_t equals = argument.find('=');
  const std::string_view declared = trim(argument.substr(0, equals));
  const std::size_t space = declared.rfind(' ');
  if (space == std::string_view::npos) return {declared, "", ""};
  return {declared.substr(0, space), declared.substr(space + 1),
          equals == std::string_view::npos ? "" : argument.substr(equals + 1)};
}

bool is_written(const Declaration& declared) { return declared.type.find('!') != std::string_view::npos; }

}  // namespace

std::vector<std::string> mutable_arguments(std::string_view schema) {
  std::vector<std::string> names;
  for (const std::string_view argument : split_arguments(schema)) {
    if (const Declaration declared = parse_declaration(argument); is_written(declared)) names.emplace_back(declared.name);
  }
  return names;
}

std::vector<std::optional<std::size_t>> mutable_positions(std::string_view schema) {
  std::vector<std::optional<std::size_t>> positions;
  const std::vector<std::string_view> arguments = split_arguments(schema);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (is_written(parse_declaration(arguments[i]))) positions.emplace_back(i);
  }
  return positions;
}

std::optional<Operator::Dropout> dropout_argument(std::string_view schema) {
  std::size_t position = 0;
  for (const std::string_view argument : split_arguments(schema)) {
    const Declaration declared = parse_declaration(argument);
    if (declared.name == "dropout_p") {
      double value = 0;
      const char* const end = declared.by_default.data() + declared.by_default.size();
      const bool has_default = std::from_chars(declared.by_default.data(), end, value).ec == std::errc();
      return Operator::Dropout{position, has_default ? std::optional(value) : std::nullopt};
    }
    ++position;
  }
  return std::nullopt;
}

}  // namespace fxcut
