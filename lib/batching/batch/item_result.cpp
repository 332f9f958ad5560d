#include "batch/item_result.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "batch/summary.h"
#include "cost/estimators.h"
#include "graph/hash128.h"
#include "json/fields.h"
#include "json/json_forms.h"
#include "policy/setting_rows.h"
#include "ranks/common_decision.h"
#include "read/read_file.h"
#include "report/device_json.h"
#include "report/policies_json.h"
#include "report/show_report.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Whether the line is of a finished graph, with all members for a summary.
bool can_be_added_up(const std::string& line) {
  if (line.find('\n') != line.npos) return false;
  try {
    summarise({line}, "", "");
    return read_result_head(line, "").is_done;
  } catch (const Failure&) {
    return false;
  }
}

}  // namespace

void add_instructions(Hash128& hash, const Instructions& instructions) {
  for (const SettingRow& row : setting_rows()) {
    hash.add(row.name);
    hash.add(std::visit([](const auto& value) { return fmt::format("{}", value); }, row.get(instructions.settings)));
  }
  hash.add(json_line(policies_json(instructions.policies)));
  if (instructions.settings.recompute_again) hash.add("recompute_again");
  if (const auto& errors = instructions.settings.compress_errors) {
    hash.add(errors->dtype);
    for (const auto& [name, measured] : errors->by_node) {
      for (const std::string_view text : {std::string_view(name), std::string_view(measured.op)}) hash.add(text);
      hash.add(measured.error.value_or(-1));
    }
  }
  if (const auto& device = instructions.settings.own_device) hash.add(json_line(device_json(*device)));
}

std::string item_key(std::string_view graph, const WorkItem& item, std::string_view version) {
  Hash128 hash;
  hash.add(version);
  hash.add(graph);
  add_instructions(hash, *item.instructions);
  if (item.adopted) hash.add(rank_choice_json(*item.adopted));
  return hash.text();
}

std::string done_line(std::string_view name, std::string_view key, const Report& report, Int128 bytes_after) {
  const MemoryReport& memory = report.memory;
  Json totals = sums_json(report.totals);
  if (const auto& compressed = report.totals.compressed) {
    totals["compressed_bytes_before"] = compressed->bytes_before;
    totals["compressed_bytes"] = compressed->bytes;
    totals["held_bytes"] = compressed->held_bytes;
  }
  totals["recomputed_picoseconds"] = json_number(picoseconds(report.run_time->recomputed_ms));
  totals["step_picoseconds"] = json_number(picoseconds(report.run_time->step_ms));
  totals["peak_bytes"] = json_number(memory.counted_peak_bytes());
  totals["idle_bytes"] = json_number(std::max(memory.counted_between_bytes(), bytes_after));
  return json_line({{"name", name},
                    {"status", "done"},
                    {"key", key},
                    {"torch_version", report.torch.release.version()},
                    {"decided_by", name_of(report.decided_by)},
                    {"totals", totals}});
}

std::string failed_line(std::string_view name, int exit_status, const std::vector<Diagnostic>& mistakes) {
  Json errors = Json::array();
  for (const Diagnostic& mistake : mistakes) {
    errors.push_back({{"place", mistake.place}, {"message", mistake.message}, {"hint", mistake.hint}});
    if (!mistake.excerpt.empty()) errors.back()["excerpt"] = mistake.excerpt;
  }
  return json_line({{"name", name}, {"status", "failed"}, {"exit_status", exit_status}, {"errors", errors}});
}

Failure read_failure(std::string_view line) {
  const Json json = Json::parse(line);
  std::vector<Diagnostic> mistakes;
  for (const Json& error : json.at("errors")) {
    mistakes.push_back({error.at("place"), error.at("message"), error.at("hint"), error.value("excerpt", "")});
  }
  return Failure(static_cast<ExitStatus>(json.at("exit_status").get<int>()), std::move(mistakes));
}

Diagnostic ended_by(int signal, const std::string& file) {
  const std::string hint = signal == SIGKILL ? "out of memory? use fewer --jobs"
                           : signal == SIGXCPU ? "raise the time limit (ulimit -t)"
                                               : "this is a bug in fxcut: please report it with the graph";
  return {file, fmt::format("its process was killed by signal {} ({})", signal, ::strsignal(signal)), hint};
}

ResultHead read_result_head(std::string_view line, const std::string& file) {
  const auto document = Document::parse(std::string(line), file);
  Mistakes mistakes;
  const Members members(document->root(), mistakes);
  ResultHead head{members.text("name"), members.text("status") == "done", ""};
  if (head.is_done) head.key = members.text("key");
  mistakes.raise();
  return head;
}

std::optional<std::string> kept_line(const fs::path& directory) {
  std::error_code error;
  for (const std::string_view file : kResultFiles) {
    if (!fs::is_regular_file(directory / file, error)) return std::nullopt;
  }
  try {
    std::string line = read_file((directory / kResultFiles.back()).string());
    if (!line.ends_with('\n')) return std::nullopt;
    line.pop_back();
    if (can_be_added_up(line)) return line;
  } catch (const Failure&) {  // it cannot be read
  }
  return std::nullopt;
}

}  // namespace fxcut
