// The structured log that TORCH_TRACE writes and tlparse reads: a record is a line of JSON behind a prefix, and its
// payload the lines below that begin with a tab. Of each compilation there are many, of which a reader wants a few.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "import/python_lexer.h"
#include "json/document.h"

namespace fxcut {

using TraceRecordVisit = std::function<void(const JsonValue& record, std::vector<SourceLine> payload)>;
using DamagedRecordVisit = std::function<void(std::size_t line, const Failure& failure)>;

// Calls `visit` for each record that has one of the `wanted` words as a key or a text, in order, its payload without the
// tabs; `damaged` for one that is no JSON, as the last is where the job was killed. Linear in the lines.
void for_each_trace_record(const std::vector<SourceLine>& lines, std::string_view file,
                           const std::vector<std::string_view>& wanted, const TraceRecordVisit& visit,
                           const DamagedRecordVisit& damaged);

// "_0_0" of a record of frame 0, compilation 0; "_rank_1_0_0" where several ranks write; with "_attempt_1" where it is
// not the first.
std::string compilation_name(const JsonValue& record);

// The name of the artifact that the record has; empty where it has none.
std::string artifact_name(const JsonValue& record);

// The member's text; empty where there is none, or it is no text.
std::string text_member(const JsonValue& object, std::string_view key);

}  // namespace fxcut
