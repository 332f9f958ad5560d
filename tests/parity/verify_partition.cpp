#include "verify_partition.h"

#include <map>
#include <set>
#include <unordered_map>

#include "verify_graph.h"
#include "verify_offload.h"

namespace fxcut {
namespace {

constexpr const char* kSavedRows[] = {"saved_values", "saved_opaques", "saved_random_states", "saved_symbols"};

constexpr const char* kControlDeps = "higher_order.control_deps";

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

class Verification {
 public:
  Verification(const Json& joint, const WrittenPartition& written) : joint_graph_(joint), written_(written) {
    for (const Json& node : joint.at("nodes")) joint_.emplace(text_of(node, "name"), &node);
    joint_outputs_ = leaves_of_output(joint).size();
    forward_outputs_ = joint.at("num_fwd_outputs").get<std::size_t>();
  }

  std::vector<std::string> run() &&;

 private:
  using Calls = std::set<std::string>;

  void check_saved_rows();
  void check_forward_inputs();
  void check_outputs();
  Calls check_calls(const std::string& side, const Json& graph);
  void check_recomputed(const Calls& forward, const Calls& backward);
  void check_sums();

  const Json* in_joint(const std::string& name) const {
    const auto found = joint_.find(name);
    return found == joint_.end() ? nullptr : found->second;
  }
  // What is taken out of a random operator's wrapper may have the name of another node; its value tells them apart. A
  // side's part of a control_deps has a part of its value.
  const Json* origin(const Json& call) const {
    const Json* namesake = in_joint(text_of(call, "name"));
    if (!namesake || call.value("val", Json()) == namesake->value("val", Json())) return namesake;
    const bool is_part = call.at("target") == kControlDeps && namesake->at("target") == kControlDeps;
    return is_part ? namesake : nullptr;
  }
  template <typename A, typename B>
  void expect_equal(const std::string& what, const A& found, const B& wanted) {
    if (Json(found) != Json(wanted)) complain(what + " is " + Json(found).dump() + ", expected " + Json(wanted).dump());
  }
  void complain(std::string problem) { problems_.push_back(std::move(problem)); }
  void append(const std::vector<std::string>& found) { problems_.insert(problems_.end(), found.begin(), found.end()); }

