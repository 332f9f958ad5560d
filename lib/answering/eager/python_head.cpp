#include "eager/python_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "json/json_forms.h"
#include "text/comma_list.h"
#include "text/printable.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::string_view kKeywords[] = {
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield"};

bool is_python_name(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || is_digit(text.front()) || std::ranges::find(kKeywords, text) != std::end(kKeywords)) return false;
  return std::ranges::all_of(text, [&](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace

std::string python_operator(std::string_view op) {
  std::string code = "torch.ops";
  for (const std::string& part : split_at('.', op)) {
    code = is_python_name(part) ? code + "." + part : fmt::format("getattr({}, {})", code, json_line(part));
  }
  return code;
}

std::string in_docstring(std::string_view text) {
  std::string safe = printable(text);
  std::ranges::replace(safe, '\\', '/');
  std::ranges::replace(safe, '"', '\'');
  return safe;
}

std::string totals_head(const EagerPolicy& policy) {
  std::string text = fmt::format("Of {} that the decision holds, {} are saved by {}", show_bytes(policy.held_bytes),
                                 show_bytes(policy.kept_bytes()), show_count(policy.kept.size(), "call"));
  if (policy.more_bytes() > 0) text += fmt::format(" (with {} of other results of these)", show_bytes(policy.more_bytes()));
  if (policy.input_bytes > 0) text += fmt::format(", {} are inputs", show_bytes(policy.input_bytes));
  text += ".\n";
  if (policy.regions.empty()) return text;
  text += fmt::format("Each call of {} is a region. Inputs of regions hold {} more:\n", in_docstring(policy.regions),
                      show_bytes(policy.entering_bytes()));
  for (const EnteringValue& value : policy.entering) {
    fmt::format_to(std::back_inserter(text), "    {}  {}  of {}\n", show_bytes(value.size_bytes), in_docstring(value.name),
                   in_docstring(value.region));
  }
  return text;
}

std::string unsaid_head(const EagerPolicy& policy) {
  if (policy.unsaid.empty()) return "Nothing that was decided to be saved is missing.\n";
  std::string text = fmt::format("Not said: {}, {}.\n", show_count(policy.unsaid.size(), "value"),
                                 show_bytes(policy.unsaid_bytes()));
  for (const UnsaidForReason& unsaid : unsaid_by_reason(policy)) {
    fmt::format_to(std::back_inserter(text), "  {}:\n", in_docstring(sentence_on(unsaid.why)));
    for (const UnsaidValue* value : unsaid.values) {
      fmt::format_to(std::back_inserter(text), "    {}  {}  {}  {}\n", show_bytes(value->size_bytes), in_docstring(value->name),
                     in_docstring(value->op), value->module.empty() ? "the model" : in_docstring(value->module));
    }
  }
  return text;
}

}  // namespace fxcut
