// The topics of `fxcut help`, of which each is a file of cli/topics. A topic may bear the name of a command: it then says more
// than the command's options do.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manual/topic_text.h"

namespace fxcut {

// The files, in the order of their names; embed_topics.cmake makes it.
const std::vector<std::string_view>& topic_sources();

// All topics in that order. To "settings" and "releases" is added what the program itself knows of them.
std::vector<TopicText> topics();

// The topic of that name.
std::optional<TopicText> find_topic(std::string_view name);

}  // namespace fxcut