  const Json& joint_graph_;
  const WrittenPartition& written_;
  std::unordered_map<std::string, const Json*> joint_;  // its nodes by name
  std::size_t joint_outputs_ = 0, forward_outputs_ = 0;
  std::size_t num_saved_ = 0;
  std::vector<std::string> problems_;
};

std::vector<std::string> Verification::run() && {
  append(verify_graph("forward", written_.forward));
  append(verify_graph("backward", written_.backward));
  check_saved_rows();
  check_forward_inputs();
  check_outputs();
  const Calls forward = check_calls("forward", written_.forward);
  const Calls backward = check_calls("backward", written_.backward);
  check_recomputed(forward, backward);
  check_sums();
  append(verify_offload(joint_graph_, written_));
  return std::move(problems_);
}

std::vector<const Json*> placeholders(const Json& graph) {
  std::vector<const Json*> found;
  for (const Json& node : graph.at("nodes")) {
    if (is_op(node, "placeholder")) found.push_back(&node);
  }
  return found;
}

// What the backward takes though the forward does not hand it over.
bool comes_from_outside(const Json& placeholder) {
  const std::string target = text_of(placeholder, "target");
  for (const std::string_view part : {"tangents", "bwd_seed", "bwd_base_offset", "bwd_rng_state"}) {
    if (contains(target, part)) return true;
  }
  return placeholder.contains("val") && placeholder["val"].at("kind") == "backward_state";
}

void Verification::check_saved_rows() {
  const std::vector<Json> outputs = leaves_of_output(written_.forward);
  const std::vector<const Json*> inputs = placeholders(written_.backward);
  std::set<std::size_t> taken_outputs, taken_inputs;
  for (const char* rows : kSavedRows) {
    for (const Json& row : written_.report.at(rows)) {
      const std::string name = row.value("host_name", text_of(row, "name"));  // of what crosses
      const auto output = row.at("forward_output").get<std::size_t>();
      const auto input = row.at("backward_input").get<std::size_t>();
      ++num_saved_;
      if (output >= outputs.size() || outputs[output] != Json{{"node", name}}) {
        complain(name + " is not the forward's output " + std::to_string(output));
      }
      if (input >= inputs.size() || text_of(*inputs[input], "name") != row.value("backward_name", name)) {
        complain(name + " is not the backward's input " + std::to_string(input));
      }
      if (output < forward_outputs_) complain(name + " takes the place of an output of the step");
      if (!taken_outputs.insert(output).second) complain(name + " shares its place among the forward's outputs");
      if (!taken_inputs.insert(input).second) complain(name + " shares its place among the backward's inputs");
    }
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (taken_inputs.contains(i) || comes_from_outside(*inputs[i])) continue;
    complain("nobody hands the backward its input " + text_of(*inputs[i], "name"));
  }
}

void Verification::check_forward_inputs() {
  for (const Json* input : placeholders(written_.forward)) {
    const std::string name = text_of(*input, "name");
    if (contains(text_of(*input, "target"), "fwd_rng_state")) continue;
    const Json* original = in_joint(name);
    if (!original || !is_op(*original, "placeholder") || contains(text_of(*original, "target"), "tangents")) {
      complain("the forward takes " + name + ", which is no primal");
    }
  }
}

void Verification::check_outputs() {
  expect_equal("the report's num_fwd_outputs", written_.report.at("num_fwd_outputs"), forward_outputs_);
  expect_equal("the number of the forward's outputs", leaves_of_output(written_.forward).size(),
               forward_outputs_ + num_saved_);
  expect_equal("the number of the backward's outputs", leaves_of_output(written_.backward).size(),
               joint_outputs_ - forward_outputs_);
}

// Returns the names of the calls that are the joint graph's.
Verification::Calls Verification::check_calls(const std::string& side, const Json& graph) {
  Calls calls;
  std::size_t count = 0;
  for (const Json& node : graph.at("nodes")) {
    if (!is_op(node, "call_function")) continue;
    ++count;
    const Json* original = origin(node);
    if (!original) continue;
    calls.insert(text_of(node, "name"));
    expect_equal(side + ": the target of " + text_of(node, "name"), node.at("target"), original->at("target"));
  }
  expect_equal("totals." + side + "_operators", written_.report.at("totals").at(side + "_operators"), count);
  return calls;
}

void Verification::check_recomputed(const Calls& forward, const Calls& backward) {
  Calls reported;
  for (const Json& row : written_.report.at("recomputed_values")) {
    const std::string name = text_of(row, "name");
    reported.insert(name);
    if (!forward.contains(name) || !backward.contains(name)) complain(name + " is reported as recomputed and is not");
  }
  for (const std::string& name : forward) {
    if (!backward.contains(name) || reported.contains(name)) continue;
    complain(name + " is recomputed, and the report is silent");
  }
}

void Verification::check_sums() {
  const Json& report = written_.report;
  std::int64_t bytes = 0, bytes_static = 0;
  for (const Json& row : report.at("saved_values")) {
    bytes += row.at("bytes").get<std::int64_t>();
    if (row.at("static_lifetime")) bytes_static += row.at("bytes").get<std::int64_t>();
  }
  std::map<std::string, std::size_t> by_operator;
  for (const Json& row : report.at("recomputed_values")) ++by_operator[text_of(row, "operator")];
  const Json& totals = report.at("totals");
  expect_equal("totals.saved_bytes", totals.at("saved_bytes"), bytes);
  expect_equal("totals.saved_bytes_static", totals.at("saved_bytes_static"), bytes_static);
  expect_equal("totals.saved_values", totals.at("saved_values"), report.at("saved_values").size());
  expect_equal("totals.saved_symbols", totals.at("saved_symbols"), report.at("saved_symbols").size());
  expect_equal("totals.recomputed_operators", totals.at("recomputed_operators"), report.at("recomputed_values").size());
  expect_equal("totals.recomputed_by_operator", totals.at("recomputed_by_operator"), by_operator);
}

}  // namespace

std::vector<std::string> verify_partition(const Json& joint, const WrittenPartition& written) {
  return Verification(joint, written).run();
}

}  // namespace fxcut
