#include "report/read_report.h"

#include <fmt/format.h>

#include "json/members.h"
#include "policy/setting_rows.h"
#include "read/read_device_profile.h"
#include "read/read_policy.h"
#include "read/read_settings.h"
#include "report/report_rows.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

constexpr std::string_view kFormat = "fxcut-report";

class ReportReader {
 public:
  explicit ReportReader(Mistakes& mistakes) : mistakes_(mistakes) {}

  Report read(const JsonValue& json) {
    Report report;
    const Members root(json, mistakes_);
    if (!json.is(Type::Object) || !is_report(root, json)) return report;
    report.graph = root.text("graph");
    report.producer = root.text("producer");
    if (const auto print = root.find("fingerprint")) report.fingerprint = read_fingerprint(*print, mistakes_);
    report.torch = read_release(root);
    if (const auto settings = root.object("settings")) read_settings(*settings, report.settings);
    read_device(root, report.settings);
    if (const auto policies = root.find("policies")) report.policies = read_policies(*policies, mistakes_);
    report.decided_by = read_partitioner(root);
    report.memory_budget = root.real("memory_budget");
    report.num_forward_outputs = root.size("num_fwd_outputs");
    if (const auto totals = root.object("totals")) report.totals = read_totals(*totals);
    if (const auto memory = root.object("memory")) report.memory = read_memory(*memory, mistakes_);
    read_list(root, "saved_values", report.saved_values, read_saved_value);
    read_list(root, "saved_opaques", report.saved_opaques, read_saved_value);
    read_list(root, "saved_symbols", report.saved_symbols, read_saved_value);
    read_list(root, "saved_random_states", report.saved_random_states, read_saved_state);
    read_list(root, "recomputed_values", report.recomputed_values, read_recomputed_value);
    read_list(root, "offload_refusals", report.offload_refusals, read_offload_refusal);
    read_list(root, "names", report.names, read_name_use);
    read_list(root, "warnings", report.warnings, [](const JsonValue& warning, Mistakes& mistakes) {
      return std::string(read_string(warning, "", mistakes).value_or(""));
    });
    if (root.find("repairs")) read_list(root, "repairs", report.repairs, read_repair);
    read_list(root, "cuts", report.cuts, read_cut);
    if (const auto knapsack = root.find("knapsack")) report.knapsack = read_knapsack(*knapsack);
    if (const auto frontier = root.find("frontier")) report.frontier = read_frontier(*frontier);
    if (const auto limit = root.find("peak_limit")) report.peak_limit = read_peak_limit(*limit);
    return report;
  }

 private:
  // What is no report at all has one mistake, not one for each member that it lacks.
  bool is_report(const Members& root, const JsonValue& json) {
    const auto format = member(json, "format");
    if (!format || !format->is(Type::String) || format->text() != kFormat) {
      root.add_mistake("format", fmt::format("expected \"format\": \"{}\"", kFormat),
                       "'fxcut partition GRAPH.json --json' prints a report");
      return false;
    }
    expect_version(json, kReportVersion, mistakes_);
    return mistakes_.empty();
  }

  template <typename Row, typename Read>
  void read_list(const Members& root, std::string_view key, std::vector<Row>& rows, const Read& read_row) {
    const auto list = root.array(key);
    if (!list) return;
    for (const JsonValue row : *list) rows.push_back(read_row(row, mistakes_));
  }

  ReleaseChoice read_release(const Members& root) {
    using enum ReleaseChoice::Source;
    ReleaseChoice choice;
    const std::string version = root.text("torch_version"), from = root.text("torch_version_from");
    if (!version.empty() && (version == kAsProducer || !is_known_torch_version(version))) {
      root.add_mistake("torch_version", fmt::format("unknown release of PyTorch '{}'", version));
    } else if (!version.empty()) {
      choice = choose_release(version, "");
    }
    for (const ReleaseChoice::Source source : {Setting, Producer, Nearest, Newest}) {
      if (from == name_of(source)) choice.source = source;
    }
    if (!from.empty() && from != name_of(choice.source)) {
      root.add_mistake("torch_version_from", fmt::format("unknown source '{}'", from));
    }
    return choice;
  }

