#include "ranks/rank_choice_json.h"

#include <nlohmann/json.hpp>

#include "json/json_forms.h"

namespace fxcut {

using Json = nlohmann::ordered_json;

std::string rank_choice_json(const RankChoice& choice) {
  const Json json = {{"structure", choice.structure}, {"saved", choice.saved}, {"names", choice.saved_names},
                     {"bytes", choice.bytes},         {"tags", choice.tags},   {"random", choice.has_random_regions}};
  return json_line(json);
}

RankChoice rank_choice_in(std::string_view text) {
  const Json json = Json::parse(text);
  RankChoice choice;
  json.at("structure").get_to(choice.structure);
  json.at("saved").get_to(choice.saved);
  json.at("names").get_to(choice.saved_names);
  json.at("bytes").get_to(choice.bytes);
  json.at("tags").get_to(choice.tags);
  json.at("random").get_to(choice.has_random_regions);
  return choice;
}

}  // namespace fxcut
