#include "batch/item_result.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "read/members.h"
#include "report/json_forms.h"
#include "report/json_number.h"
#include "report/report_json.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string done_line(std::string_view name, std::string_view key, const Report& report) {
  Json totals = totals_json(report.totals);
  totals.erase("recomputed_by_operator");
  totals["peak_bytes"] = json_number(report.memory.peak_bytes);
  return json_line({{"name", name},
                    {"status", "done"},
                    {"key", key},
                    {"torch_version", report.torch.release.version()},
                    {"decided_by", report.decided_by == Partitioner::Default ? "default" : "min_cut"},
                    {"totals", totals}});
}

std::string failed_line(std::string_view name, int exit_status, const std::vector<Diagnostic>& mistakes) {
  Json errors = Json::array();
  for (const Diagnostic& mistake : mistakes) {
    errors.push_back({{"place", mistake.place}, {"message", mistake.message}, {"hint", mistake.hint}});
  }
  return json_line({{"name", name}, {"status", "failed"}, {"exit_status", exit_status}, {"errors", errors}});
}

Diagnostic ended_by(int signal, const std::string& file) {
  const std::string hint = signal == SIGKILL ? "out of memory? fewer --jobs leave more to each"
                           : signal == SIGXCPU ? "raise the limit of time, ulimit -t"
                                               : "this is a bug in fxcut: please report it with the graph";
  return {file, fmt::format("its process was ended by signal {} ({})", signal, ::strsignal(signal)), hint};
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

}  // namespace fxcut
