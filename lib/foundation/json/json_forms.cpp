#include "json/json_forms.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>

namespace fxcut {

nlohmann::ordered_json json_number(Int128 value) {
  if (value < 0 && value >= std::numeric_limits<std::int64_t>::min()) return static_cast<std::int64_t>(value);
  if (value >= 0 && value <= Int128{std::numeric_limits<std::uint64_t>::max()}) return static_cast<std::uint64_t>(value);
  return static_cast<double>(value);
}

using Json = nlohmann::ordered_json;

std::string json_file(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string json_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json size_json(const Size& size) {
  if (!size.expression) return size.hint;
  return {{"expr", size.expression->text}, {"hint", size.hint}, {"symbols", size.expression->symbols}};
}

Json shape_json(const Sizes& shape) { return json_list(shape, size_json); }

void add_provenance(const Provenance& provenance, Json& json) {
  if (!provenance.module.empty()) json["module"] = provenance.module;
  if (!provenance.source_file.empty()) {
    json["source"] = {{"file", provenance.source_file},
                      {"line", provenance.source_line},
                      {"function", provenance.source_function}};
  }
  if (!provenance.user_file.empty()) {
    json["user_source"] = {{"file", provenance.user_file},
                           {"line", provenance.user_line},
                           {"function", provenance.user_function}};
  }
  if (!provenance.checkpoint_name.empty()) json["checkpoint_name"] = provenance.checkpoint_name;
}

}  // namespace fxcut
