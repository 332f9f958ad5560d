// Members of an exported program's JSON by torch.export's schema; the first mistake ends the import.
#pragma once

#include <string>
#include <string_view>

#include "json/document.h"

namespace fxcut {

// Throws Failure (BadInput) at that place of the document.
[[noreturn]] void refuse_exported(const JsonValue& at, std::string message);

// The member of that key, as a string or an array; throw if it is missing.
JsonValue needed(const JsonValue& object, std::string_view key);
std::string needed_text(const JsonValue& object, std::string_view key);
JsonValue needed_list(const JsonValue& object, std::string_view key);

// The one member of a union, whose key is its kind. Throws if there are none or several.
JsonValue only_member(const JsonValue& object);

// The value as a string; throws if it is not one.
std::string exported_text(const JsonValue& value);

}  // namespace fxcut
