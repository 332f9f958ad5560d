// Python's pickle of plain data.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace fxcut {

// The bytes that pickle.loads makes dicts, lists, texts, integers, booleans and None of, as the JSON has them (protocol 2 of
// Lib/pickletools.py). Throws InternalError for other values.
std::string pickled(const nlohmann::ordered_json& json);

}  // namespace fxcut
