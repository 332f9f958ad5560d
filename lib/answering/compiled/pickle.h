// Python's pickle of plain data.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace fxcut {

// The bytes from which pickle.loads makes the JSON's dicts, lists, strings, integers, booleans and None (protocol 2 of
// Lib/pickletools.py). Throws InternalError for other values.
std::string pickled(const nlohmann::ordered_json& json);

}  // namespace fxcut
