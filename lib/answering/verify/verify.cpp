#include "verify/rounding.h"
#include "verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "classify/host_copies.h"
#include "classify/whole_writes.h"
#include "settings/settings.h"
#include "text/comma_list.h"
#include "verify/counted_memory.h"
#include "verify/described_value.h"
#include "verify/draws.h"
#include "verify/evaluator.h"
#include "verify/figures.h"
#include "verify/gradients_of_relus.h"
#include "verify/noticed.h"
#include "verify/overwritten.h"
#include "verify/step_sides.h"
#include "verify/terms.h"

namespace fxcut {
namespace {

std::string setting(const ReportJson* report, const char* name, const std::string& fallback) {
  if (!report || !report->contains("settings")) return fallback;
  return text_in((*report)["settings"], name, fallback);
}

// Whether the decision may have gradients of ReLUs use booleans of their own.
bool has_signs(const ReportJson* report) { return setting(report, "compress", "none") != "none"; }

TransparentOperators transparent(const ReportJson* report) {
  const Settings defaults;
  TransparentOperators seen;
  for (const std::string& name : split_at_commas(setting(report, "naming_operators", defaults.naming_operators))) {
    seen.naming.insert(name);
  }
  seen.barrier = setting(report, "recompute_barrier_operator", defaults.recompute_barrier_operator);
  return seen;
}

std::set<std::string> called_by_name(const Graph& forward, const Graph& backward) {
  std::set<std::string> names;
  for (const Graph* side : {&forward, &backward}) {
    for (const Node& node : side->nodes) {
      if (node.is_call() && !node.calls("operator.getitem")) names.insert(node.name);
    }
  }
  return names;
}

// Whether a pass may have added the call, under a name that is free on its side: a node of the other side may have it.
bool may_be_added(const Node& call, std::string_view barrier) {
  return call.calls("higher_order.run_and_save_rng_state") || call.calls("higher_order.run_with_rng_state") ||
         call.calls("higher_order.graphsafe_run_with_rng_state") || call.calls("higher_order.invoke_subgraph") ||
         call.calls(kWaitTensor) || call.calls(barrier) || is_host_copy(call);
}

class Verifier {
 public:
  // `joint` has the names of the report, if there is one.
  Verifier(const JointGraph& joint, const JointGraph& forward, const JointGraph& backward, const ReportJson* report)
      : joint_(joint), forward_(forward), backward_(backward), report_(report), report_of_forms_(report),
        has_forms_(has_forms(report)), context_(joint.graph, transparent(report)) {}

  // For a whole step, which is all in the forward: `rewritten` is the step with its decision, `report` the report on it or
  // null. The step may be offloaded already, and recomputed calls of its backward may use a value on its way to the host or back.
  void take_for_step(const Graph& rewritten, const ReportJson* report) {
    context_.own_copies_are_transparent = true;
    for (const Node& node : rewritten.nodes) {
      if (node.meta.is_after_loss()) context_.after_loss.insert(node.name);
    }
    report_of_forms_ = report;
    has_forms_ = has_forms(report);
  }

  Verification run() && {
    run_joint();
    run_sides();
    compare_outputs();
    if (result_.mismatches.empty()) compare_caller_memory();
    result_.rounded = rounded_values(context_, report_of_forms_, result_.mismatches);
    if (report_) {
      result_.figures = check_figures({joint_, forward_side_, backward_side_, crossings_, *report_}, result_.mismatches);
    }
    return std::move(result_);
  }

