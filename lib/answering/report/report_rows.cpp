#include "report/report_rows.h"

#include <fmt/format.h>

#include <array>

#include "graph/checkpoint_policy.h"
#include "json/members.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

Size read_size(const JsonValue& json, Mistakes& mistakes) {
  if (!json.is(Type::Object)) return {read_integer(json, "", mistakes).value_or(0), nullptr};
  const Members size(json, mistakes);
  Expression expression{size.text("expr"), {}};
  if (const auto symbols = size.array("symbols")) {
    for (const JsonValue symbol : *symbols) {
      expression.symbols.emplace_back(read_string(symbol, "", mistakes).value_or(""));
    }
  }
  return {size.count("hint"), std::make_shared<const Expression>(std::move(expression))};
}

std::vector<Size> read_shape(const JsonValue& json, Mistakes& mistakes) {
  std::vector<Size> shape;
  for (const JsonValue size : json) shape.push_back(read_size(size, mistakes));
  return shape;
}

CheckpointPolicy read_says(const Members& policy) {
  const std::string says = policy.text("says");
  std::vector<std::string_view> known;
  for (const auto& [name, value] : kCheckpointPolicies) {
    if (name == says) return value;
    known.push_back(name);
  }
  if (!says.empty()) {
    policy.add_mistake("says", fmt::format("unknown checkpoint policy '{}'", says), did_you_mean_or_known(says, known));
  }
  return CheckpointPolicy::PreferSave;
}

PolicyReason read_policy_reason(const JsonValue& json, Mistakes& mistakes) {
  const Members policy(json, mistakes);
  PolicyReason reason{policy.text("policy"), policy.text("rule"), read_says(policy), {}};
  if (const auto overrode = policy.array("overrode")) {
    for (const JsonValue other : *overrode) {
      reason.overrode.emplace_back(read_string(other, "", mistakes).value_or(""));
    }
  }
  return reason;
}

Why read_why(const Members& row, Mistakes& mistakes) {
  Why why;
  const auto json = row.object("why");
  if (!json) return why;
  const Members members(*json, mistakes);
  why.reason = members.text("reason");
  why.text = members.text("text");
  if (members.find("cost")) why.cost = members.figure("cost");
  if (const auto policy = members.find("policy")) why.policy = read_policy_reason(*policy, mistakes);
  return why;
}

Provenance read_provenance(const Members& row, Mistakes& mistakes) {
  Provenance provenance;
  provenance.module = row.text_if_any("module");
  provenance.checkpoint_name = row.text_if_any("checkpoint_name");
  const auto read_line = [&](std::string_view key, std::string& file, std::int64_t& line, std::string& function) {
    const auto json = row.find(key);
    if (!json) return;
    const Members source(*json, mistakes);
    file = source.text("file");
    line = source.count("line");
    function = source.text("function");
  };
  read_line("source", provenance.source_file, provenance.source_line, provenance.source_function);
  read_line("user_source", provenance.user_file, provenance.user_line, provenance.user_function);
  return provenance;
}

std::string_view read_side(const Members& place) {
  const std::string graph = place.text("graph");
  for (const Side side : {Side::Forward, Side::Backward}) {
    if (graph == side_word(side)) return side_word(side);
  }
  if (!graph.empty()) place.add_mistake("graph", fmt::format("expected forward or backward, found '{}'", graph));
  return side_word(Side::Forward);
}

GraphPlace read_place(const JsonValue& json, Mistakes& mistakes) {
  const Members place(json, mistakes);
  return {read_side(place), place.text("node"), place.text("operator"), read_provenance(place, mistakes)};
}

MemoryHeld read_held(const JsonValue& json, Mistakes& mistakes) {
  const Members row(json, mistakes);
  MemoryHeld held;
  held.size_bytes = row.count("bytes");
  if (const auto made_at = row.object("made_at")) held.made_at = read_place(*made_at, mistakes);
  if (const auto last = row.find("last_used_at")) {
    const Members place(*last, mistakes);
    held.last_used_at = GraphPlace{read_side(place), place.text("node"), "", {}};
  }
  return held;
}

