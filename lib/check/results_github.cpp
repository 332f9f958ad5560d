#include <fmt/format.h>

#include "check/show_results.h"

namespace fxcut {
namespace {

// A command ends with its line; its properties end with a comma or a colon, and % begins an escape.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string message(std::string_view text) { return escaped(text, "%\r\n"); }
std::string property(std::string_view text) { return escaped(text, "%\r\n:,"); }

// "file=model.py,line=7,", where it is known what line breaks the demand most.
std::string source_of(const CheckResult& result) {
  if (result.responsible.empty()) return "";
  const Provenance& provenance = result.responsible.front().value().provenance;
  if (provenance.source_file.empty()) return "";
  return fmt::format("file={},line={},", property(provenance.source_file), provenance.source_line);
}

}  // namespace

std::string results_github(const CheckResults& results, const CheckedFiles& files) {
  if (all_hold(results)) {
    return fmt::format("::notice title=fxcut check::{}\n", message(files.report + ": " + verdict(results)));
  }
  std::string text;
  for (const CheckResult& result : results) {
    if (result.holds) continue;
    std::string lines = files.report + ": " + result.text;
    for (const ValueChange& change : result.responsible) lines += "\n" + show_responsible(change);
    text += fmt::format("::error {}title={}::{}\n", source_of(result), property("fxcut check " + result.demand),
                        message(lines));
  }
  return text;
}

}  // namespace fxcut
