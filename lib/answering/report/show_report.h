// A report as text, CSV, Markdown and JSON. read_report.h reads the last of these.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/describe_totals.h"
#include "report/holding_less.h"
#include "report/report.h"
#include "text/text_sink.h"

namespace fxcut {

// Totals, ways to need less memory, then the saved values by reason, with alike layers folded (saved_by_reason.h). Plain text
// that fits a screen; lines end in newlines.
std::string report_text(const Report& report, const HoldingLess& less = {});

// Totals, then the saved values, largest first, each in a row. Plain text; lines end in newlines.
std::string report_table(const Report& report);

// A line for each value that crosses, in the report's order, after a line of the columns' names. In the rows of kind "value"
// bytes add up to the report's saved_bytes, and kept_bytes to its saved_bytes_not_static. Unknown values are empty.
std::string report_csv(const Report& report);

// GitHub's Markdown for a pull request: a table of totals and peak, then the modules with the most activations held, repeated
// layers folded, then the largest saved values. If rows are left out, the last one has their number and sum.
std::string report_markdown(const Report& report);

// report.json (schemas/report.schema.json) with a final newline; equal reports give equal bytes. As one text, or piece by
// piece to the sink.
std::string report_json(const Report& report);
void write_report_json(const Report& report, const TextSink& sink);

// The member "totals" of report_json, without recomputed_by_operator.
nlohmann::ordered_json sums_json(const Totals& totals);

}  // namespace fxcut
