#include "verify/verify.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/json_forms.h"
#include "text/printable.h"

namespace fxcut {
namespace {

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::string verification_text(const Verification& verification) {
  std::string text;
  for (const Mismatch& mismatch : verification.mismatches) {
    text += fmt::format("{}\n  expected {}\n  found    {}\n", printable(mismatch.where), printable(mismatch.expected),
                        printable(mismatch.found));
  }
  if (!text.empty()) return text + counted(verification.mismatches.size(), "mismatch", "mismatches") + "\n";
  text = fmt::format("verified: {} and {} equal the joint graph's; {} to the backward",
                     counted(verification.outputs, "output", "outputs"),
                     counted(verification.gradients, "gradient", "gradients"),
                     counted(verification.crossing, "value crosses", "values cross"));
  if (verification.figures > 0)
    text += fmt::format("; {} of the report are correct", counted(verification.figures, "figure", "figures"));
  return text + "\n";
}

std::string verification_json(const Verification& verification) {
  nlohmann::ordered_json json = {{"format", "fxcut-verification"},           {"version", 1},
                                 {"holds", verification.mismatches.empty()}, {"outputs", verification.outputs},
                                 {"gradients", verification.gradients},      {"crossing", verification.crossing},
                                 {"figures", verification.figures}};
  json["mismatches"] = nlohmann::ordered_json::array();
  for (const Mismatch& mismatch : verification.mismatches) {
    json["mismatches"].push_back({{"where", mismatch.where}, {"expected", mismatch.expected}, {"found", mismatch.found}});
  }
  return json_file(json);
}

}  // namespace fxcut
