// The members of report.json (schemas/report.schema.json) for report_json and read_report: tables as json/object_members.h
// describes them, in the order of the file.
#pragma once

#include <array>
#include <string_view>

#include "cost/estimators.h"
#include "graph/checkpoint_policy.h"
#include "report/report.h"
#include "report/running_graphs.h"
#include "solve/budget_solvers.h"

namespace fxcut::members {

// All enumerators up to the last one, which is given.
template <auto last>
constexpr auto up_to() {
  std::array<decltype(last), static_cast<std::size_t>(last) + 1> all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<decltype(last)>(i);
  return all;
}

inline constexpr auto kName = [](const auto& one) { return name_of(one); };

inline constexpr auto kFingerprint = [](auto& form, auto& print) {
  form.value("nodes", print.nodes);
  form.value("calls", print.calls);
  form.value("names", print.names);
  form.value("values", print.values);
  form.value("marks", print.marks);
};

inline constexpr auto kProvenance = [](auto& form, auto& from) {
  const auto line = [&](std::string_view key, auto& file, auto& number, auto& function) {
    if (!form.has(key, !file.empty())) return;
    form.object(key, from, [&](auto& source, auto&) {
      source.value("file", file);
      source.value("line", number);
      source.value("function", function);
    });
  };
  form.if_any("module", from.module);
  line("source", from.source_file, from.source_line, from.source_function);
  line("user_source", from.user_file, from.user_line, from.user_function);
  form.if_any("checkpoint_name", from.checkpoint_name);
};

inline constexpr auto kWhy = [](auto& form, auto& why) {
  form.value("reason", why.reason);
  form.value("text", why.text);
  form.if_any("cost", why.cost);
  form.object_if_any("policy", why.policy, [](auto& policy, auto& decided) {
    policy.value("policy", decided.policy);
    policy.value("rule", decided.rule);
    policy.word("says", decided.checkpoint_policy, up_to<CheckpointPolicy::PreferCpuOffload>(), kName);
    policy.value("overrode", decided.overrode);
  });
};

inline constexpr auto kCompressedForm = [](auto& form, auto& compressed) {
  form.value("name", compressed.name);
  form.word("how", compressed.how, up_to<Compression::Bits>(), kName);
  form.value("dtype", compressed.dtype);
  form.value("bytes", compressed.size_bytes);
  form.if_any("by", compressed.by);
  if (!form.has("scale", !compressed.scale.empty())) return;
  form.object("scale", compressed, [](auto& scale, auto& row) {
    scale.value("name", row.scale);
    scale.value("bytes", row.scale_bytes);
    scale.value("forward_output", row.scale_forward_output);
    scale.value("backward_input", row.scale_backward_input);
  });
};

inline constexpr auto kSavedValue = [](auto& form, auto& saved) {
  form.value("name", saved.name);
  form.value("operator", saved.op);
  form.if_any("dtype", saved.dtype);
  if (!saved.dtype.empty()) form.shape("shape", saved.shape);
  form.value("bytes", saved.size_bytes);
  form.since_later("kept_bytes", saved.kept_bytes);
  form.value("static_lifetime", saved.static_lifetime);
  form.value("forward_output", saved.forward_output);
  form.value("backward_input", saved.backward_input);
  bool is_offloaded = !saved.host_name.empty();
  form.value("offloaded", is_offloaded);
  if (is_offloaded) form.value("host_name", saved.host_name);
  form.object_if_any("compressed", saved.compressed, kCompressedForm);
  kProvenance(form, saved.provenance);
  form.object("why", saved.why, kWhy);
};

inline constexpr auto kSavedState = [](auto& form, auto& state) {
  form.value("name", state.name);
  form.value("backward_name", state.backward_name);
  form.value("bytes", state.size_bytes);
  form.value("forward_output", state.forward_output);
  form.value("backward_input", state.backward_input);
};

inline constexpr auto kRecomputedValue = [](auto& form, auto& recomputed) {
  form.value("name", recomputed.name);
  form.value("operator", recomputed.op);
  form.value("flops", recomputed.flops);
  form.value("bytes", recomputed.size_bytes);
  kProvenance(form, recomputed.provenance);
  form.object("why", recomputed.why, kWhy);
};

inline constexpr auto kRecomputedAgain = [](auto& form, auto& again) {
  form.value("name", again.name);
  form.value("of", again.of);
  form.value("before", again.before);
  form.value("flops", again.flops);
  form.value("bytes", again.size_bytes);
};

inline constexpr auto kOffloadRefused = [](auto& form, auto& refused) {
  form.value("name", refused.name);
  form.object("why", refused.why, kWhy);
};

inline constexpr auto kNameUse = [](auto& form, auto& use) {
  form.value("name", use.name);
  form.value("node", use.node);
  form.word("decision", use.decision, up_to<NameUse::Decision::NotNeeded>(), kName);
  form.value("bytes", use.size_bytes);
  if (!form.has("saved_as", use.forward_output.has_value())) return;
  form.value("saved_as", use.saved_as);
  form.value("forward_output", use.forward_output);
  form.value("backward_input", use.backward_input);
  form.value("backward_placeholder", use.backward_placeholder);
};

inline constexpr auto kUnsoundValue = [](auto& form, auto& row) {
  form.value("name", row.name);
  form.word("fault", row.fault, up_to<Fault::OtherValue>(), kName);
  form.if_any("operand", row.operand);
  form.if_any("write", row.write);
  form.value("text", row.text);
};

inline constexpr auto kRepairedValue = [](auto& form, auto& row) {
  form.value("name", row.name);
  form.word("saves", row.kind, up_to<RepairKind::Effect>(), kName);
  form.value("bytes", row.size_bytes);
};

inline constexpr auto kNodeOfSide = [](auto& form, auto& place) {
  form.word("graph", place.graph,
            std::array{name_of(StepPhase::Forward), name_of(StepPhase::Backward), name_of(StepPhase::Optimizer)},
            [](std::string_view phase) { return phase; });
  form.value("node", place.node);
};

inline constexpr auto kPlace = [](auto& form, auto& place) {
  kNodeOfSide(form, place);
  form.value("operator", place.op);
  kProvenance(form, place.provenance);
};

inline constexpr auto kHeld = [](auto& row, auto& held) {
  row.value("bytes", held.size_bytes);
  row.object("made_at", held.made_at, kPlace);
  row.object_if_any("last_used_at", held.last_used_at, kNodeOfSide);
  if (row.has("kind", true)) row.word("kind", held.kind, up_to<MemoryKind::Temporary>(), kName);  // since later
};

inline constexpr auto kMemory = [](auto& form, auto& memory) {
  form.value("peak_bytes", memory.peak_bytes);
  form.object("peak_at", memory.peak_at, kPlace);
  form.value("forward_peak_bytes", memory.forward_peak_bytes);
  form.value("between_bytes", memory.between_bytes);
  form.value("backward_peak_bytes", memory.backward_peak_bytes);
  form.value("static_bytes", memory.static_bytes);
  form.value("input_bytes", memory.input_bytes);
  form.list("at_peak", memory.at_peak, kHeld);
  form.object_if_any("optimizer", memory.optimizer, [](auto& row, auto& states) {
    row.value("name", states.name);
    row.value("dtype", states.dtype);
    row.value("bytes", states.size_bytes);
  });
  form.object_if_any("compiled", memory.compiled, [](auto& compiled, auto& predicted) {
    compiled.value("peak_bytes", predicted.peak_bytes);
    compiled.object("peak_at", predicted.peak_at, kPlace);
    compiled.value("forward_peak_bytes", predicted.forward_peak_bytes);
    compiled.value("between_bytes", predicted.between_bytes);
    compiled.value("backward_peak_bytes", predicted.backward_peak_bytes);
    compiled.object_if_any("with_workspaces", predicted.with_workspaces, [](auto& with, auto& workspaces) {
      with.value("peak_bytes", workspaces.peak_bytes);
      with.object("peak_at", workspaces.peak_at, kPlace);
      with.value("workspace_bytes", workspaces.workspace_bytes);
    });
    if (compiled.has("at_peak", !predicted.at_peak.empty())) compiled.list("at_peak", predicted.at_peak, kHeld);  // since later
  });
};

inline constexpr auto kStep = [](auto& form, auto& step) {
  form.value("backward_regions", step.backward_regions);
  form.value("backward_operators", step.backward_operators);
  form.value("recomputed_again", step.recomputed_again);
  form.object_if_any("optimizer", step.optimizer, [](auto& optimizer, auto& facts) {
    optimizer.value("operators", facts.operators);
    optimizer.value("state_bytes", facts.state_bytes);
    optimizer.value("peak_bytes", facts.peak_bytes);
  });
};

// All except recomputed_by_operator.
inline constexpr auto kSums = [](auto& form, auto& totals) {
  form.value("saved_bytes", totals.saved_bytes);
  form.value("saved_bytes_static", totals.saved_bytes_static);
  form.value("saved_bytes_not_static", totals.saved_bytes_not_static);
  form.value("offloaded_bytes", totals.offloaded_bytes);
  form.value("saved_values", totals.saved_values);
  form.value("offloaded_values", totals.offloaded_values);
  form.value("saved_opaques", totals.saved_opaques);
  form.value("saved_symbols", totals.saved_symbols);
  form.value("saved_random_states", totals.saved_random_states);
  form.value("recomputed_operators", totals.recomputed_operators);
  form.value("recomputed_flops", totals.recomputed_flops);
  form.value("forward_operators", totals.forward_operators);
  form.value("backward_operators", totals.backward_operators);
};

inline constexpr auto kTotals = [](auto& form, auto& totals) {
  kSums(form, totals);
  form.value("recomputed_by_operator", totals.recomputed_by_operator);
  form.object_if_any("compressed", totals.compressed, [](auto& compressed, auto& sums) {
    compressed.value("values", sums.values);
    compressed.value("bytes_before", sums.bytes_before);
    compressed.value("bytes", sums.bytes);
    compressed.value("held_bytes", sums.held_bytes);
  });
};

inline constexpr auto kRunTime = [](auto& form, auto& time) {
  form.value("device", time.device);
  form.word("device_from", time.device_from, up_to<DeviceFrom::Graph>(), kName);
  form.value("recomputed_ms", time.recomputed_ms);
  form.value("step_ms", time.step_ms);
  form.if_any("launch_ms", time.launch_ms);
};

inline constexpr auto kCut = [](auto& form, auto& cut) {
  form.value("value", cut.value);
  form.value("vertices", cut.vertices);
  form.value("edges", cut.edges);
  form.object("bans", cut.options, [](auto& bans, auto& options) {
    bans.value("used_far_apart", options.used_far_apart);
    bans.value("long_fusible_chains", options.long_fusible_chains);
    bans.value("materialized_in_backward", options.materialized_in_backward);
    bans.value("not_in_allowlist", options.not_in_allowlist);
    bans.value("reduction", options.reduction);
  });
};

inline constexpr auto kPeakLimit = [](auto& form, auto& facts) {
  form.value("limit_bytes", facts.limit_bytes);
  form.value("tried", facts.tried);
  form.if_any("bound", facts.bound);
  form.if_any("floor_bytes", facts.floor_bytes);
};

inline constexpr auto kRemark = [](auto& form, auto& remark) {
  form.word("kind", remark.kind, up_to<RemarkKind::LargestOfLoss>(), kName);
  form.value("bytes", remark.bytes);
  form.value("values", remark.values);
  form.value("text", remark.text);
};

inline constexpr auto kVaryingSizes = [](auto& form, auto& sizes) {
  form.word("least_for", sizes.least_for, up_to<LeastFor::Worst>(), kName);
  form.value("decided_at", sizes.decided_at);
  form.if_any("binding", sizes.binding);
  form.list("points", sizes.points, [](auto& row, auto& point) {
    row.value("hints", point.hints);
    row.value("saved_bytes", point.saved_bytes);
    row.value("peak_bytes", point.peak_bytes);
    row.value("step_ms", point.step_ms);
    row.value("recomputed_ms", point.recomputed_ms);
    row.if_any("limit_bytes", point.limit_bytes);
  });
  form.object_if_any("quality", sizes.quality, [](auto& row, auto& quality) {
    row.value("recompute_cost", quality.run_cost);
    row.value("bound", quality.bound);
    row.derived("gap", gap(quality.run_cost, quality.bound));
    row.derived("proven", quality.run_cost == quality.bound);
  });
};

inline constexpr auto kReport = [](auto& form, auto& report) {
  const Settings& settings = report.settings;
  form.value("graph", report.graph);
  form.value("producer", report.producer);
  form.if_any("compiler", report.compiler);
  form.object_if_any("fingerprint", report.fingerprint, kFingerprint);
  if (form.has("hints", !report.hints.empty())) form.value("hints", report.hints);
  form.release(report.torch);
  form.settings(report.settings);
  form.policies(report.policies);
  form.word("decided_by", report.decided_by, up_to<Partitioner::Default>(), kName);
  form.value("memory_budget", report.memory_budget);
  form.value("num_fwd_outputs", report.num_forward_outputs);
  form.object("totals", report.totals, kTotals);
  form.object_if_any("run_time", report.run_time, kRunTime);
  form.object("memory", report.memory, kMemory);
  form.object_if_any("step", report.step, kStep);
  form.list("saved_values", report.saved_values, kSavedValue);
  form.list("saved_opaques", report.saved_opaques, kSavedValue);
  form.list("saved_symbols", report.saved_symbols, kSavedValue);
  form.list("saved_random_states", report.saved_random_states, kSavedState);
  form.list("recomputed_values", report.recomputed_values, kRecomputedValue);
  form.list_if_any("recomputed_again", report.recomputed_again, kRecomputedAgain);
  form.list("offload_refusals", report.offload_refusals, kOffloadRefused);
  form.list("names", report.names, kNameUse);
  form.value("warnings", report.warnings);
  form.list_if_any("unsound", report.unsound, kUnsoundValue);
  form.list_if_any("repairs", report.repairs, kRepairedValue);
  form.list_if_any("remarks", report.remarks, kRemark);
  form.list("cuts", report.cuts, kCut);
  form.object_if_any("knapsack", report.knapsack, [&](auto& knapsack, auto& solved) {
    knapsack.derived("solver", budget_solver_of(settings).name);
    knapsack.derived("runtime_estimator", estimator_of_budget(settings).name);
    knapsack.value("candidates", solved.candidates);
    knapsack.value("saved", solved.saved);
  });
  form.object_if_any("peak_limit", report.peak_limit, kPeakLimit);
  form.object_if_any("varying_sizes", report.varying_sizes, kVaryingSizes);
  form.object_if_any("frontier", report.frontier, [&](auto& frontier, auto& facts) {
    frontier.derived("runtime_estimator", estimator_of_frontier(settings).name);
    frontier.value("limit_bytes", facts.limit_bytes);
    frontier.value("saved_bytes", facts.saved_bytes);
    frontier.value("recompute_cost", facts.run_cost);
    frontier.if_any("saving_cost", facts.keep_cost);
    frontier.value("bound", facts.bound);
    frontier.derived("gap", gap(facts.run_cost, facts.bound));
    frontier.value("proven", facts.is_proven);
    frontier.object_if_any("host", facts.host, [](auto& host, auto& copies) {
      host.value("bytes", copies.bytes);
      host.value("waiting", copies.waiting);
    });
    frontier.value("price_per_byte", facts.price_per_byte);
    frontier.value("cuts", facts.cuts);
    frontier.value("parts", facts.parts);
    frontier.since_later("steps", facts.steps);
    // Written since searches are bounded by counted work, like "steps".
    if (frontier.has("ended_by", true)) {
      frontier.word("ended_by", facts.ended_by, up_to<EndedBy::Interrupt>(), kName);
    }
  });
};

}  // namespace fxcut::members
