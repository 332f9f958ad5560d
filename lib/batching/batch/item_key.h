// What the results of a graph depend on, as one hash: results that lie there are those wanted where their key is.
#pragma once

#include <string>
#include <string_view>

#include "batch/work_list.h"

namespace fxcut {

class Hash128;

// Adds every setting, the policies, and the device where it is the user's own.
void add_instructions(Hash128& hash, const Instructions& instructions);

// 32 hexadecimal digits for the item's graph as its file has it, decompressed; what decides on it; and the
// program, by `version`.
std::string item_key(std::string_view graph, const WorkItem& item, std::string_view version);

}  // namespace fxcut
