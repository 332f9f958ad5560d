#include <fmt/format.h>

#include <algorithm>

#include "check/show_results.h"
#include "compare/phrases.h"
#include "report/place.h"

namespace fxcut {

bool all_hold(const CheckResults& results) {
  return std::all_of(results.begin(), results.end(), [](const CheckResult& result) { return result.holds; });
}

std::string verdict(const CheckResults& results) {
  const auto broken =
      std::count_if(results.begin(), results.end(), [](const CheckResult& result) { return !result.holds; });
  if (results.size() == 1) return broken == 0 ? "the demand holds" : "the demand is broken";
  if (broken == 0) return fmt::format("all {} demands hold", results.size());
  return fmt::format("{} of {} demands {} broken", broken, results.size(), broken == 1 ? "is" : "are");
}

std::string show_responsible(const ValueChange& change) {
  const ComparedValue& value = change.value();
  std::string text = fmt::format("{} {} ({})", show_amount(change), show_name(change), value.op);
  if (change.kind != ValueChange::Kind::Is) text = fmt::format("{} {}", word_for(change.kind), text);
  if (const std::string place = show_place(value.provenance); !place.empty()) text += fmt::format(" in {}", place);
  if (const std::string_view note = note_of(change); !note.empty()) text += fmt::format(", {}", note);
  return text;
}

std::string results_text(const CheckResults& results, const CheckedFiles& files) {
  std::string text = fmt::format("{}: {}", files.report, verdict(results));
  if (!files.baseline.empty()) text += fmt::format(", against {}", files.baseline);
  text += "\n\n";
  for (const CheckResult& result : results) {
    text += fmt::format("{}  {}: {}\n", result.holds ? "holds " : "BROKEN", result.demand, result.text);
    for (const ValueChange& change : result.responsible) {
      if (!result.holds) text += fmt::format("          {}\n", show_responsible(change));
    }
  }
  return text;
}

}  // namespace fxcut
