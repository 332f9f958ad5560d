#include "cli/input_file.h"

#include "cli/settings_options.h"
#include "read/fields.h"
#include "write/files.h"

namespace fxcut {

bool InputFile::is_report() const {
  const auto format = member(document->root(), "format");
  return format && format->is(JsonValue::Type::String) && format->text() == "fxcut-report";
}

InputFile read_input_file(const std::string& path) {
  const std::string name = shown_name(path);
  return {name, Document::parse(read_file(path), name)};
}

}  // namespace fxcut
