// The structured log that TORCH_TRACE writes and tlparse reads: a record is a line of JSON after a prefix, and its payload the
// lines below that begin with a tab. Each compilation has many records, of which a reader uses a few.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "json/document.h"
#include "python_text/python_lexer.h"

namespace fxcut {

using TraceRecordVisit = std::function<void(const JsonValue& record, std::vector<SourceLine> payload)>;
using DamagedRecordVisit = std::function<void(std::size_t line, const Failure& failure)>;

// Calls `visit` for each record with one of `names` as a key or a string, in order, its payload without the tabs; `damaged` for
// a record that is not JSON, such as the last one of a killed job. Linear in the lines.
void for_each_trace_record(const std::vector<SourceLine>& lines, std::string_view file,
                           const std::vector<std::string_view>& names, const TraceRecordVisit& visit,
                           const DamagedRecordVisit& damaged);

// "_0_0" of a record of frame 0, compilation 0; "_rank_1_0_0" with several ranks; with "_attempt_1" after the first.
std::string compilation_name(const JsonValue& record);

// The name of the record's artifact; empty if it has none.
std::string artifact_name(const JsonValue& record);

// The symbol and the hint of a record of a create_symbol whose hint is an integer.
std::optional<std::pair<std::string, std::int64_t>> created_symbol(const JsonValue& record);

// The text as an integer; nullopt if it is anything else.
std::optional<std::int64_t> read_number(std::string_view text);

// The member's string; empty if it is missing or not a string.
std::string text_member(const JsonValue& object, std::string_view key);

}  // namespace fxcut
