// A topic as a terminal shows it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "manual/topic_text.h"

namespace fxcut {

// Columns of text that is broken into lines; code, and tables whose last column has no room, are wider.
inline constexpr std::size_t kTopicColumns = 100;

std::string topic_terminal(const TopicText& topic);

// The blocks alone, a blank line between any two that are not items of one list.
std::string show_blocks(const std::vector<TopicBlock>& blocks);

}  // namespace fxcut
