// Graphs in their JSON form, as files hold them: what a check needs to know of them without the library's own reader.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_set>

namespace fxcut {

// Members keep their order: that of keyword arguments counts.
using Json = nlohmann::ordered_json;

// A copy of an argument with tuples and lists made one.
Json without_tuples(const Json& argument);

std::unordered_set<std::string> names_of(const Json& nodes);
std::unordered_set<std::string> node_names(const Json& graph);

bool is_op(const Json& node, std::string_view op);

}  // namespace fxcut
