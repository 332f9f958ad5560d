#include "cli/input_file.h"

#include "cli/memory_cap.h"
#include "json/fields.h"
#include "read/decompress.h"
#include "read/read_file.h"

namespace fxcut {

bool InputFile::is(std::string_view format) const {
  const auto found = member(document->root(), "format");
  return found && found->is(JsonValue::Type::String) && found->text() == format;
}

std::string shown_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_text(const std::string& path) {
  const std::string name = shown_name(path);
  return within_memory(name, [&] { return decompressed(read_file(path), name, allowed_expansion()); });
}

InputFile read_input_file(const std::string& path) {
  const std::string name = shown_name(path);
  return within_memory(name, [&] { return InputFile{name, Document::parse(read_text(path), name)}; });
}

}  // namespace fxcut
