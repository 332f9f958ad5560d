// A report from its JSON form (schemas/report.schema.json, version 1): the same data that the run had that wrote it.
#pragma once

#include "json/fields.h"
#include "report/report.h"

namespace fxcut {

// The report that `document` holds, such that report_json gives the document back. Unknown members are ignored: a newer
// program may have written it. Throws Failure (BadInput) that lists the mistakes found, each with its place: another
// format or version, members that are missing or of another kind, settings that are unknown or of no such value,
// figures below zero.
Report read_report(const Document& document);

// Whether it is a report, of whichever version. What is no report at all has one mistake, not one for each member that it
// lacks.
bool expect_report(const JsonValue& json, Mistakes& mistakes);

// The fingerprint of a graph alone, which other files have as well.
GraphFingerprint read_fingerprint(const JsonValue& json, Mistakes& mistakes);

}  // namespace fxcut
