#include "check/baseline_row.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/json_forms.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;
using Type = JsonValue::Type;

enum Column { kName, kOperator, kModule, kSource, kLine, kBytes, kFlops, kExtent, kCheckpointName, kState, kForm, kFormBytes };

std::string state_of(const ComparedValue& value) {
  const bool is_on_host = value.state == ValueState::Offloaded;
  if (value.static_lifetime) return is_on_host ? "static host" : "static";
  return is_on_host ? "host" : "";
}

void read_state(const JsonValue& json, ComparedValue& value, Mistakes& mistakes) {
  const std::string_view word = read_string(json, "", mistakes).value_or("");
  value.static_lifetime = word.starts_with("static");
  if (word.ends_with("host")) value.state = ValueState::Offloaded;
  if (word == state_of(value)) return;
  mistakes.add(json, fmt::format("expected static, host or 'static host', found '{}'", word));
}

std::int64_t read_count(const JsonValue& json, Mistakes& mistakes) {
  const std::int64_t count = read_integer(json, "", mistakes).value_or(0);
  if (count < 0) mistakes.add(json, fmt::format("expected 0 or more, found {}", count));
  return count;
}

std::string read_text_of(const JsonValue& json, Mistakes& mistakes) {
  return std::string(read_string(json, "", mistakes).value_or(""));
}

using Sources = std::vector<std::pair<std::string, std::string>>;

void read_source(const JsonValue& json, const Sources& sources, Provenance& provenance, Mistakes& mistakes) {
  if (json.is(Type::Null)) return;
  const std::int64_t position = read_count(json, mistakes);
  if (position < 0) return;
  if (static_cast<std::size_t>(position) >= sources.size()) {
    mistakes.add(json, fmt::format("expected a position in 'sources', which has {} entries", sources.size()));
    return;
  }
  std::tie(provenance.source_file, provenance.source_function) = sources[static_cast<std::size_t>(position)];
}

void read_column(int column, const JsonValue& json, const Sources& sources, ComparedValue& value, Mistakes& mistakes) {
  switch (column) {
    case kName: value.name = read_text_of(json, mistakes); break;
    case kOperator: value.op = read_text_of(json, mistakes); break;
    case kModule: value.provenance.module = read_text_of(json, mistakes); break;
    case kSource: read_source(json, sources, value.provenance, mistakes); break;
    case kLine: value.provenance.source_line = read_count(json, mistakes); break;
    case kBytes: value.size_bytes = read_count(json, mistakes); break;
    case kFlops: value.flops = read_figure(json, mistakes); break;
    case kExtent: value.extent = read_text_of(json, mistakes); break;
    case kCheckpointName: value.provenance.checkpoint_name = read_text_of(json, mistakes); break;
    case kState: read_state(json, value, mistakes); break;
    case kForm: value.form = read_text_of(json, mistakes); break;
    case kFormBytes: value.form_bytes = read_count(json, mistakes); break;
    default: mistakes.add(json, fmt::format("expected at most {} columns", kFormBytes + 1));
  }
}

// Position 0 of a source is not the same as none.
bool is_default(const Json& cell, std::size_t column) {
  return cell == Json("") || cell == nullptr || (cell == 0 && column != kSource);
}

// Calls `use` on the texts with numbers, in the order of a row's steps.
template <typename Value, typename Use>
void for_each_numbered(Value& value, const Use& use) {
  use(value.name, kName);
  use(value.provenance.module, kModule);
  use(value.provenance.checkpoint_name, kCheckpointName);
}

}  // namespace

Json SourceTable::add(const Provenance& provenance) {
  if (provenance.source_file.empty() && provenance.source_function.empty()) return nullptr;
  const std::pair row(provenance.source_file, provenance.source_function);
  const auto [found, is_new] = positions_.try_emplace(row, rows_.size());
  if (is_new) rows_.push_back(row);
  return found->second;
}

Json row_json(const ComparedValue& value, SourceTable& sources) {
  const Provenance& from = value.provenance;
  Json row = {value.name,
              value.op,
              from.module,
              sources.add(from),
              from.source_line,
              value.size_bytes,
              json_number(value.flops),
              value.extent,
              from.checkpoint_name,
              state_of(value),
              value.form,
              value.form_bytes};
  while (row.size() > kOperator + 1 && is_default(row.back(), row.size() - 1)) row.erase(row.size() - 1);
  return row;
}

std::vector<std::int64_t> numbers_of(const ComparedValue& value) {
  std::vector<std::int64_t> numbers;
  for_each_numbered(value, [&](const std::string& text, Column) {
    for (const std::int64_t number : numbers_in(text)) numbers.push_back(number);
  });
  return numbers;
}

std::string pattern_of(const ComparedValue& value, Json row) {
  for_each_numbered(value, [&](const std::string& text, Column column) {
    if (column < row.size()) row[column] = pattern_of(text);
  });
  return json_line(row);
}

BaselineRow read_row(const JsonValue& json, const Sources& sources, Mistakes& mistakes) {
  BaselineRow row;
  if (!expect(json, Type::Array, "", mistakes)) return row;
  int column = 0;
  for (const JsonValue cell : json) {
    if (cell.is(Type::Array)) {
      for (const JsonValue step : cell) row.steps.push_back(read_integer(step, "", mistakes).value_or(0));
    } else {
      read_column(column++, cell, sources, row.value, mistakes);
    }
  }
  if (column <= kOperator) mistakes.add(json, "expected a name and an operator");
  return row;
}

std::optional<ComparedValue> later(const BaselineRow& row, std::size_t times) {
  std::vector<std::int64_t> numbers = numbers_of(row.value);
  if (row.steps.size() > numbers.size()) return std::nullopt;
  for (std::size_t i = 0; i < row.steps.size(); ++i) {
    const std::optional<std::int64_t> number = stepped(numbers[i], row.steps[i], times);
    if (!number) return std::nullopt;
    numbers[i] = *number;
  }
  ComparedValue value = row.value;
  const std::int64_t* next = numbers.data();
  for_each_numbered(value, [&](std::string& text, Column) {
    const std::size_t count = numbers_in(text).size();
    text = with_numbers(text, next);
    next += count;
  });
  return value;
}

}  // namespace fxcut
