// A topic as a man page, of section 7.
#pragma once

#include <string>
#include <string_view>

#include "manual/topic_text.h"

namespace fxcut {

// The page fxcut-NAME(7), in the macros of man(7), with tables for tbl(1). It has the program's version and no date: equal
// input gives equal bytes.
std::string topic_man_page(const TopicText& topic, std::string_view version);

}  // namespace fxcut
