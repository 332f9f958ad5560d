#include "check/check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "classify/operator_table.h"
#include "compare/compare_reports.h"
#include "compare/phrases.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

// The measure's figure; of the peak that of the code, if it is predicted. Null if the report is of a release that had none such.
const FigureChange* figure_of(const ComparedReport& report, const MeasureRow& measure) {
  const FigureChange* of_code = measure.figure == kPeakOfOperators ? report.find_figure(kPeakOfCode) : nullptr;
  return of_code ? of_code : report.find_figure(measure.figure);
}

// "44.0 GB", or to the byte, if `other` would read the same.
std::string show_apart(Int128 value, Int128 other, std::string_view unit) {
  const std::string shown = show_figure(value, unit);
  return value == other || shown != show_figure(other, unit) ? shown : fmt::format("{} {}", value, unit);
}

// They take no time.
bool is_view(const ValueChange& change) { return make_operator(change.value().op).is(Operator::View); }

class Gate {
 public:
  Gate(const Report& report, const ComparedReport* baseline)
      : names_(report.names), report_(compared(report)), baseline_(baseline) {
    if (baseline) difference_ = compare_reports(*baseline, report_);
  }

  CheckResult limited(const MeasureRow& measure, const Limit& limit, bool allow_new) const {
    const auto [found, earlier] = sides_of(measure, limit.is_growth);
    if (!found) return failed(measure, limit, "the report has no run times: an earlier release wrote it");
    FigureChange figure = *found;
    if (earlier) figure.before = earlier->after;
    if (limit.is_growth && !baseline_) return without_baseline(measure, limit, shown(figure, figure.after, measure), allow_new);
    if (limit.is_growth && !earlier) {
      return failed(measure, limit, shown(figure, figure.after, measure) + "; the baseline has no run times: write it anew");
    }
    CheckResult result;
    result.check = fmt::format("--{} {}", measure.option, limit.text);
    result.figure = figure.name;
    result.unit = figure.unit;
    result.value = figure.after;
    if (earlier) result.before = figure.before;
    result.most = limit.most(figure.before);
    result.passed = figure.after <= *result.most;
    result.text = fmt::format("{}; the limit is {}", shown(figure, *result.most, measure),
                              show_apart(*result.most, figure.after, figure.unit));
    if (limit.is_growth) {
      result.text += fmt::format(", {} above the baseline's {}",
                                 limit.text.starts_with('+') ? limit.text.substr(1) : limit.text,
                                 show_figure(figure.before, figure.unit));
    } else if (earlier && figure.change() != 0) {
      result.text += fmt::format(", and it was {}", show_figure(figure.before, figure.unit));
    }
    if (!result.passed) result.responsible = responsible_for(figure.name);
    return result;
  }

  CheckResult forbids_saving(const ValuePattern& pattern) const {
    return forbids("--forbid-save", "saved", pattern, saved_in(report_), difference_.saved);
  }

  CheckResult forbids_recomputing(const ValuePattern& pattern) const {
    return forbids("--forbid-recompute", "recomputed", pattern, recomputed_in(report_), difference_.recomputed);
  }

  CheckResult requires_saving(const ValuePattern& pattern) const {
    CheckResult result;
    result.check = fmt::format("--require-save {}", pattern.text());
    std::size_t saved = 0;
    for (const ValueChange& change : saved_in(report_)) saved += matches(pattern, change);
    std::vector<std::string> others;
    for (const NameUse& use : names_) {
      if (!pattern.matches_name(use.name)) continue;
      if (use.forward_output) {
        ++saved;
      } else {
        others.push_back(fmt::format("{} is {}", use.node, phrase_for(use.decision)));
      }
    }
    for (const ValueChange& change : recomputed_in(report_)) {
      if (!matches(pattern, change)) continue;
      const std::string& node = change.value().name;
      const auto is_listed = [&](const std::string& text) { return text.starts_with(node + " is "); };
      if (std::none_of(others.begin(), others.end(), is_listed)) others.push_back(fmt::format("{} is recomputed", node));
      result.responsible.push_back(change);
    }
    result.passed = saved > 0 && others.empty();
    result.text = !others.empty() ? list_names(others)
                  : saved > 0     ? "saved"
                                  : "no value that is saved or recomputed has that name or operator";
    return result;
  }

