#include "python_text/trace_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "json/fields.h"

namespace fxcut {
namespace {

// The record in a line, if it has one of the names.
std::string_view find_record(std::string_view line, const std::vector<std::string>& quoted) {
  const std::size_t begin = line.find("] {");
  if (line.starts_with('\t') || begin == std::string_view::npos) return {};
  const bool has_name = std::ranges::any_of(quoted, [&](const auto& name) { return line.find(name) != line.npos; });
  return has_name ? line.substr(begin + 2) : std::string_view();
}

std::string number_text(const JsonValue& record, std::string_view key) {
  const auto field = member(record, key);
  return field && field->is(JsonValue::Type::Integer) ? std::to_string(field->integer()) : "";
}

}  // namespace

void for_each_trace_record(const std::vector<SourceLine>& lines, std::string_view file,
                           const std::vector<std::string_view>& names, const TraceRecordVisit& visit,
                           const DamagedRecordVisit& damaged) {
  std::vector<std::string> quoted;
  for (const std::string_view name : names) quoted.push_back(fmt::format("\"{}\"", name));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view json = find_record(lines[i].text, quoted);
    if (json.empty()) continue;
    std::vector<SourceLine> payload;
    for (std::size_t k = i + 1; k < lines.size() && lines[k].text.starts_with('\t'); ++k) {
      payload.push_back({lines[k].text.substr(1), {lines[k].begin.line, 2}});
    }
    try {
      const auto document =
          Document::parse(std::string(json), fmt::format("{}, the record in line {}", file, lines[i].begin.line));
      if (document->root().is(JsonValue::Type::Object)) visit(document->root(), std::move(payload));
    } catch (const Failure& failure) {
      damaged(lines[i].begin.line, failure);
    }
  }
}

std::string compilation_name(const JsonValue& record) {
  std::string name;
  if (const std::string rank = number_text(record, "rank"); !rank.empty()) name += "_rank_" + rank;
  for (const std::string_view key : {"compiled_autograd_id", "frame_id", "frame_compile_id"}) {
    if (const std::string number = number_text(record, key); !number.empty()) name += "_" + number;
  }
  const std::string attempt = number_text(record, "attempt");
  return attempt.empty() || attempt == "0" ? name : name + "_attempt_" + attempt;
}

std::string artifact_name(const JsonValue& record) {
  const auto artifact = member(record, "artifact");
  return artifact && artifact->is(JsonValue::Type::Object) ? text_member(*artifact, "name") : "";
}

std::optional<std::pair<std::string, std::int64_t>> created_symbol(const JsonValue& record) {
  const auto symbol = member(record, "create_symbol");
  if (!symbol || !symbol->is(JsonValue::Type::Object)) return std::nullopt;
  const auto hint = read_number(text_member(*symbol, "val"));
  return hint ? std::optional(std::pair(text_member(*symbol, "symbol"), *hint)) : std::nullopt;
}

std::optional<std::int64_t> read_number(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return all ? std::optional(number) : std::nullopt;
}

std::string text_member(const JsonValue& object, std::string_view key) {
  const auto field = member(object, key);
  return field && field->is(JsonValue::Type::String) ? std::string(field->text()) : "";
}

}  // namespace fxcut
