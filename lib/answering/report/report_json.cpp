#include "report/report_json.h"

#include <nlohmann/json.hpp>

#include "cost/device_profile.h"
#include "json/json_forms.h"
#include "json/json_number.h"
#include "json/json_text.h"
#include "policy/setting_rows.h"
#include "report/policies_json.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

Json settings_json(const Settings& settings) {
  Json json = Json::object();
  for (const SettingRow& row : setting_rows()) {
    std::visit([&](const auto& value) { json[std::string(row.name)] = value; }, row.get(settings));
  }
  return json;
}

Json device_json(const DeviceProfile& device) {
  return {{"version", 1},
          {"name", device.name},
          {"source", device.source},
          {"peak_tflops",
           {{"float64", device.tflops_float64},
            {"float32", device.tflops_float32},
            {"float16", device.tflops_float16},
            {"float8", device.tflops_float8}}},
          {"memory_gb_per_second", device.memory_gb_per_second}};
}

Json fingerprint_json(const GraphFingerprint& fingerprint) {
  return {{"nodes", fingerprint.nodes},
          {"calls", fingerprint.calls},
          {"names", fingerprint.names},
          {"values", fingerprint.values},
          {"marks", fingerprint.marks}};
}

Json policy_json(const PolicyReason& reason) {
  return {{"policy", reason.policy},
          {"rule", reason.rule},
          {"says", name_of(reason.says)},
          {"overrode", reason.overrode}};
}

void write_why(const Why& why, JsonText& json) {
  json.object("why", [&] {
    json.member("reason", why.reason);
    json.member("text", why.text);
    if (why.cost) json.member("cost", json_number(*why.cost));
    if (why.policy) json.member("policy", policy_json(*why.policy));
  });
}

void write_saved(const SavedValue& saved, JsonText& json) {
  json.member("name", saved.name);
  json.member("operator", saved.op);
  if (!saved.dtype.empty()) {
    json.member("dtype", saved.dtype);
    json.list("shape", saved.shape, size_json);
  }
  json.member("bytes", saved.size_bytes);
  json.member("kept_bytes", saved.kept_bytes);
  json.member("static_lifetime", saved.static_lifetime);
  json.member("forward_output", saved.forward_output);
  json.member("backward_input", saved.backward_input);
  json.member("offloaded", !saved.host_name.empty());
  if (!saved.host_name.empty()) json.member("host_name", saved.host_name);
  write_provenance(saved.provenance, json);
  write_why(saved.why, json);
}

void write_recomputed(const RecomputedValue& recomputed, JsonText& json) {
  json.member("name", recomputed.name);
  json.member("operator", recomputed.op);
  json.member("flops", json_number(recomputed.flops));
  json.member("bytes", recomputed.size_bytes);
  write_provenance(recomputed.provenance, json);
  write_why(recomputed.why, json);
}

void write_refused(const OffloadRefused& refused, JsonText& json) {
  json.member("name", refused.name);
  write_why(refused.why, json);
}

Json state_json(const SavedState& state) {
  return {{"name", state.name},
          {"backward_name", state.backward_name},
          {"bytes", state.size_bytes},
          {"forward_output", state.forward_output},
          {"backward_input", state.backward_input}};
}

Json unsound_json(const UnsoundValue& row) {
  Json json = {{"name", row.name}, {"fault", name_of(row.fault)}};
  if (!row.operand.empty()) json["operand"] = row.operand;
  if (!row.write.empty()) json["write"] = row.write;
  json["text"] = row.text;
  return json;
}

Json repair_json(const RepairedValue& row) {
  return {{"name", row.name}, {"saves", row.is_state ? "random_state" : "value"}, {"bytes", row.size_bytes}};
}

Json name_json(const NameUse& use) {
  Json json = {
      {"name", use.name}, {"node", use.node}, {"decision", decision_word(use.decision)}, {"bytes", use.size_bytes}};
  if (!use.forward_output) return json;
  json["saved_as"] = use.saved_as;
  json["forward_output"] = *use.forward_output;
  json["backward_input"] = *use.backward_input;
  json["backward_placeholder"] = use.backward_placeholder;
  return json;
}

void write_place(std::string_view key, const GraphPlace& place, JsonText& json) {
  json.object(key, [&] {
    json.member("graph", place.graph);
    json.member("node", place.node);
    json.member("operator", place.op);
    write_provenance(place.provenance, json);
  });
}

void write_held(const MemoryHeld& held, JsonText& json) {
  json.member("bytes", held.size_bytes);
  write_place("made_at", held.made_at, json);
  if (const auto& last = held.last_used_at) {
    json.object("last_used_at", [&] {
      json.member("graph", last->graph);
      json.member("node", last->node);
    });
  }
}

void write_memory(const MemoryReport& memory, JsonText& json) {
  json.object("memory", [&] {
    json.member("peak_bytes", json_number(memory.peak_bytes));
    write_place("peak_at", memory.peak_at, json);
    json.member("forward_peak_bytes", json_number(memory.forward_peak_bytes));
    json.member("between_bytes", json_number(memory.between_bytes));
    json.member("backward_peak_bytes", json_number(memory.backward_peak_bytes));
    json.member("static_bytes", memory.static_bytes);
    json.member("input_bytes", memory.input_bytes);
    json.objects("at_peak", memory.at_peak, write_held);
  });
}

