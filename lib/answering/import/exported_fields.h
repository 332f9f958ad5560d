// Members of an exported program's JSON, which torch.export wrote: where one is not as its schema has it, the first
// such mistake ends the import.
#pragma once

#include <string>
#include <string_view>

#include "json/document.h"

namespace fxcut {

// Throws Failure (BadInput) about that place of the document.
[[noreturn]] void refuse_exported(const JsonValue& at, std::string message);

// The member of that key, and as ...; throw where there is none.
JsonValue needed(const JsonValue& object, std::string_view key);
std::string needed_text(const JsonValue& object, std::string_view key);
JsonValue needed_list(const JsonValue& object, std::string_view key);

// The one member of a union, whose key says which of its kinds it is. Throws where there is not one.
JsonValue only_member(const JsonValue& object);

// The value as a string; throws where it is none.
std::string exported_text(const JsonValue& value);

}  // namespace fxcut
