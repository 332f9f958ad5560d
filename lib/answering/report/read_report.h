// Reads a report from its JSON form (schemas/report.schema.json, version 1).
#pragma once

#include "json/fields.h"
#include "report/report.h"

namespace fxcut {

// The inverse of report_json. Unknown members are ignored, as a newer fxcut may have written them. Throws Failure (BadInput)
// that lists the mistakes, each with its place: another format or version, missing members and members of another kind,
// unknown settings or invalid values of settings, negative figures.
Report read_report(const Document& document);

// Whether it is a report, of any version. A file that is not a report has one mistake, not one for each missing member.
bool expect_report(const JsonValue& json, Mistakes& mistakes);

// The fingerprint of a graph, for other files that contain one.
GraphFingerprint read_fingerprint(const JsonValue& json, Mistakes& mistakes);

}  // namespace fxcut
