#include "read/read_measured_errors.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace fxcut {
namespace {

using Type = JsonValue::Type;

constexpr std::int64_t kErrorsVersion = 1;
constexpr std::string_view kErrorsFormat = "fxcut-compression-errors";

void expect_errors_format(const Members& file, Mistakes& mistakes) {
  const auto format = file.required("format", fmt::format("\"{}\"", kErrorsFormat));
  if (!format || (format->is(Type::String) && format->text() == kErrorsFormat)) return;
  mistakes.add(*format, fmt::format("expected \"{}\"", kErrorsFormat),
               "fxcut.measure_compression(model, inputs) writes such files");
}

// Null: what rounding gives is not finite.
std::optional<double> read_error(const Members& value, Mistakes& mistakes) {
  const auto error = value.required("error", "a number of 0 or more, or null");
  if (!error || error->is(Type::Null)) return std::nullopt;
  const std::optional<double> share = read_real(*error, "", mistakes);
  if (share && *share < 0) mistakes.add(*error, "expected a number of 0 or more, or null");
  return share;
}

}  // namespace

MeasuredErrors read_measured_errors(const JsonValue& json, Mistakes& mistakes) {
  MeasuredErrors errors;
  if (!expect(json, Type::Object, "", mistakes)) return errors;
  const Members file(json, mistakes);
  expect_errors_format(file, mistakes);
  expect_version(json, kErrorsVersion, mistakes);
  errors.graph = file.text("graph");
  errors.dtype = file.text("dtype");
  const auto values = file.array("values");
  if (!values) return errors;
  for (const JsonValue one : *values) {
    if (!expect(one, Type::Object, "", mistakes)) continue;
    const Members value(one, mistakes);
    const std::string name = value.text("name");
    MeasuredError measured{value.text("operator"), read_error(value, mistakes)};
    if (!errors.by_node.emplace(name, std::move(measured)).second) {
      mistakes.add(one, fmt::format("'{}' is there twice", name));
    }
  }
  return errors;
}

MeasuredErrors read_measured_errors(const Document& document) {
  Mistakes mistakes;
  MeasuredErrors errors = read_measured_errors(document.root(), mistakes);
  mistakes.raise();
  return errors;
}

}  // namespace fxcut
