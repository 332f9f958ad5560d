// What a graph says of its own operators, from JSON.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "classify/operator_table.h"
#include "json/fields.h"

namespace fxcut {

// Adds the facts in `ops`, an object by operator, to the table. Unknown facts are ignored. Mistakes: ill-typed facts, a
// number of returned values that no operator has.
void read_operators(const JsonValue& ops, OperatorTable& operators, Mistakes& mistakes);

// The operators of the release that `torch_version` asks of a graph of that "producer", with the facts in its "ops".
std::shared_ptr<OperatorTable> read_operator_table(const std::optional<JsonValue>& producer,
                                                   const std::optional<JsonValue>& ops,
                                                   std::string_view torch_version, Mistakes& mistakes);

}  // namespace fxcut
