// A report as text, CSV, Markdown and JSON. read_report.h reads the last of these.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/report.h"
#include "text/text_sink.h"

namespace fxcut {

// Totals, then the saved values by reason, alike layers folded (saved_by_reason.h). Plain text that fits a screen; lines end in
// newlines.
std::string report_text(const Report& report);

// Totals, then the saved values, largest first, each in a row. Plain text; lines end in newlines.
std::string report_table(const Report& report);

// A line for each value that crosses, in the report's order, under a line of the columns' names. Of the rows of kind
// "value" bytes add up to the report's saved_bytes, and kept_bytes to its saved_bytes_not_static. What is not known is
// left empty.
std::string report_csv(const Report& report);

// For a pull request: totals and peak as a table, then the modules that keep most alive, layers that repeat folded, then
// the largest saved values: GitHub's Markdown. Where rows are left out, the last one says how many and how much they are,
// so that the bytes still add up.
std::string report_markdown(const Report& report);

// report.json (schemas/report.schema.json), with a newline at its end; the same report gives the same bytes. As one text,
// or piece by piece to the sink.
std::string report_json(const Report& report);
void write_report_json(const Report& report, const TextSink& sink);

// The member "totals" of it, but for recomputed_by_operator.
nlohmann::ordered_json sums_json(const Totals& totals);

}  // namespace fxcut
