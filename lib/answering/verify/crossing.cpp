#include "verify/crossing.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace fxcut {
namespace {

std::vector<const Node*> placeholders(const Graph& graph) {
  std::vector<const Node*> found;
  for (const Node& node : graph.nodes) {
    if (node.is_placeholder()) found.push_back(&node);
  }
  return found;
}

// Adds inputs without a source, and outputs without a reader.
void require_all(const JointGraph& joint, const std::vector<CrossingValue>& crossings,
                 const std::vector<const Node*>& inputs, const Graph& forward, const std::vector<OutputLeaf>& outputs,
                 std::vector<Mismatch>& mismatches) {
  const std::vector<std::string> names = caller_inputs_of_backward(joint.graph);
  const std::set<std::string> given(names.begin(), names.end());
  std::set<std::size_t> fed, used;
  for (const CrossingValue& crossing : crossings) {
    fed.insert(crossing.backward_input);
    used.insert(crossing.forward_output);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (fed.contains(i) || given.contains(inputs[i]->name) || is_generator_input(*inputs[i])) continue;
    mismatches.push_back({"backward: " + inputs[i]->name, "an output of the forward, a tangent or a state of the step",
                          fmt::format("input {}, which has no source", i)});
  }
  for (std::size_t i = joint.num_forward_outputs; i < outputs.size(); ++i) {
    if (used.contains(i)) continue;
    const std::string name = outputs[i].node ? forward[*outputs[i].node].name : "a constant";
    mismatches.push_back({"forward: " + name, "an input of the backward that reads it",
                          fmt::format("output {}, which has no reader", i)});
  }
}

// A member of a row, if it is an integer in that range.
std::optional<std::size_t> position_in(const ReportJson& row, const char* key, std::size_t begin, std::size_t end) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_number_unsigned()) return std::nullopt;
  const auto position = found->get<std::uint64_t>();
  if (position < begin || position >= end) return std::nullopt;
  return static_cast<std::size_t>(position);
}

std::string shown(const ReportJson& row, const char* key) { return row.contains(key) ? row[key].dump() : "nothing"; }

}  // namespace

std::string text_in(const ReportJson& row, const char* key, const std::string& fallback) {
  const auto found = row.find(key);
  return found != row.end() && found->is_string() ? found->get<std::string>() : fallback;
}

bool is_generator_input(const Node& placeholder) {
  return placeholder.target.find("fwd_rng_state") != std::string::npos ||
         placeholder.target.find("bwd_rng_state") != std::string::npos;
}

std::vector<std::string> caller_inputs_of_backward(const Graph& joint) {
  std::vector<std::string> names;
  for (const auto kind : {is_tangent, is_backward_seed, is_backward_state}) {
    for (const NodeId id : find_nodes(joint, kind)) names.push_back(joint[id].name);
  }
  return names;
}

const ReportJson& rows_of(const ReportJson& report, const char* list) {
  static const ReportJson kNone = ReportJson::array();
  const auto found = report.find(list);
  return found != report.end() && found->is_array() ? *found : kNone;
}

std::vector<CrossingValue> cross_by_names(const JointGraph& joint, const Graph& forward, const Graph& backward,
                                          std::vector<Mismatch>& mismatches) {
  const std::vector<OutputLeaf> outputs = output_leaves(forward);
  const std::vector<const Node*> inputs = placeholders(backward);
  std::unordered_map<std::string, std::size_t> by_name;
  for (std::size_t i = joint.num_forward_outputs; i < outputs.size(); ++i) {
    if (outputs[i].node) by_name.emplace(forward[*outputs[i].node].name, i);
  }
  std::vector<CrossingValue> crossings;
  std::set<std::size_t> used;
  std::vector<std::size_t> states;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    auto named = by_name.find(inputs[i]->name);
    if (named == by_name.end()) named = by_name.find(inputs[i]->target);
    if (named != by_name.end() && used.insert(named->second).second) {
      crossings.push_back({named->second, i, {}});
    } else if (inputs[i]->target.starts_with("rng_state_output")) {
      states.push_back(i);
    }
  }
  auto state = states.begin();
  for (std::size_t i = joint.num_forward_outputs; i < outputs.size() && state != states.end(); ++i) {
    if (!used.contains(i)) crossings.push_back({i, *state++, {}});
  }
  require_all(joint, crossings, inputs, forward, outputs, mismatches);
  return crossings;
}

std::vector<CrossingValue> cross_by_report(const JointGraph& joint, const Graph& forward, const Graph& backward,
                                           const ReportJson& report, std::vector<Mismatch>& mismatches) {
  const std::vector<OutputLeaf> outputs = output_leaves(forward);
  const std::vector<const Node*> inputs = placeholders(backward);
  std::vector<CrossingValue> crossings;
  std::set<std::size_t> used, fed;
  const auto expect = [&](const std::string& where, const std::string& expected, const std::string& found) {
    if (expected != found) mismatches.push_back({"report: " + where, expected, found});
  };
  for (const char* list : kSavedRows) {
    const ReportJson& rows = rows_of(report, list);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::string place = fmt::format("/{}/{}", list, r), name = text_in(rows[r], "name", "");
      const auto output = position_in(rows[r], "forward_output", joint.num_forward_outputs, outputs.size());
      const auto input = position_in(rows[r], "backward_input", 0, inputs.size());
      if (!output || !used.insert(*output).second) {
        expect(place + "/forward_output", "an output of the forward that has no other row", shown(rows[r], "forward_output"));
        continue;
      }
      if (!input || !fed.insert(*input).second) {
        expect(place + "/backward_input", "an input of the backward that has no other row", shown(rows[r], "backward_input"));
        continue;
      }
      const std::string crossing = text_in(rows[r], "host_name", name);  // the copy in place of the value
      const auto& returned = outputs[*output].node;
      expect(place + "/forward_output", fmt::format("the position of '{}'", crossing),
             fmt::format("the position of '{}'", returned ? forward[*returned].name : "a constant"));
      const std::string expected_target = text_in(rows[r], "backward_name", crossing);
      if (inputs[*input]->target != expected_target) {
        expect(place + "/backward_input", fmt::format("the position of '{}'", expected_target),
               fmt::format("the position of '{}'", inputs[*input]->name));
      }
      crossings.push_back({*output, *input, place});
    }
  }
  require_all(joint, crossings, inputs, forward, outputs, mismatches);
  return crossings;
}

}  // namespace fxcut
