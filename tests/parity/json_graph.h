// Graphs in their JSON form, as files hold them: what a check needs to know of them without the library's own reader.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace fxcut {

// Members keep their order: that of keyword arguments counts.
using Json = nlohmann::ordered_json;

// Calls `visit` with the name of each node that an argument refers to, however deep.
void for_each_reference(const Json& argument, const std::function<void(const std::string&)>& visit);

// A copy of an argument with tuples and lists made one.
Json without_tuples(const Json& argument);

// The leaves of the output node's arguments, in order: {"node": name}, null or a constant each.
std::vector<Json> leaves_of_output(const Json& graph);

std::unordered_set<std::string> names_of(const Json& nodes);
std::unordered_set<std::string> node_names(const Json& graph);

bool is_op(const Json& node, std::string_view op);

// What stands under `key`, which is text.
std::string text_of(const Json& object, const char* key);

}  // namespace fxcut