 private:
  void run_joint() {
    const CopiesInPlace copies = find_copies_in_place(joint_.graph);
    for (std::size_t i = 0; i < joint_.graph.size(); ++i) {
      if (copies.is_whole[i]) context_.whole_writes.insert(joint_.graph.nodes[i].name);
      if (copies.writes_same[i]) context_.same_copies.emplace(joint_.graph.nodes[i].name, CopiedInJoint());
      if (copies.restores[i]) context_.restored.by_copy.emplace(joint_.graph.nodes[i].name, name_of(copies.restores[i]->write));
    }
    find_overwritten(joint_.graph, forward_.graph, backward_.graph, copies, context_);
    for (const Graph* side : {&forward_.graph, &backward_.graph}) {
      for (const Node& node : side->nodes) {
        if (node.is_call() && copies_to_itself(node)) context_.idle_on_sides.insert(node.name);
      }
    }
    Evaluator evaluator(context_, joint_draws_, Run::Joint);
    std::vector<Held> inputs;
    for (const Node& node : joint_.graph.nodes) {
      if (!node.is_placeholder()) continue;
      inputs.push_back(input(evaluator, node));
      joint_inputs_.emplace(node.name, &node);
    }
    const std::vector<Held> values = evaluator.run(joint_.graph, joint_.subgraphs, inputs);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Node& node = joint_.graph.nodes[i];
      context_.joint_values.emplace(node.name, JointValue{&node, values[i].term});
    }
    for (const Held& held : returned(joint_.graph, values)) expected_outputs_.push_back(now(held));
    const std::vector<bool> is_noticed = noticed_terms(context_.terms, seen_by_caller(expected_outputs_), evaluator.effects());
    expected_effects_ = noticed_effects(evaluator.effects(), is_noticed);
    for (const CallerInput& input : caller_inputs_) expected_memory_.emplace(input.name, now(input.held));
    caller_inputs_.clear();
    context_.num_joint_terms = context_.terms.size();
  }

  std::optional<std::string_view> name_of(std::optional<NodeId> node) const {
    return node ? std::optional<std::string_view>(joint_.graph[*node].name) : std::nullopt;
  }

  void run_sides() {
    std::vector<Term> needed = expected_outputs_;
    for (const Effect& effect : expected_effects_) {
      if (effect.kind != EffectKind::Ordered) needed.push_back(effect.term);
    }
    MatchedDraws draws(context_.terms, joint_draws_, context_.terms.contained_in(needed),
                       called_by_name(forward_.graph, backward_.graph));
    Evaluator forward(context_, draws, Run::Forward);
    const std::vector<Held> forward_inputs_held = forward_inputs(forward);
    forward_outputs_ = run_side(forward, forward_, forward_inputs_held, forward_side_);
    crossings_ = report_ ? cross_by_report(joint_, forward_.graph, backward_.graph, *report_, result_.mismatches)
                         : cross_without_report();
    result_.crossing = crossings_.size();
    Evaluator backward(context_, draws, Run::Backward);
    const std::vector<Held> backward_inputs_held = backward_inputs(backward);
    backward_outputs_ = run_side(backward, backward_, backward_inputs_held, backward_side_);
    compare_side_effects(forward.effects(), backward.effects(), draws.extra());
  }

  void compare_side_effects(const std::vector<Effect>& forward, const std::vector<Effect>& backward,
                            const std::vector<ExtraDraw>& extra_draws) {
    std::vector<Term> outputs;
    const std::size_t border = std::min(joint_.num_forward_outputs, forward_outputs_.size());
    for (std::size_t i = 0; i < border; ++i) outputs.push_back(now(forward_outputs_[i]));
    for (const Held& held : backward_outputs_) outputs.push_back(now(held));
    std::vector<Effect> effects = forward;
    effects.insert(effects.end(), backward.begin(), backward.end());
    const std::vector<bool> is_noticed = noticed_terms(context_.terms, seen_by_caller(std::move(outputs)), effects);
    for (const Misnamed& one : misnamed_) {
      if (!one.only_if_noticed || is_noticed[index_of(*one.only_if_noticed)]) result_.mismatches.push_back(one.mismatch);
    }
    compare_effects(context_, expected_effects_, noticed_effects(forward, is_noticed), noticed_effects(backward, is_noticed),
                    result_.mismatches);
    for (const ExtraDraw& extra : extra_draws) {
      if (!is_noticed[index_of(extra.drawn)]) continue;
      add_mismatch("draw: " + extra.node, "the random numbers of the joint graph, each drawn once",
                   describe(context_, extra.call) + ", which draws new random numbers");
    }
  }

