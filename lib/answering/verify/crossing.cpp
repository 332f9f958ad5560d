#include "verify/crossing.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

// The name under which the value crosses: that of its copy on the host, of its form's copy, of its form in fewer bits, or its
// own.
std::string crossing_name(const ReportJson& row) {
  const auto compressed = row.find("compressed");
  const std::string name = text_in(row, "name", "");
  return text_in(row, "host_name", compressed == row.end() ? name : text_in(*compressed, "name", name));
}

std::string shown(const ReportJson& row, const char* key) { return row.contains(key) ? row[key].dump() : "nothing"; }

// Checks that values that are passed by name would be passed in the same way by position.
//
// PyTorch's runtime does not use names. After its own outputs the forward returns values, then symbolic numbers. The
// backward gets the symbolic numbers, then the values, then the inputs from the step's caller. A forward and a backward
// with another order run without an error, but on other values than their names suggest.

class Positions {
 public:
  Positions(const Graph& forward, const Graph& backward, std::size_t num_forward_outputs,
            const std::vector<CrossingValue>& crossings, const std::vector<bool>& is_symbol)
      : forward_(forward), outputs_(output_leaves(forward)), inputs_(placeholder_names(backward)),
        begin_(num_forward_outputs), first_symbol_(find(is_symbol, true, begin_)),
        value_after_symbol_(find(is_symbol, false, first_symbol_)), by_name_(inputs_.size()) {
    for (const CrossingValue& crossing : crossings) by_name_[crossing.backward_input] = crossing.forward_output;
  }

  std::optional<Mismatch> symbol_before_value() const {
    if (value_after_symbol_ == outputs_.size()) return std::nullopt;
    return Mismatch{"forward: the order of its outputs for the backward", "values, then symbolic numbers",
                    fmt::format("{}, a symbolic number, before {}", show_output(first_symbol_),
                                show_output(value_after_symbol_))};
  }

  std::optional<Mismatch> out_of_place() const {
    std::vector<std::size_t> misplaced;
    for (std::size_t input = 0; input < outputs_.size() - begin_; ++input) {
      if (by_name_[input] != by_position(input)) misplaced.push_back(input);
    }
    if (misplaced.empty()) return std::nullopt;
    const std::size_t first = misplaced.front(), others = misplaced.size() - 1;
    return Mismatch{fmt::format("backward: input {}", first) + (others > 0 ? fmt::format(", and {} more", others) : ""),
                    show_output(by_position(first)) + ", by its position",
                    by_name_[first] ? show_output(*by_name_[first]) + ", by its name"
                                    : fmt::format("'{}', which the forward does not return", inputs_[first])};
  }

 private:
  static std::size_t find(const std::vector<bool>& is_symbol, bool expected, std::size_t begin) {
    const auto first = is_symbol.begin() + static_cast<std::ptrdiff_t>(begin);
    return static_cast<std::size_t>(std::find(first, is_symbol.end(), expected) - is_symbol.begin());
  }

  // The output that the runtime hands to an input.
  std::size_t by_position(std::size_t input) const {
    const std::size_t symbols = outputs_.size() - first_symbol_;
    return input < symbols ? first_symbol_ + input : begin_ + input - symbols;
  }

  std::string show_output(std::size_t position) const {
    return fmt::format("'{}', output {}", forward_[*outputs_[position].node].name, position);
  }

  const Graph& forward_;
  std::vector<OutputLeaf> outputs_;
  std::vector<std::string> inputs_;
  std::size_t begin_;  // of the outputs for the backward
  std::size_t first_symbol_, value_after_symbol_;
  std::vector<std::optional<std::size_t>> by_name_;  // by input: the output of that name
};

}  // namespace

std::string text_in(const ReportJson& row, const char* key, const std::string& fallback) {
  const auto found = row.find(key);
  return found != row.end() && found->is_string() ? found->get<std::string>() : fallback;
}

bool has_forms(const ReportJson* report) {
  if (!report) return false;
  return std::ranges::any_of(rows_of(*report, "saved_values"), [](const ReportJson& row) { return row.contains("compressed"); });
}

const ReportJson* scale_of(const ReportJson& row) {
  const auto compressed = row.find("compressed");
  if (compressed == row.end() || !compressed->is_object()) return nullptr;
  const auto scale = compressed->find("scale");
  return scale == compressed->end() ? nullptr : &*scale;
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
  const auto cross = [&](const ReportJson& row, const std::string& place, const std::string& name) {
    const auto output = position_in(row, "forward_output", joint.num_forward_outputs, outputs.size());
    const auto input = position_in(row, "backward_input", 0, inputs.size());
    if (!output || !used.insert(*output).second) {
      expect(place + "/forward_output", "an output of the forward that has no other row", shown(row, "forward_output"));
      return;
    }
    if (!input || !fed.insert(*input).second) {
      expect(place + "/backward_input", "an input of the backward that has no other row", shown(row, "backward_input"));
      return;
    }
    const auto& returned = outputs[*output].node;
    expect(place + "/forward_output", fmt::format("the position of '{}'", name),
           fmt::format("the position of '{}'", returned ? forward[*returned].name : "a constant"));
    const std::string expected_target = text_in(row, "backward_name", name);
    if (inputs[*input]->target != expected_target) {
      expect(place + "/backward_input", fmt::format("the position of '{}'", expected_target),
             fmt::format("the position of '{}'", inputs[*input]->name));
    }
    crossings.push_back({*output, *input, place});
  };
  for (const char* list : kSavedRows) {
    const ReportJson& rows = rows_of(report, list);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::string place = fmt::format("/{}/{}", list, r);
      cross(rows[r], place, crossing_name(rows[r]));
      if (const ReportJson* scale = scale_of(rows[r])) cross(*scale, place + std::string(kScaleRow), text_in(*scale, "name", ""));
    }
  }
  require_all(joint, crossings, inputs, forward, outputs, mismatches);
  return crossings;
}

void check_positions(const Graph& forward, const Graph& backward, std::size_t num_forward_outputs,
                     const std::vector<CrossingValue>& crossings, const std::vector<bool>& is_symbol,
                     std::vector<Mismatch>& mismatches) {
  if (crossings.empty()) return;
  const Positions positions(forward, backward, num_forward_outputs, crossings, is_symbol);
  auto found = positions.symbol_before_value();
  if (!found) found = positions.out_of_place();
  if (found) mismatches.push_back(std::move(*found));
}

}  // namespace fxcut
