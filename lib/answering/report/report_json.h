// The report as JSON (schemas/report.schema.json).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/report.h"
#include "text/text_sink.h"

namespace fxcut {

// Gives the sink the text of report.json, with a newline at its end. The same report gives the same bytes.
void write_report_json(const Report& report, const TextSink& sink);

// The same as one text.
std::string report_json(const Report& report);

// The member "totals" of it, but for recomputed_by_operator.
nlohmann::ordered_json sums_json(const Totals& totals);

}  // namespace fxcut
