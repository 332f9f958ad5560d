#include "import/exported_fields.h"

#include <fmt/format.h>

#include "diagnostic/diagnostic.h"
#include "json/fields.h"

namespace fxcut {

void refuse_exported(const JsonValue& at, std::string message) {
  throw Failure(ExitStatus::BadInput,
                {at.mistake(std::move(message), "expected the format of torch.export.save of PyTorch 2.13 or 2.15")});
}

JsonValue needed(const JsonValue& object, std::string_view key) {
  const auto found = member(object, key);
  if (!found) refuse_exported(object, fmt::format("missing '{}'", key));
  return *found;
}

std::string exported_text(const JsonValue& value) {
  if (!value.is(JsonValue::Type::String)) {
    refuse_exported(value, fmt::format("expected a string, found {}", describe(value.type())));
  }
  return std::string(value.text());
}

std::string needed_text(const JsonValue& object, std::string_view key) { return exported_text(needed(object, key)); }

JsonValue needed_list(const JsonValue& object, std::string_view key) {
  const JsonValue list = needed(object, key);
  if (!list.is(JsonValue::Type::Array)) {
    refuse_exported(list, fmt::format("expected an array, found {}", describe(list.type())));
  }
  return list;
}

JsonValue only_member(const JsonValue& object) {
  if (!object.is(JsonValue::Type::Object) || object.size() != 1) {
    refuse_exported(object, "expected an object with one member, its kind");
  }
  return *object.begin();
}

}  // namespace fxcut