 private:
  struct Sides {
    const FigureChange* report = nullptr;
    const FigureChange* baseline = nullptr;
  };

  // Of a peak that may grow, those of the operators, if the baseline has no other.
  Sides sides_of(const MeasureRow& measure, bool is_growth) const {
    const FigureChange* found = figure_of(report_, measure);
    if (!found || !baseline_) return {found};
    const FigureChange* earlier = baseline_->find_figure(found->name);
    if (earlier || !is_growth || found->name != kPeakOfCode) return {found, earlier};
    return {report_.find_figure(kPeakOfOperators), baseline_->find_figure(kPeakOfOperators)};
  }

  // "44.0 GB in use at the peak", apart from `other`.
  std::string shown(const FigureChange& figure, Int128 other, const MeasureRow& measure) const {
    const bool is_other_peak = figure.name == kPeakOfOperators && report_.find_figure(kPeakOfCode);
    return fmt::format("{} {}{}", show_apart(figure.after, other, figure.unit), measure.meaning,
                       is_other_peak ? ", operator by operator" : "");
  }

  static CheckResult without_baseline(const MeasureRow& measure, const Limit& limit, const std::string& shown, bool allow_new) {
    CheckResult result = failed(measure, limit, shown + "; the graph is new: it has no baseline");
    result.passed = allow_new;
    if (!allow_new) result.text += " (--allow-new lets that pass)";
    return result;
  }

  static CheckResult failed(const MeasureRow& measure, const Limit& limit, std::string why) {
    CheckResult result;
    result.check = fmt::format("--{} {}", measure.option, limit.text);
    result.passed = false;
    result.text = std::move(why);
    return result;
  }

  static std::string_view phrase_for(NameUse::Decision decision) {
    return decision == NameUse::Decision::NotNeeded ? "not needed by the backward" : name_of(decision);
  }

  static bool matches(const ValuePattern& pattern, const ValueChange& change) {
    const ComparedValue& value = change.value();
    return pattern.matches(value.name, value.op, value.provenance);
  }

  // The values that made it grow, if any; otherwise all of them.
  std::vector<ValueChange> responsible_for(std::string_view figure) const {
    if (figure == kPeakOfOperators && report_.find_figure(kPeakOfCode)) return {};  // those at the peak are the code's
    const bool is_peak = figure == kPeakOfOperators || figure == kPeakOfCode, is_compressed = figure == "compressed_bytes_before";
    const bool is_saved = figure == "saved_bytes_not_static" || is_compressed;
    const bool is_run = !is_peak && !is_saved, is_time = figure == "recomputed_picoseconds" || figure == "step_picoseconds";
    std::vector<ValueChange> changes = is_run    ? difference_.recomputed
                                       : is_peak ? difference_.at_peak
                                                 : difference_.saved;
    const auto adds = [&](const ValueChange& change) {
      if (is_run) return change.flops > 0 && !(is_time && is_view(change));
      if (is_compressed) return change.after && !change.after->form.empty();
      return change.bytes > 0 && (is_peak || !change.value().static_lifetime);
    };
    std::erase_if(changes, [&](const ValueChange& change) { return !adds(change); });
    if (changes.empty()) {
      changes = is_run ? recomputed_in(report_) : is_peak ? at_peak_in(report_) : saved_in(report_);
      std::erase_if(changes, [&](const ValueChange& change) { return !adds(change); });
    }
    return changes;
  }