  void read_settings(const JsonValue& json, Settings& settings) {
    for (const JsonValue field : json) {
      try {
        set_setting(settings, field.key(), setting_value(field), "");
      } catch (const Failure& failure) {
        const Diagnostic& wrong = failure.diagnostics().front();
        mistakes_.add(field, wrong.message, wrong.hint);
      }
    }
  }

  void read_device(const Members& root, Settings& settings) {
    const auto device = root.find("device_profile");
    if (!device) return;
    settings.own_device = std::make_shared<const DeviceProfile>(read_device_profile(*device, mistakes_));
  }

  Partitioner read_partitioner(const Members& root) {
    const std::string word = root.text("decided_by");
    if (!word.empty() && word != "min_cut" && word != "default") {
      root.add_mistake("decided_by", fmt::format("expected min_cut or default, found '{}'", word));
    }
    return word == "default" ? Partitioner::Default : Partitioner::MinCut;
  }

  Totals read_totals(const JsonValue& json) {
    const Members members(json, mistakes_);
    Totals totals;
    totals.saved_bytes = members.count("saved_bytes");
    totals.saved_bytes_static = members.count("saved_bytes_static");
    totals.saved_bytes_not_static = members.count("saved_bytes_not_static");
    totals.offloaded_bytes = members.count("offloaded_bytes");
    totals.saved_values = members.size("saved_values");
    totals.offloaded_values = members.size("offloaded_values");
    totals.saved_opaques = members.size("saved_opaques");
    totals.saved_symbols = members.size("saved_symbols");
    totals.saved_random_states = members.size("saved_random_states");
    totals.recomputed_operators = members.size("recomputed_operators");
    totals.recomputed_flops = members.figure("recomputed_flops");
    totals.forward_operators = members.size("forward_operators");
    totals.backward_operators = members.size("backward_operators");
    if (const auto kinds = members.object("recomputed_by_operator")) {
      for (const JsonValue kind : *kinds) {
        const std::int64_t count = read_integer(kind, "", mistakes_).value_or(0);
        totals.recomputed_by_operator.emplace(kind.key(), static_cast<std::size_t>(count));
      }
    }
    return totals;
  }

  static SolvedCut read_cut(const JsonValue& json, Mistakes& mistakes) {
    const Members members(json, mistakes);
    SolvedCut cut{{}, members.figure("value"), members.size("vertices"), members.size("edges")};
    if (const auto bans = members.object("bans")) {
      const Members on(*bans, mistakes);
      cut.options = {on.flag("used_far_apart"), on.flag("long_fusible_chains"), on.flag("materialized_in_backward"),
                     on.flag("not_in_allowlist"), on.flag("reduction")};
    }
    return cut;
  }

  // Its solver and estimator are settings as well.
  SolvedKnapsack read_knapsack(const JsonValue& json) {
    const Members members(json, mistakes_);
    return {members.size("candidates"), members.size("saved")};
  }

  FrontierFacts read_frontier(const JsonValue& json) {
    const Members members(json, mistakes_);
    FrontierFacts facts;
    facts.limit_bytes = members.count("limit_bytes");
    facts.saved_bytes = members.count("saved_bytes");
    facts.run_cost = members.figure("recompute_cost");
    facts.bound = members.figure("bound");
    facts.is_proven = members.flag("proven");
    facts.price_per_byte = members.real("price_per_byte");
    facts.cuts = members.count("cuts");
    facts.parts = members.count("parts");
    // Reports of before the search was bounded by counted work have neither.
    if (members.find("steps")) facts.steps = members.count("steps");
    if (const std::string word = members.text_if_any("ended_by"); !word.empty()) {
      const auto end = end_called(word);
      if (!end) members.add_mistake("ended_by", fmt::format("expected how a search ends, such as proof, found '{}'", word));
      facts.ended_by = end.value_or(EndedBy::Proof);
    }
    return facts;
  }

  PeakLimitFacts read_peak_limit(const JsonValue& json) {
    const Members members(json, mistakes_);
    PeakLimitFacts facts{members.figure("limit_bytes"), members.size("tried"), std::nullopt};
    if (members.find("bound")) facts.bound = members.figure("bound");
    return facts;
  }

  Mistakes& mistakes_;
};

}  // namespace

Report read_report(const Document& document) {
  Mistakes mistakes;
  Report report = ReportReader(mistakes).read(document.root());
  mistakes.raise();
  return report;
}

}  // namespace fxcut
