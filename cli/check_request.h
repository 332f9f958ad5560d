// The command line of fxcut check.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "check/check_report.h"
#include "check/show_results.h"
#include "cli/command.h"
#include "cli/output_format.h"

namespace fxcut::check_command {

// The functions that show one report, and several graphs.
struct CheckFormat {
  std::string (*report)(const CheckResults&, const CheckedFiles&);
  std::string (*batch)(const CheckedBatch&);
};

inline constexpr OutputFormat<CheckFormat> kCheckFormats[] = {
    {"text", {results_text, batch_text}},
    {"json", {results_json, batch_json}, kJson},
    {"junit", {results_junit, batch_junit}},
    {"github", {results_github, batch_github}},
    {"markdown", {results_markdown, batch_markdown}},
};

struct CheckRequest {
  std::vector<std::string> reports;  // one or more
  std::string baseline;              // empty: none
  std::string new_baseline;          // to write; empty: none
  std::string source_root;           // empty: none
  Checks checks;                     // empty only if a baseline is to be written
  FormatOptions format_options{kCheckFormats};
  std::vector<FormatChoice> formats;
  bool overwrite = false;
  bool shows_all = false;
};

// nullopt if the help is printed. Throws Failure: Usage, also if an input would be replaced; FileTrouble if a directory has no
// report.
std::optional<CheckRequest> parse(const CommandArguments& arguments, std::ostream& out);

}  // namespace fxcut::check_command
