// Holds a report against what a project demands of it: limits on its totals, which may follow a baseline, and values
// that must or must not be saved.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/limit.h"
#include "check/value_pattern.h"
#include "compare/compared_report.h"
#include "compare/difference.h"
#include "report/report.h"

namespace fxcut {

// One demand, as an option of the command.
struct MeasureRow {
  std::string_view option;   // "max-saved-bytes"
  std::string_view figure;   // of figures_of: "saved_bytes_not_static"
  std::string_view meaning;  // "of activations held"
  LimitUnit unit;
  bool adds_up;              // over several graphs; of the others the highest counts
};

// What can be limited, in the order in which it is checked.
const std::vector<MeasureRow>& measures();

struct Demands {
  std::vector<std::pair<const MeasureRow*, Limit>> limits;
  std::vector<ValuePattern> forbid_save;       // no such value is saved
  std::vector<ValuePattern> forbid_recompute;  // or recomputed
  // Such a value is there, and each that has the name is saved or offloaded.
  std::vector<ValuePattern> require_save;
  // Without a baseline for the report limits of growth hold; else they are broken.
  bool allow_new = false;

  bool empty() const;
};

// A line of a source file, and the value that comes from it.
struct CodeLocation {
  std::string file;
  std::int64_t line = 0;
  std::string value;
};

// What became of one demand.
struct CheckResult {
  std::string demand;  // "--max-saved-bytes 2%"
  bool holds = true;
  std::string text;    // "44.0 GB of activations held; the limit is 42.9 GB, 2% above 42.1 GB"
  // Of a limit.
  std::string_view figure;
  std::string_view unit;
  std::optional<Wide> value, most, before;
  // Of what is broken the values responsible, the largest first: those that came or grew since the baseline, where
  // there are any.
  std::vector<ValueChange> responsible;
  // Where to point at, of what is broken: annotate() sets one of them where any source is known.
  std::optional<CodeLocation> at = {};
  std::string elsewhere = {};  // "torch/nn/functional.py:2914": a line that is not to be pointed at
};

// All demands, limits first. `baseline` is null where there is none of this report.
std::vector<CheckResult> check_report(const Report& report, const ComparedReport* baseline, const Demands& demands);

}  // namespace fxcut
