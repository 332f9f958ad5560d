// Forms that several JSON outputs share.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

#include "graph/graph.h"
#include "graph/int128.h"
#include "json/json_text.h"

namespace fxcut {

// A count as a JSON number: exact within 64 bits, which JSON libraries read as integers; otherwise the nearest real number.
nlohmann::ordered_json json_number(Int128 value);

// The text of a JSON file, a line a value. Names come from files and may have any bytes: those that are not UTF-8 are
// replaced by U+FFFD, here and in json_line.
std::string json_file(const nlohmann::ordered_json& json);

// The text of one line, without its end.
std::string json_line(const nlohmann::ordered_json& json);

// An array of `show` of each row.
template <typename Rows, typename Show, typename Json = nlohmann::ordered_json>
Json json_list(const Rows& rows, const Show& show) {
  Json json = Json::array();
  for (const auto& row : rows) json.push_back(show(row));
  return json;
}

// Sizes in the form of graph files.
nlohmann::ordered_json size_json(const Size& size);
nlohmann::ordered_json shape_json(const Sizes& shape);

// Adds the known ones of module, sources and checkpoint_name.
void add_provenance(const Provenance& provenance, nlohmann::ordered_json& json);

}  // namespace fxcut
