#include "verify/memory_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "json/json_number.h"
#include "memory/memory_profile.h"
#include "normalise/common_subexpressions.h"
#include "normalise/dead_code.h"

namespace fxcut {
namespace {

std::string text_at(const ReportJson& report, const char* place) {
  const ReportJson::json_pointer path(place);
  return report.contains(path) && report[path].is_string() ? report[path].get<std::string>() : "";
}

bool merges_equal_calls(const ReportJson& report) {
  const ReportJson::json_pointer cse("/settings/cse");
  if (report.contains(cse) && report[cse] == false) return false;
  return text_at(report, "/settings/partitioner") != "default" || text_at(report, "/decided_by") != "default";
}

class Places {
 public:
  explicit Places(const GraphPair& graphs) : graphs_(graphs) {}

  void add(const std::string& place, Side side, NodeId id,
           std::vector<std::pair<std::string, ReportJson>>& figures) const {
    const bool is_forward = side == Side::Forward;
    figures.emplace_back(place + "/graph", is_forward ? "forward" : "backward");
    figures.emplace_back(place + "/node", (is_forward ? graphs_.forward : graphs_.backward)[id].name);
  }

 private:
  const GraphPair& graphs_;
};

}  // namespace

std::vector<std::pair<std::string, ReportJson>> memory_figures(const GraphPair& graphs,
                                                               const std::vector<CrossingValue>& crossings,
                                                               const JointGraph& joint, const ReportJson& report) {
  std::vector<CarriedValue> carried;
  for (const CrossingValue& crossing : crossings) carried.push_back({crossing.forward_output, crossing.backward_input});
  MergedStorages merged;
  if (merges_equal_calls(report)) merged = merge_common_subexpressions(eliminate_dead_code(joint)).merged_storages;
  const MemoryProfile profile = profile_memory(find_lifetimes(graphs, carried, storage_bytes(joint.graph), merged));

  Wide forward_peak = 0, backward_peak = 0, between = 0;
  for (std::size_t s = 0; s < profile.steps.size(); ++s) {
    const bool is_forward = profile.steps[s].side == Side::Forward;
    Wide& peak = is_forward ? forward_peak : backward_peak;
    peak = std::max(peak, profile.curve[s].bytes);
    if (is_forward) between = profile.curve[s].bytes_after;
  }
  std::vector<std::pair<std::string, ReportJson>> figures = {
      {"/memory/peak_bytes", json_number(profile.peak_bytes())},
      {"/memory/forward_peak_bytes", json_number(forward_peak)},
      {"/memory/between_bytes", json_number(between)},
      {"/memory/backward_peak_bytes", json_number(backward_peak)},
      {"/memory/static_bytes", profile.static_bytes},
      {"/memory/input_bytes", profile.input_bytes}};
  const Places places(graphs);
  const Step& peak = profile.steps[profile.peak_step];
  places.add("/memory/peak_at", peak.side, peak.node, figures);
  for (std::size_t i = 0; i < profile.at_peak.size(); ++i) {
    const Allocation& held = profile.at_peak[i];
    const std::string place = fmt::format("/memory/at_peak/{}", i);
    figures.emplace_back(place + "/bytes", held.size_bytes);
    places.add(place + "/made_at", held.side, held.node, figures);
    if (held.last_step == Allocation::kKeptByCaller) continue;
    places.add(place + "/last_used_at", profile.steps[held.last_step].side, profile.steps[held.last_step].node,
               figures);
  }
  return figures;
}

}  // namespace fxcut