Json cut_json(const SolvedCut& cut) {
  Json json = {{"value", json_number(cut.value)}, {"vertices", cut.vertices}, {"edges", cut.edges}};
  json["bans"] = {{"used_far_apart", cut.options.used_far_apart},
                  {"long_fusible_chains", cut.options.long_fusible_chains},
                  {"materialized_in_backward", cut.options.materialized_in_backward},
                  {"not_in_allowlist", cut.options.not_in_allowlist},
                  {"reduction", cut.options.reduction}};
  return json;
}

Json knapsack_json(const SolvedKnapsack& knapsack, const Settings& settings) {
  return {{"solver", settings.activation_memory_budget_solver},
          {"runtime_estimator", settings.activation_memory_budget_runtime_estimator},
          {"candidates", knapsack.candidates},
          {"saved", knapsack.saved}};
}

Json frontier_json(const FrontierFacts& facts, const Settings& settings) {
  return {{"runtime_estimator", settings.activation_memory_budget_runtime_estimator},
          {"limit_bytes", facts.limit_bytes},
          {"saved_bytes", facts.saved_bytes},
          {"recompute_cost", json_number(facts.run_cost)},
          {"bound", json_number(facts.bound)},
          {"gap", gap(facts.run_cost, facts.bound)},
          {"proven", facts.is_proven},
          {"price_per_byte", facts.price_per_byte},
          {"cuts", facts.cuts},
          {"parts", facts.parts},
          {"steps", facts.steps},
          {"ended_by", word_for(facts.ended_by)}};
}

Json peak_limit_json(const PeakLimitFacts& facts) {
  Json json = {{"limit_bytes", json_number(facts.limit_bytes)}, {"tried", facts.tried}};
  if (facts.bound) json["bound"] = json_number(*facts.bound);
  return json;
}

}  // namespace

nlohmann::ordered_json totals_json(const Totals& totals) {
  Json json = {{"saved_bytes", totals.saved_bytes},
               {"saved_bytes_static", totals.saved_bytes_static},
               {"saved_bytes_not_static", totals.saved_bytes_not_static},
               {"offloaded_bytes", totals.offloaded_bytes},
               {"saved_values", totals.saved_values},
               {"offloaded_values", totals.offloaded_values},
               {"saved_opaques", totals.saved_opaques},
               {"saved_symbols", totals.saved_symbols},
               {"saved_random_states", totals.saved_random_states},
               {"recomputed_operators", totals.recomputed_operators},
               {"recomputed_flops", json_number(totals.recomputed_flops)},
               {"forward_operators", totals.forward_operators},
               {"backward_operators", totals.backward_operators}};
  json["recomputed_by_operator"] = totals.recomputed_by_operator;
  return json;
}

void write_report_json(const Report& report, const TextSink& sink) {
  JsonText json(sink);
  json.member("format", "fxcut-report");
  json.member("version", kReportVersion);
  json.member("graph", report.graph);
  json.member("producer", report.producer);
  if (report.fingerprint) json.member("fingerprint", fingerprint_json(*report.fingerprint));
  json.member("torch_version", report.torch.release.version());
  json.member("torch_version_from", name_of(report.torch.source));
  json.member("settings", settings_json(report.settings));
  if (report.settings.own_device) json.member("device_profile", device_json(*report.settings.own_device));
  if (!report.policies.empty()) json.member("policies", policies_json(report.policies));
  json.member("decided_by", report.decided_by == Partitioner::Default ? "default" : "min_cut");
  json.member("memory_budget", report.memory_budget);
  json.member("num_fwd_outputs", report.num_forward_outputs);
  json.member("totals", totals_json(report.totals));
  write_memory(report.memory, json);
  json.objects("saved_values", report.saved_values, write_saved);
  json.objects("saved_opaques", report.saved_opaques, write_saved);
  json.objects("saved_symbols", report.saved_symbols, write_saved);
  json.list("saved_random_states", report.saved_random_states, state_json);
  json.objects("recomputed_values", report.recomputed_values, write_recomputed);
  json.objects("offload_refusals", report.offload_refusals, write_refused);
  json.list("names", report.names, name_json);
  json.member("warnings", report.warnings);
  if (!report.unsound.empty()) json.list("unsound", report.unsound, unsound_json);
  if (!report.repairs.empty()) json.list("repairs", report.repairs, repair_json);
  json.list("cuts", report.cuts, cut_json);
  if (report.knapsack) json.member("knapsack", knapsack_json(*report.knapsack, report.settings));
  if (report.peak_limit) json.member("peak_limit", peak_limit_json(*report.peak_limit));
  if (report.frontier) json.member("frontier", frontier_json(*report.frontier, report.settings));
  json.finish();
}

std::string report_json(const Report& report) {
  std::string text;
  write_report_json(report, [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace fxcut
