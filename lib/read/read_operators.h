// What a graph says of its own operators, from JSON.
#pragma once

#include "classify/operator_table.h"
#include "read/fields.h"

namespace fxcut {

// Adds the facts in `ops`, an object by operator, to the table. Unknown facts are ignored. Mistakes: ill-typed facts, a
// number of returned values that no operator has.
void read_operators(const JsonValue& ops, OperatorTable& operators, Mistakes& mistakes);

}  // namespace fxcut
