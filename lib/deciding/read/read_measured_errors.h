// The errors of rounded values, as fxcut.measure_compression writes them (schemas/compression_errors.schema.json, version 1).
#pragma once

#include "json/document.h"
#include "json/fields.h"
#include "settings/measured_errors.h"

namespace fxcut {

// Throws Failure (BadInput) that lists the mistakes, each with its place: another format or version, members that are missing or
// of another type, a node that is there twice. What else the file tells of the values is not read.
MeasuredErrors read_measured_errors(const Document& document);

// The same for a part of a document; adds the mistakes to the list.
MeasuredErrors read_measured_errors(const JsonValue& json, Mistakes& mistakes);

}  // namespace fxcut
