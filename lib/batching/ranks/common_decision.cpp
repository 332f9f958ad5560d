#include "ranks/common_decision.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "compress/compress_as_requested.h"
#include "cost/size.h"
#include "json/json_forms.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

// 0: no tag.
std::uint8_t code_of(const std::optional<CheckpointPolicy>& tag) {
  return tag ? static_cast<std::uint8_t>(static_cast<std::uint8_t>(*tag) + 1) : std::uint8_t{0};
}

std::optional<CheckpointPolicy> tag_of(std::uint8_t code) {
  if (code == 0) return std::nullopt;
  return static_cast<CheckpointPolicy>(code - 1);
}

std::int64_t bytes_on(const RankChoice& rank, const std::vector<std::uint32_t>& saved) {
  std::int64_t sum = 0;
  for (const std::uint32_t place : saved) sum += rank.bytes[place];
  return sum;
}

std::int64_t largest_bytes(std::span<const RankChoice* const> ranks, const std::vector<std::uint32_t>& saved) {
  std::int64_t largest = 0;
  for (const RankChoice* rank : ranks) largest = std::max(largest, bytes_on(*rank, saved));
  return largest;
}

// The saved values in one order.
std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> saved) {
  std::sort(saved.begin(), saved.end());
  return saved;
}

}  // namespace

RankChoice choice_of(const Decision& decision, const CanonicalOrder& order, const Settings& settings) {
  const Graph& graph = decision.joint.graph;
  RankChoice choice;
  choice.structure = order.structure;
  choice.has_random_regions = decision.needs.has_random_regions;
  std::vector<std::uint32_t> place_of(graph.size());
  for (std::uint32_t place = 0; place < order.nodes.size(); ++place) {
    const NodeId id = order.nodes[place];
    place_of[index_of(id)] = place;
    choice.bytes.push_back(find_size(graph[id], settings).value_or(0));
    choice.tags.push_back(code_of(graph[id].meta.recompute));
  }
  for (const NodeId id : decision.choice.saved) {
    choice.saved.push_back(place_of[index_of(id)]);
    choice.saved_names.push_back(graph[id].name);
  }
  return choice;
}

CommonDecision agree(std::span<const RankChoice* const> ranks) {
  CommonDecision common;
  std::map<std::vector<std::uint32_t>, std::int64_t> seen;  // equal decisions are weighed once
  for (const RankChoice* rank : ranks) {
    const auto [found, is_new] = seen.emplace(sorted(rank->saved), 0);
    if (is_new) found->second = largest_bytes(ranks, found->first);
    common.largest_bytes.push_back(found->second);
  }
  const auto least = std::min_element(common.largest_bytes.begin(), common.largest_bytes.end());
  common.picked = static_cast<std::size_t>(least - common.largest_bytes.begin());
  const std::vector<std::uint32_t> picked = sorted(ranks[common.picked]->saved);
  for (const RankChoice* rank : ranks) common.decides_otherwise.push_back(sorted(rank->saved) != picked);
  return common;
}

std::int64_t saved_bytes(const RankChoice& decider, const RankChoice& rank) { return bytes_on(rank, decider.saved); }

void adopt(Decision& decision, const RankChoice& picked, const CanonicalOrder& order) {
  Graph& graph = decision.joint.graph;
  decision.choice.saved.clear();
  for (const std::uint32_t place : picked.saved) decision.choice.saved.push_back(order.nodes[place]);
  for (std::size_t place = 0; place < order.nodes.size(); ++place) {
    graph[order.nodes[place]].meta.recompute = tag_of(picked.tags[place]);
  }
  decision.needs.has_random_regions = picked.has_random_regions;
  decision.choice.by = ByOther{partitioner_of(decision.choice), solved_by(decision.choice)};
  if (decision.tagged.forms.empty()) return;
  decision.needs.compresses |= compress_as_requested(decision.joint, plan(decision).crossing.values);
}

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
