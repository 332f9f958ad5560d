#include <fmt/format.h>

#include "check/show_results.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

// A command ends with its line; its properties end with a comma or a colon, and % begins an escape sequence.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    out += special.find(c) == special.npos ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string message(std::string_view text) { return escaped(text, "%\r\n"); }
std::string property(std::string_view text) { return escaped(text, "%\r\n:,"); }

// "file=model.py,line=7,", if the result has a line.
std::string source_of(const CheckResult& result) {
  return result.at ? fmt::format("file={},line={},", property(result.at->file), result.at->line) : "";
}

// Details that the place of the annotation does not show.
std::string about_source(const CheckResult& result) {
  if (!result.at && result.elsewhere.empty()) return "";
  if (!result.at) return fmt::format("\nfrom {}, outside of the sources", result.elsewhere);
  const bool is_first = result.responsible.front().value().name == result.at->value;
  return is_first ? "" : fmt::format("\n{} comes from this line", result.at->value);
}

std::string annotations(const std::string& what, const CheckResults& results) {
  std::string text;
  for (const CheckResult& result : results) {
    if (result.passed) continue;
    std::string lines = what + ": " + result.text;
    for (const std::string& line : responsible_lines(result)) lines += "\n" + line;
    lines += about_source(result);
    text += fmt::format("::error {}title={}::{}\n", source_of(result), property("fxcut check " + result.check), message(lines));
  }
  return text;
}

std::string notice(std::string_view text) { return fmt::format("::notice title=fxcut check::{}\n", message(text)); }

}  // namespace

std::string results_github(const CheckResults& results, const CheckedFiles& files) {
  return all_passed(results) ? notice(files.report + ": " + verdict(results)) : annotations(files.report, results);
}

std::string batch_github(const CheckedBatch& batch) {
  std::string text;
  for (const CheckedGraph& graph : batch.graphs) text += annotations(graph.name, graph.results);
  if (text.empty()) text = notice(batch.reports + ": " + verdict(batch));
  if (const std::string names = names_of_new(batch); !names.empty()) {
    text += notice(fmt::format("new, not in {}: {}", batch.baseline, names));
  }
  if (!batch.removed.empty()) text += notice(fmt::format("removed since {}: {}", batch.baseline, list_names(batch.removed)));
  return text;
}

}  // namespace fxcut