NameUse::Decision read_decision(const Members& row) {
  using enum NameUse::Decision;
  const std::string word = row.text("decision");
  for (const NameUse::Decision decision : {Saved, Recomputed, Offloaded, NotNeeded}) {
    if (word == decision_word(decision)) return decision;
  }
  if (!word.empty()) row.add_mistake("decision", fmt::format("unknown decision '{}'", word));
  return NotNeeded;
}

}  // namespace

GraphFingerprint read_fingerprint(const JsonValue& json, Mistakes& mistakes) {
  const Members members(json, mistakes);
  return {members.size("nodes"), members.text("calls"), members.text("names"), members.text("values"),
          members.text("marks")};
}

SavedValue read_saved_value(const JsonValue& json, Mistakes& mistakes) {
  const Members row(json, mistakes);
  SavedValue saved;
  saved.name = row.text("name");
  saved.op = row.text("operator");
  saved.dtype = row.text_if_any("dtype");
  if (!saved.dtype.empty()) {
    if (const auto shape = row.array("shape")) saved.shape = read_shape(*shape, mistakes);
  }
  saved.size_bytes = row.count("bytes");
  if (row.find("kept_bytes")) saved.kept_bytes = row.count("kept_bytes");  // older reports have none
  saved.static_lifetime = row.flag("static_lifetime");
  saved.forward_output = row.size("forward_output");
  saved.backward_input = row.size("backward_input");
  if (row.flag("offloaded")) saved.host_name = row.text("host_name");
  saved.provenance = read_provenance(row, mistakes);
  saved.why = read_why(row, mistakes);
  return saved;
}

SavedState read_saved_state(const JsonValue& json, Mistakes& mistakes) {
  const Members row(json, mistakes);
  return {row.text("name"), row.text("backward_name"), row.count("bytes"), row.size("forward_output"),
          row.size("backward_input")};
}

RecomputedValue read_recomputed_value(const JsonValue& json, Mistakes& mistakes) {
  const Members row(json, mistakes);
  RecomputedValue recomputed;
  recomputed.name = row.text("name");
  recomputed.op = row.text("operator");
  recomputed.flops = row.figure("flops");
  recomputed.size_bytes = row.count("bytes");
  recomputed.provenance = read_provenance(row, mistakes);
  recomputed.why = read_why(row, mistakes);
  return recomputed;
}

OffloadRefused read_offload_refusal(const JsonValue& json, Mistakes& mistakes) {
  const Members row(json, mistakes);
  return {row.text("name"), read_why(row, mistakes)};
}

RepairedValue read_repair(const JsonValue& json, Mistakes& mistakes) {
  const Members row(json, mistakes);
  return {row.text("name"), row.text("saves") == "random_state", row.count("bytes")};
}

NameUse read_name_use(const JsonValue& json, Mistakes& mistakes) {
  const Members row(json, mistakes);
  NameUse use;
  use.name = row.text("name");
  use.node = row.text("node");
  use.decision = read_decision(row);
  use.size_bytes = row.count("bytes");
  if (!row.find("saved_as")) return use;
  use.saved_as = row.text("saved_as");
  use.forward_output = row.size("forward_output");
  use.backward_input = row.size("backward_input");
  use.backward_placeholder = row.text("backward_placeholder");
  return use;
}

MemoryReport read_memory(const JsonValue& json, Mistakes& mistakes) {
  const Members memory(json, mistakes);
  MemoryReport report;
  report.peak_bytes = memory.figure("peak_bytes");
  if (const auto place = memory.object("peak_at")) report.peak_at = read_place(*place, mistakes);
  report.forward_peak_bytes = memory.figure("forward_peak_bytes");
  report.between_bytes = memory.figure("between_bytes");
  report.backward_peak_bytes = memory.figure("backward_peak_bytes");
  report.static_bytes = memory.count("static_bytes");
  report.input_bytes = memory.count("input_bytes");
  if (const auto rows = memory.array("at_peak")) {
    for (const JsonValue row : *rows) report.at_peak.push_back(read_held(row, mistakes));
  }
  return report;
}

}  // namespace fxcut