  std::vector<Held> forward_inputs(Evaluator& evaluator) {
    std::vector<std::string> expected, found;
    for (const auto kind : {is_primal, is_forward_seed}) {
      for (const NodeId id : find_nodes(joint_.graph, kind)) expected.push_back(joint_.graph[id].name);
    }
    std::vector<Held> inputs;
    for (const Node& node : forward_.graph.nodes) {
      if (!node.is_placeholder()) continue;
      const auto original = joint_inputs_.find(node.name);
      if (original == joint_inputs_.end() && is_generator_input(node)) {
        inputs.push_back({context_.terms.make("generator " + node.name)});
        inputs.back().is_generator = true;
        continue;
      }
      found.push_back(node.name);
      inputs.push_back(input(evaluator, original == joint_inputs_.end() ? node : *original->second));
    }
    expect_names("forward", expected, found);
    return inputs;
  }

  std::vector<Held> backward_inputs(Evaluator& evaluator) {
    std::unordered_map<std::size_t, const CrossingValue*> by_input;
    for (const CrossingValue& crossing : crossings_) by_input.emplace(crossing.backward_input, &crossing);
    std::vector<std::string> found;
    std::vector<Held> inputs;
    for (const Node& node : backward_.graph.nodes) {
      if (!node.is_placeholder()) continue;
      if (const auto crossing = by_input.find(inputs.size()); crossing != by_input.end()) {
        inputs.push_back(forward_outputs_[crossing->second->forward_output]);
        check_crossing(*crossing->second, inputs.back());
        continue;
      }
      const auto original = joint_inputs_.find(node.name);
      if (original != joint_inputs_.end()) {
        found.push_back(node.name);
        inputs.push_back(input(evaluator, *original->second));
      } else {
        const bool is_generator = is_generator_input(node);
        inputs.push_back({context_.terms.make((is_generator ? "generator " : "input without source ") + node.name)});
        inputs.back().is_generator = is_generator;
      }
    }
    expect_names("backward", caller_inputs_of_backward(joint_.graph), found);
    return inputs;
  }

  void compare_outputs() {
    const std::size_t border = joint_.num_forward_outputs;
    if (forward_.num_forward_outputs != border) {
      add_mismatch("forward: num_fwd_outputs", std::to_string(border), std::to_string(forward_.num_forward_outputs));
    }
    if (forward_outputs_.size() < border) {
      add_mismatch("forward: output", fmt::format("{} outputs or more", border), std::to_string(forward_outputs_.size()));
    }
    if (backward_outputs_.size() != expected_outputs_.size() - border) {
      add_mismatch("backward: output", fmt::format("{} gradients", expected_outputs_.size() - border),
                   std::to_string(backward_outputs_.size()));
    }
    const std::vector<OutputLeaf> leaves = output_leaves(joint_.graph);
    const auto name = [&](std::size_t i) {
      return leaves[i].node ? joint_.graph[*leaves[i].node].name : constant_text(*leaves[i].constant);
    };
    MismatchCauses differences(context_);
    for (std::size_t i = 0; i < expected_outputs_.size(); ++i) {
      const bool is_forward = i < border;
      const std::vector<Held>& found = is_forward ? forward_outputs_ : backward_outputs_;
      const std::size_t position = is_forward ? i : i - border;
      if (position >= found.size()) continue;
      ++(is_forward ? result_.outputs : result_.gradients);
      differences.add(is_forward ? "forward" : "backward",
                      fmt::format("{} {} ({})", is_forward ? "output" : "gradient", position, name(i)), expected_outputs_[i],
                      now(found[position]));
    }
    for (Mismatch& mismatch : differences.take()) result_.mismatches.push_back(std::move(mismatch));
  }

  // A write may have run, but not where the caller sees it: on a copy that has come back from the host.
  void compare_caller_memory() {
    for (const CallerInput& input : caller_inputs_) {
      const auto expected = expected_memory_.find(input.name);
      if (expected == expected_memory_.end() || expected->second == now(input.held)) continue;
      add_mismatch("memory of the caller: " + std::string(input.name), "all that the joint graph writes to it",
                   "some of it, or in another order");
    }
  }

  // Matches by names; if these match, positions have to match as well.
  std::vector<CrossingValue> cross_without_report() {
    const std::size_t mismatches = result_.mismatches.size();
    auto crossings = cross_by_names(joint_, forward_.graph, backward_.graph, result_.mismatches);
    if (result_.mismatches.size() > mismatches) return crossings;
    std::vector<bool> symbols;
    for (const OutputLeaf& leaf : output_leaves(forward_.graph)) {
      symbols.push_back(is_symbol(leaf, forward_outputs_[symbols.size()]));
    }
    check_positions(forward_.graph, backward_.graph, joint_.num_forward_outputs, crossings, symbols, result_.mismatches);
    return crossings;
  }

