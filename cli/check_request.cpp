#include "cli/check_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "cli/options.h"
#include "cli/report_files.h"

namespace fxcut::check_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut check REPORT|DIR... [--baseline REPORT|DIR|BASELINE] [--max-saved-bytes LIMIT]\n"
    "                   [--max-recompute-flops LIMIT] [--max-recompute-time LIMIT] [--max-step-time LIMIT]\n"
    "                   [--max-peak-bytes LIMIT] [--forbid-save PATTERN]...\n"
    "                   [--forbid-recompute PATTERN]... [--require-save PATTERN]... [--allow-new]\n"
    "                   [--format text|json|junit|github|markdown[=FILE]]... [--source-root DIR]\n"
    "                   [--write-baseline FILE] [--force]\n\n"
    "Checks the report of a partition (- is standard input) against limits and rules, and prints those that fail. The\n"
    "exit status is 0 if all pass, 1 if one fails. A report may be given as the directory that it was written to, or\n"
    "as that of a batch, each of whose graphs then has to pass; the graphs are found in the baseline by name.\n\n"
    "LIMIT is an amount (12GiB, 3TFLOP, 5ms) or, with --baseline, the growth allowed over the baseline: 2%, or +100MB.\n"
    "PATTERN is a glob on the operator (aten.bmm*), the value's name or its checkpoint name; op:GLOB, name:GLOB and\n"
    "module:GLOB match one of these only, and a module with all modules inside it.\n\n"
    "Example: fxcut check report.json --baseline main/report.json --max-saved-bytes 2% --forbid-save 'aten.bmm*'\n\n";

// The options as given.
struct Given {
  std::vector<std::string> limits = std::vector<std::string>(measures().size());
  std::vector<std::string> forbid_save, forbid_recompute, require_save;
};

void add_options(CommandLine& line, CheckRequest& request, Given& given) {
  line.add({"baseline", "FILE|DIR",
            "the start of limits of growth: a report, the directory of one or of a batch, or a file that --write-baseline wrote"},
           request.baseline);
  for (std::size_t i = 0; i < measures().size(); ++i) {
    const MeasureRow& measure = measures()[i];
    const std::string name(measure.option), help = fmt::format("the most that may be {}", measure.meaning);
    line.add({name.c_str(), "LIMIT", help.c_str()}, given.limits[i]);
  }
  line.add({"forbid-save", "PATTERN", "no such value may be saved"}, given.forbid_save);
  line.add({"forbid-recompute", "PATTERN", "no such value may be recomputed"}, given.forbid_recompute);
  line.add({"require-save", "PATTERN", "such values must exist, and each must be saved, on its device or in host memory"},
           given.require_save);
  line.add({"allow-new", "", "a graph that is not in the baseline passes limits of growth; otherwise it fails them"},
           request.checks.allow_new);
  request.format_options.add_to(line);
  line.add({"source-root", "DIR",
            "refer only to source files in DIR, relative to it, and not to those of packages installed in it"},
           request.source_root);
  line.add({"write-baseline", "FILE",
            "also write a baseline of these reports, whether the checks pass or not; without --baseline no check is needed"},
           request.new_baseline);
  line.add(kAll, request.shows_all);
  line.add(kForce, request.overwrite);
}

Limit limit_of(const MeasureRow& measure, const std::string& text, bool has_baseline) {
  const std::optional<Limit> limit = parse_limit(text, measure.unit);
  const std::string_view example = examples_of(measure.unit);
  if (!limit) {
    throw Failure(ExitStatus::Usage, fmt::format("--{} '{}': expected a limit", measure.option, text),
                  fmt::format("for example {}", example));
  }
  if (limit->is_growth && !has_baseline) {
    throw Failure(ExitStatus::Usage,
                  fmt::format("--{} {}: a limit of growth needs a baseline", measure.option, text),
                  "give --baseline OLD.json, or an amount such as " + std::string(example.substr(0, example.find(','))));
  }
  return *limit;
}

