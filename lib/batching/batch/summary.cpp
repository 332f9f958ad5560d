#include "batch/summary.h"

#include <array>
#include <nlohmann/json.hpp>

#include "graph/int128.h"
#include "json/fields.h"
#include "json/json_forms.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSummaryVersion = 1;

// The figures of a graph that add up over graphs.
constexpr std::array<std::string_view, 12> kFigures = {
    "saved_bytes",      "saved_bytes_static",   "saved_bytes_not_static", "offloaded_bytes",
    "saved_values",     "offloaded_values",     "recomputed_operators",   "recomputed_flops",
    "recomputed_picoseconds", "step_picoseconds", "forward_operators",    "backward_operators"};

// Those of graphs that save values in fewer bits: what these take as they are, and as they cross.
constexpr std::array<std::string_view, 2> kFiguresOfForms = {"compressed_bytes_before", "compressed_bytes"};

class Adder {
 public:
  void add(const JsonValue& line, Mistakes& mistakes) {
    const Members members(line, mistakes);
    const std::string name = members.text("name");
    ++summary_.graphs;
    if (members.text("status") == "done") {
      if (const auto totals = members.object("totals")) add_totals(name, Members(*totals, mistakes));
    } else {
      add_failure(name, members, mistakes);
    }
  }

  BatchSummary take(std::string_view version) {
    Json failures = Json::array(), totals = Json::object();
    for (const FailedGraph& failed : summary_.failed) {
      failures.push_back({{"name", failed.name}, {"exit_status", failed.exit_status}, {"message", failed.message}});
    }
    for (std::size_t i = 0; i < kFigures.size(); ++i) totals[std::string(kFigures[i])] = json_number(totals_[i]);
    if (has_forms_) {
      for (std::size_t i = 0; i < kFiguresOfForms.size(); ++i) totals[std::string(kFiguresOfForms[i])] = json_number(forms_[i]);
      totals["held_bytes"] = json_number(held_);
    }
    Json json = {{"format", "fxcut-batch-summary"},
                 {"version", kSummaryVersion},
                 {"program", version},
                 {"graphs", summary_.graphs},
                 {"done", summary_.graphs - summary_.failed.size()},
                 {"failed", summary_.failed.size()},
                 {"totals", totals}};
    if (!highest_.empty()) json["highest_peak"] = {{"name", highest_}, {"peak_bytes", json_number(peak_)}};
    json["failures"] = failures;
    summary_.json = json_file(json);
    return std::move(summary_);
  }

 private:
  void add_totals(const std::string& name, const Members& totals) {
    for (std::size_t i = 0; i < kFigures.size(); ++i) totals_[i] = sum_at_most(totals_[i], totals.figure(kFigures[i]));
    add_forms(totals);
    const Int128 peak = totals.figure("peak_bytes");
    if (!highest_.empty() && peak <= peak_) return;
    peak_ = peak;
    highest_ = name;
  }

  void add_forms(const Members& totals) {
    const bool has_forms = totals.find("held_bytes").has_value();
    held_ = sum_at_most(held_, totals.figure(has_forms ? "held_bytes" : "saved_bytes_not_static"));
    has_forms_ = has_forms_ || has_forms;
    if (!has_forms) return;
    for (std::size_t i = 0; i < kFiguresOfForms.size(); ++i) {
      forms_[i] = sum_at_most(forms_[i], totals.figure(kFiguresOfForms[i]));
    }
  }

  void add_failure(const std::string& name, const Members& members, Mistakes& mistakes) {
    FailedGraph failed{name, static_cast<int>(members.integer("exit_status")), ""};
    const auto errors = members.array("errors");
    if (errors && !errors->empty()) failed.message = Members(*errors->begin(), mistakes).text("message");
    summary_.failed.push_back(std::move(failed));
  }

  BatchSummary summary_;
  std::array<Int128, kFigures.size()> totals_{};
  std::array<Int128, kFiguresOfForms.size()> forms_{};
  Int128 held_ = 0;  // activations held, as they cross
  bool has_forms_ = false;
  std::string highest_;  // the graph with the highest peak; the first of several
  Int128 peak_ = 0;
};

}  // namespace

BatchSummary summarise(const std::vector<std::string>& lines, const std::string& file, std::string_view version) {
  Adder adder;
  for (const std::string& line : lines) {
    Mistakes mistakes;
    const auto document = Document::parse(line, file);
    adder.add(document->root(), mistakes);
    mistakes.raise();
  }
  return adder.take(version);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace fxcut