  // Whether the output is a symbolic number, according to the joint graph.
  bool is_symbol(const OutputLeaf& leaf, const Held& held) const {
    const Node* original = context_.joint_node(held.term);
    return original ? original->has_symbol() : leaf.node && forward_.graph[*leaf.node].has_symbol();
  }

  // The outputs of the side. Adds the calls to `reported` that differ from the joint graph's of the same name.
  std::vector<Held> run_side(Evaluator& evaluator, const JointGraph& side, const std::vector<Held>& inputs,
                             ReportedSide& reported) {
    const std::vector<Held> values = evaluator.run(side.graph, side.subgraphs, inputs);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Node& node = side.graph.nodes[i];
      check_description(&side == &forward_ ? "forward" : "backward", node, values[i]);
      if (!node.is_call()) continue;
      if (is_added_call(side.graph, node, values[i], reported)) reported.added_calls.insert(node.name);
      else if (const Node* of = repeated_by(node, values[i])) reported.repeated.emplace(node.name, of->name);
    }
    return returned(side.graph, values);
  }

  // Checks that both graphs describe the value alike, if both describe it.
  void check_description(std::string_view side, const Node& node, const Held& held) {
    const bool is_named = context_.joint_values.contains(node.name);
    const Node* original = is_named ? context_.joint_node(node.name, held.term) : repeated_by(node, held);
    if (!original || !original->value || !node.value) return;
    const std::string expected = described(*original->value), found = described(*node.value);
    if (expected != found) add_mismatch(fmt::format("{}: {}, its value", side, node.name), expected, found);
  }

  // The joint graph's call that this one, which has another name, runs once more, or null.
  const Node* repeated_by(const Node& call, const Held& held) const {
    return context_.joint_values.contains(call.name) ? nullptr : context_.joint_node(name_without_suffix(call.name), held.term);
  }

  // Whether the call was added, because it computes something else or, with the generators of a subgraph, has more arguments.
  // Items of calls that return a value with others, or with a state, are added too; those of other calls are the joint graph's.
  bool is_added_call(const Graph& side, const Node& call, const Held& held, const ReportedSide& reported) const {
    if (const auto source = node_argument(call, 0); source && call.calls("operator.getitem")) {
      const Node& added = side[*source];
      const bool brings_items = added.calls("higher_order.run_and_save_rng_state") || added.calls(context_.transparent.barrier);
      return brings_items && reported.added_calls.contains(added.name);
    }
    if (!may_be_added(call, context_.transparent.barrier) && !(has_forms_ && may_make_form(call))) return false;
    const Node* original = context_.joint_node(call.name, held.term);
    return !original || !original->is_call() || original->arguments->positional.size() != call.arguments->positional.size();
  }

  // Checks that the crossing value is the joint graph's of the name in the report; another one is wrong if it is observed.
  void check_crossing(const CrossingValue& crossing, const Held& held) {
    if (crossing.row.empty() || crossing.row.ends_with(kScaleRow)) return;
    const ReportJson& row = (*report_)[ReportJson::json_pointer(crossing.row)];
    const auto name = row.find("name");
    if (name == row.end() || !name->is_string() || crossing.row.starts_with("/saved_random_states")) return;
    const auto expected = context_.joint_values.find(name->get<std::string>());
    if (expected == context_.joint_values.end()) return;  // check_figures reports it
    const bool on_host = is_on_host(context_.terms, held.term), is_compressed = row.contains("compressed");
    const Term copied = on_host ? context_.terms.operands(held.term).front() : held.term;
    const auto compressed = is_compressed ? value_of_form(context_.terms, copied) : std::nullopt;
    const Term term = before_writes(context_.terms, compressed.value_or(copied));
    const std::string kept = row.contains("host_name") ? ", offloaded" : is_compressed ? ", in fewer bits" : "";
    const bool is_expected = context_.memory.unread_form(term) == context_.memory.unread_form(expected->second.term);
    const bool is_placed = row.contains("host_name") == on_host && is_compressed == compressed.has_value();
    if (is_placed && is_expected) return;
    const std::string named = describe(context_, expected->second.term) + kept, found = describe(context_, held.term);
    misnamed_.push_back({is_placed ? std::optional(term) : std::nullopt, {"report: " + crossing.row, named, found}});
  }

