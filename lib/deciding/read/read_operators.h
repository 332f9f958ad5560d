// A graph's facts about its operators, from JSON.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "classify/operator_table.h"
#include "json/fields.h"

namespace fxcut {

// Adds the facts in `ops`, an object by operator, to the table. Unknown facts are ignored. Mistakes: ill-typed facts,
// an impossible number of returned values.
void read_operators(const JsonValue& ops, OperatorTable& operators, Mistakes& mistakes);

// The operators of the release chosen by `torch_version` for a graph of that "producer", with the facts in its "ops".
std::shared_ptr<OperatorTable> read_operator_table(const std::optional<JsonValue>& producer,
                                                   const std::optional<JsonValue>& ops,
                                                   std::string_view torch_version, Mistakes& mistakes);

}  // namespace fxcut