std::vector<ValuePattern> patterns_of(std::string_view option, const std::vector<std::string>& texts) {
  std::vector<ValuePattern> patterns;
  for (const std::string& text : texts) {
    const std::optional<ValuePattern> pattern = ValuePattern::parse(text);
    if (!pattern && text.find(':') != std::string::npos && !text.ends_with(':')) {
      throw Failure(ExitStatus::Usage, fmt::format("{} '{}': expected op:, name: or module: before the glob", option, text),
                    "a glob alone is for operators and names");
    }
    if (!pattern) {
      throw Failure(ExitStatus::Usage, fmt::format("{} '{}': expected a glob", option, text),
                    "for example 'aten.bmm*', name:attn or 'module:layers.*.mlp'");
    }
    patterns.push_back(*pattern);
  }
  return patterns;
}

void read_checks(const Given& given, bool has_baseline, Checks& checks) {
  for (std::size_t i = 0; i < measures().size(); ++i) {
    if (given.limits[i].empty()) continue;
    checks.limits.emplace_back(&measures()[i], limit_of(measures()[i], given.limits[i], has_baseline));
  }
  checks.forbid_save = patterns_of("--forbid-save", given.forbid_save);
  checks.forbid_recompute = patterns_of("--forbid-recompute", given.forbid_recompute);
  checks.require_save = patterns_of("--require-save", given.require_save);
}

// Without checks there is nothing to compare or show.
void refuse_without_checks(const CheckRequest& request) {
  if (!request.checks.empty()) return;
  if (!request.new_baseline.empty() && request.baseline.empty() && !request.format_options.are_given()) return;
  throw Failure(ExitStatus::Usage, "no check is given", "for example --max-saved-bytes 12GiB");
}

void refuse_mixed_up_files(const CheckRequest& request) {
  std::vector<std::string_view> files(request.reports.begin(), request.reports.end());
  files.push_back(request.baseline);
  refuse_second_standard_input(files, "the reports and the baseline");
  if (request.new_baseline == "-") {
    throw Failure(ExitStatus::Usage, "--write-baseline -: expected a file; standard output has the results",
                  "for example --write-baseline baseline.json");
  }
}

std::vector<std::string> files_read(const CheckRequest& request) {
  std::vector<std::string> given = request.reports, files;
  if (!request.baseline.empty()) given.push_back(request.baseline);
  for (const std::string& path : given) {
    for (const ReportFile& file : find_report_files(path).files) files.push_back(file.path);
  }
  return files;
}

// A report above a limit would become the next baseline, or be lost.
void refuse_to_replace(const std::vector<std::string>& read, const std::string& written, std::string_view option) {
  for (const std::string& file : read) {
    std::error_code error;
    if (!std::filesystem::equivalent(file, written, error)) continue;
    throw Failure(ExitStatus::Usage, fmt::format("{}{} would replace {}, which is read", option, written, file),
                  "write another file");
  }
}

void refuse_overwriting_input(const CheckRequest& request) {
  const std::vector<std::string> read = files_read(request);
  if (!request.new_baseline.empty()) refuse_to_replace(read, request.new_baseline, "--write-baseline ");
  for (const FormatChoice& choice : request.formats) {
    if (!choice.file.empty()) refuse_to_replace(read, choice.file, fmt::format("--format {}=", choice.name));
  }
}

}  // namespace

std::optional<CheckRequest> parse(const CommandArguments& arguments, std::ostream& out) {
  CheckRequest request;
  Given given;
  CommandLine line("check", kUsage);
  add_options(line, request, given);
  line.add_argument("report", request.reports, -1);
  const auto values = line.parse(arguments, out);
  if (!values) return std::nullopt;
  if (request.reports.empty()) {
    throw Failure(ExitStatus::Usage, "expected a report", "'fxcut check REPORT.json', or -");
  }
  line.refuse_empty_values(*values);
  refuse_mixed_up_files(request);
  read_checks(given, !request.baseline.empty(), request.checks);
  refuse_without_checks(request);
  request.formats = request.format_options.choices();
  refuse_overwriting_input(request);
  if (request.shows_all) show_all_rows();
  return request;
}

}  // namespace fxcut::check_command