  void expect_names(const std::string& side, const std::vector<std::string>& expected, const std::vector<std::string>& found) {
    for (std::size_t i = 0; i < std::max(expected.size(), found.size()); ++i) {
      const std::string name = i < expected.size() ? expected[i] : "no further input";
      const std::string got = i < found.size() ? found[i] : "no further input";
      if (name == got) continue;
      add_mismatch(fmt::format("{}: input {} of the step's own", side, i), name, got);
      return;  // the following ones differ as a consequence
    }
  }

  Held input(Evaluator& evaluator, const Node& placeholder) {
    const Term term = context_.terms.make("input " + placeholder.name);
    caller_inputs_.push_back({placeholder.name, evaluator.input(term, placeholder.value.get())});
    return caller_inputs_.back().held;
  }
  // The outputs, and the final contents of the caller's memory.
  std::vector<Term> seen_by_caller(std::vector<Term> outputs) {
    for (const CallerInput& input : caller_inputs_) outputs.push_back(now(input.held));
    return outputs;
  }
  std::vector<Held> returned(const Graph& graph, const std::vector<Held>& values) {
    std::vector<Held> held;
    for (const OutputLeaf& leaf : output_leaves(graph)) {
      held.push_back(leaf.node ? values[index_of(*leaf.node)] : Held{context_.terms.make(constant_text(*leaf.constant))});
    }
    return held;
  }
  Term now(const Held& held) { return context_.memory.read(held.is_lone_item ? held.items->front() : held); }
  void add_mismatch(std::string where, std::string expected, std::string found) {
    result_.mismatches.push_back({std::move(where), std::move(expected), std::move(found)});
  }

  struct CallerInput {
    std::string_view name;
    Held held;
  };

  const JointGraph& joint_;
  const JointGraph& forward_;
  const JointGraph& backward_;
  const ReportJson* report_;
  const ReportJson* report_of_forms_;
  bool has_forms_;  // by that report
  EvaluationContext context_;
  std::vector<Term> expected_outputs_;  // by output of the joint graph
  std::vector<Effect> expected_effects_;
  std::unordered_map<std::string_view, Term> expected_memory_;  // by input: its final content
  std::vector<CallerInput> caller_inputs_;  // of the graph, or the sides, run so far
  std::unordered_map<std::string, const Node*> joint_inputs_;  // by name
  NumberedDraws joint_draws_{context_.terms};
  std::vector<Held> forward_outputs_, backward_outputs_;
  ReportedSide forward_side_{forward_.graph, {}}, backward_side_{backward_.graph, {}};
  std::vector<CrossingValue> crossings_;
  struct Misnamed { std::optional<Term> only_if_noticed; Mismatch mismatch; };
  std::vector<Misnamed> misnamed_;
  Verification result_;
};

}  // namespace

Verification verify_step(const JointGraph& as_read, const JointGraph& rewritten, const ReportJson* report) {
  const JointGraph step = has_signs(report) ? with_signs_of_relus(as_read) : as_read;
  const JointGraph before = as_forward(step), after = as_forward(rewritten);
  const JointGraph nothing = empty_backward(after);
  Verifier verifier(before, after, nothing, nullptr);
  verifier.take_for_step(rewritten.step->graph, report);
  Verification verified = std::move(verifier).run();
  if (report) verified.figures = check_step_figures(step, rewritten.step->graph, *report, verified.mismatches);
  return verified;
}

Verification verify(const JointGraph& joint, const JointGraph& forward, const JointGraph& backward, const ReportJson* report) {
  if (!report) return Verifier(joint, forward, backward, nullptr).run();
  JointGraph expanded = expand_regions(joint);
  if (has_signs(report)) expanded = with_signs_of_relus(std::move(expanded));
  return Verifier(expanded, forward, backward, report).run();
}

}  // namespace fxcut
