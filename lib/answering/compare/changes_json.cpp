#include "compare/changes_json.h"

#include <nlohmann/json.hpp>

#include "json/json_number.h"
#include "report/place.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

std::string_view word_for(ValueState state) {
  constexpr std::string_view words[] = {"saved", "offloaded", "recomputed", "computed"};
  return words[static_cast<std::size_t>(state)];
}

Json value_json(const ComparedValue& value) {
  Json json = {{"name", value.name}, {"decision", word_for(value.state)}, {"bytes", value.size_bytes}};
  if (!value.extent.empty()) json["extent"] = value.extent;
  return json;
}

Json change_json(const ValueChange& change) {
  const ComparedValue& value = change.value();
  Json json = {{"change", word_for(change.kind)}, {"operator", value.op}};
  if (const std::string place = show_place(value.provenance); !place.empty()) json["where"] = place;
  if (!value.provenance.checkpoint_name.empty()) json["checkpoint_name"] = value.provenance.checkpoint_name;
  json["static_lifetime"] = value.static_lifetime;
  json["bytes"] = json_number(change.bytes);
  json["flops"] = json_number(change.flops);
  if (change.before) json["before"] = value_json(*change.before);
  if (change.after) json["after"] = value_json(*change.after);
  return json;
}

}  // namespace

Json figure_json(const FigureChange& figure) {
  return {{"name", figure.name},
          {"unit", figure.unit},
          {"before", json_number(figure.before)},
          {"after", json_number(figure.after)},
          {"change", json_number(figure.change())}};
}

Json changes_json(const std::vector<ValueChange>& changes) {
  Json json = Json::array();
  for (const ValueChange& change : changes) json.push_back(change_json(change));
  return json;
}

}  // namespace fxcut
