#include "verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "json/json_forms.h"
#include "text/printable.h"

namespace fxcut {
namespace {

constexpr std::size_t kShownNames = 6;  // in a line

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// For each dtype the values that were in it, the first of them by name.
std::string rounded_text(const std::vector<RoundedValue>& values) {
  std::map<std::string_view, std::vector<std::string>> by_dtype;
  for (const RoundedValue& value : values) by_dtype[value.dtype].push_back(printable(value.name));
  std::string text;
  for (const auto& [dtype, names] : by_dtype) {
    const std::size_t shown = std::min(names.size(), kShownNames);
    const std::string others = shown < names.size() ? fmt::format(", and {} more (--json names all)", names.size() - shown) : "";
    text += fmt::format("rounded to {}: {}: {}{}\n", dtype, counted(names.size(), "value", "values"),
                        fmt::join(std::span(names).first(shown), ", "), others);
  }
  return text;
}

}  // namespace

std::string verification_text(const Verification& verification) {
  std::string text;
  for (const Mismatch& mismatch : verification.mismatches) {
    text += fmt::format("{}\n  expected {}\n  found    {}\n", printable(mismatch.where), printable(mismatch.expected),
                        printable(mismatch.found));
  }
  if (!text.empty()) return text + counted(verification.mismatches.size(), "mismatch", "mismatches") + "\n";
  text = fmt::format("{}: {} and {} equal the joint graph's; {} to the backward",
                     verification.rounded.empty() ? "verified" : "equal but for the rounding of what is named below",
                     counted(verification.outputs, "output", "outputs"),
                     counted(verification.gradients, "gradient", "gradients"),
                     counted(verification.crossing, "value crosses", "values cross"));
  if (verification.figures > 0)
    text += fmt::format("; {} of the report are correct", counted(verification.figures, "figure", "figures"));
  return text + "\n" + rounded_text(verification.rounded);
}

std::string verification_json(const Verification& verification) {
  nlohmann::ordered_json json = {{"format", "fxcut-verification"},           {"version", 1},
                                 {"holds", verification.mismatches.empty()}, {"outputs", verification.outputs},
                                 {"gradients", verification.gradients},      {"crossing", verification.crossing},
                                 {"figures", verification.figures}};
  if (!verification.rounded.empty()) json["rounded"] = nlohmann::ordered_json::array();
  for (const RoundedValue& value : verification.rounded) {
    json["rounded"].push_back({{"name", value.name}, {"dtype", value.dtype}});
  }
  json["mismatches"] = nlohmann::ordered_json::array();
  for (const Mismatch& mismatch : verification.mismatches) {
    json["mismatches"].push_back({{"where", mismatch.where}, {"expected", mismatch.expected}, {"found", mismatch.found}});
  }
  return json_file(json);
}

}  // namespace fxcut