  // `all`: the values that must not match. If a comparison has a change of one of them, the change is shown.
  static CheckResult forbids(std::string_view option, std::string_view what, const ValuePattern& pattern,
                             std::vector<ValueChange> all, const std::vector<ValueChange>& changed) {
    CheckResult result;
    result.check = fmt::format("{} {}", option, pattern.text());
    std::erase_if(all, [&](const ValueChange& change) { return !matches(pattern, change); });
    result.passed = all.empty();
    std::vector<std::string> names;
    for (const ValueChange& change : all) names.push_back(change.value().name);
    result.text = all.empty() ? fmt::format("no such value is {}", what)
                              : fmt::format("{} {} {}", list_names(names), all.size() == 1 ? "is" : "are", what);
    std::map<std::pair<std::string_view, ValueState>, const ValueChange*> known;
    for (const ValueChange& change : changed) {
      if (change.after) known[{change.after->name, change.after->state}] = &change;
    }
    for (ValueChange& change : all) {
      const auto found = known.find({change.value().name, change.value().state});
      if (found != known.end()) change = *found->second;
    }
    result.responsible = std::move(all);
    return result;
  }

  const std::vector<NameUse>& names_;
  const ComparedReport report_;
  const ComparedReport* baseline_;
  Difference difference_;
};

// Unknown from the first report on that does not have it.
void add_to_total(const BatchTotal& total, const ComparedReport& report, std::optional<Int128>& sum) {
  const FigureChange* figure = figure_of(report, *total.measure);
  if (!figure) sum.reset();
  if (sum) sum = total.measure->adds_up ? sum_at_most(*sum, figure->after) : std::max(*sum, figure->after);
}

}  // namespace

const std::vector<MeasureRow>& measures() {
  static const std::vector<MeasureRow> rows = {
      {"max-saved-bytes", "saved_bytes_not_static", "of activations held", LimitUnit::Bytes, true},
      {"max-recompute-flops", "recomputed_flops", "recomputed", LimitUnit::Flops, true},
      {"max-recompute-time", "recomputed_picoseconds", "of recomputation", LimitUnit::Picoseconds, true},
      {"max-step-time", "step_picoseconds", "of forward and backward", LimitUnit::Picoseconds, true},
      {"max-compressed-bytes", "compressed_bytes_before", "of values that cross in fewer bits", LimitUnit::Bytes, true},
      {"max-peak-bytes", "peak_bytes", "in use at the peak", LimitUnit::Bytes, false},
  };
  return rows;
}

bool Checks::empty() const {
  return limits.empty() && forbid_save.empty() && forbid_recompute.empty() && require_save.empty();
}

std::vector<CheckResult> check_report(const Report& report, const ComparedReport* baseline, const Checks& checks) {
  const Gate gate(report, baseline);
  std::vector<CheckResult> results;
  for (const auto& [measure, limit] : checks.limits) {
    results.push_back(gate.limited(*measure, limit, checks.allow_new));
  }
  for (const ValuePattern& pattern : checks.forbid_save) results.push_back(gate.forbids_saving(pattern));
  for (const ValuePattern& pattern : checks.forbid_recompute) results.push_back(gate.forbids_recomputing(pattern));
  for (const ValuePattern& pattern : checks.require_save) results.push_back(gate.requires_saving(pattern));
  return results;
}

std::vector<BatchTotal> no_totals(bool has_baseline) {
  std::vector<BatchTotal> totals;
  for (const MeasureRow& measure : measures()) {
    totals.push_back({&measure, 0, has_baseline ? std::optional<Int128>(0) : std::nullopt});
  }
  return totals;
}

void add_graph(const ComparedReport& report, std::vector<BatchTotal>& totals) {
  for (BatchTotal& total : totals) add_to_total(total, report, total.value);
}

void add_baseline(const ComparedReport& report, std::vector<BatchTotal>& totals) {
  for (BatchTotal& total : totals) add_to_total(total, report, total.before);
}

}  // namespace fxcut
