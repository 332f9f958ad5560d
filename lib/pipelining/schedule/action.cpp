#include "schedule/action.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace fxcut {
namespace {

std::optional<ActionKind> kind_named(std::string_view name) {
  for (const auto& [known, kind] : kActionKinds) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Takes the number at the start of the text off it.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || text.front() == '-' || error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<Action> parse_single(std::string_view text) {
  const auto stage = take_number(text);
  if (!stage) return std::nullopt;
  const std::size_t name_end = std::min(text.find_first_of("0123456789"), text.size());
  const auto kind = kind_named(text.substr(0, name_end));
  if (!kind || *kind == ActionKind::Overlap) return std::nullopt;
  Action action{*kind, *stage, std::nullopt};
  text.remove_prefix(name_end);
  if (!text.empty()) {
    action.microbatch = take_number(text);
    if (!action.microbatch || !text.empty()) return std::nullopt;
  }
  if (action.computes() && !action.microbatch) return std::nullopt;
  return action;
}

std::optional<Action> parse_overlap(std::string_view text) {
  const std::size_t end = text.find(')');
  if (end == text.npos || kind_named(text.substr(end + 1)) != ActionKind::Overlap) return std::nullopt;
  Action overlap{ActionKind::Overlap, -1, std::nullopt};
  for (std::string_view rest = text.substr(1, end - 1); !rest.empty();) {
    const std::size_t separator = std::min(rest.find(';'), rest.size());
    const auto part = parse_single(trimmed(rest.substr(0, separator)));
    if (!part || !part->computes()) return std::nullopt;
    overlap.parts.push_back(*part);
    rest.remove_prefix(std::min(separator + 1, rest.size()));
  }
  if (overlap.parts.empty()) return std::nullopt;
  return overlap;
}

}  // namespace

std::string_view name_of(ActionKind kind) {
  return std::find_if(kActionKinds.begin(), kActionKinds.end(), [&](const auto& row) { return row.second == kind; })->first;
}

std::string to_string(const Action& action) {
  if (action.kind == ActionKind::Overlap) {
    std::string parts;
    for (const Action& part : action.parts) parts += (parts.empty() ? "" : ";") + to_string(part);
    return fmt::format("({}){}", parts, name_of(action.kind));
  }
  std::string text = fmt::format("{}{}", action.stage, name_of(action.kind));
  if (action.microbatch) text += std::to_string(*action.microbatch);
  return text;
}

std::optional<Action> parse_action(std::string_view text) {
  text = trimmed(text);
  return text.starts_with('(') ? parse_overlap(text) : parse_single(text);
}

}  // namespace fxcut
