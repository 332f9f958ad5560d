// A topic as text for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "manual/topic_text.h"

namespace fxcut {

// The width of text in columns; code is not broken, and a table is wider where its last column would have no room.
inline constexpr std::size_t kTopicColumns = 100;

std::string topic_terminal(const TopicText& topic);

// The blocks, with a blank line between any two that are not items of the same list.
std::string show_blocks(const std::vector<TopicBlock>& blocks);

}  // namespace fxcut
