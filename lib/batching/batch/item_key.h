// A hash of everything that the results of a graph depend on: existing results are valid if they have the same key.
#pragma once

#include <string>
#include <string_view>

#include "batch/work_list.h"

namespace fxcut {

class Hash128;

// Adds every setting, the policies, and the device if it is the user's own.
void add_instructions(Hash128& hash, const Instructions& instructions);

// 32 hexadecimal digits for the item's graph (the decompressed file), its instructions, and the program's `version`.
std::string item_key(std::string_view graph, const WorkItem& item, std::string_view version);

}  // namespace fxcut
