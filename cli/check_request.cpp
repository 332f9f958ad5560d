#include "cli/check_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "cli/options.h"
#include "cli/report_files.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut check REPORT|DIR... [--baseline REPORT|DIR|BASELINE] [--max-saved-bytes LIMIT]\n"
    "                   [--max-recompute-flops LIMIT] [--max-peak-bytes LIMIT] [--forbid-save PATTERN]...\n"
    "                   [--forbid-recompute PATTERN]... [--require-save PATTERN]... [--allow-new]\n"
    "                   [--format text|json|junit|github|markdown[=FILE]]... [--source-root DIR]\n"
    "                   [--write-baseline FILE] [--force]\n\n"
    "Holds the report of a partition (- is standard input) against limits, and says what breaks them. The exit status\n"
    "is 0 where all hold, 1 where one is broken. In the place of a report may stand the directory that it was written\n"
    "into, or that of a batch, each of whose graphs then has to keep to the limits; the graphs are found in the\n"
    "baseline by their names.\n\n"
    "LIMIT is an amount (12GiB, 3TFLOP) or, with --baseline, what may be added to the baseline's: 2%, or +100MB.\n"
    "PATTERN is a glob on the operator (aten.bmm*), the value's name or its checkpoint name; op:GLOB, name:GLOB and\n"
    "module:GLOB mean one of these, and a module with all that is inside of it.\n\n"
    "Example: fxcut check report.json --baseline main/report.json --max-saved-bytes 2% --forbid-save 'aten.bmm*'\n\n";

// The options as they are given.
struct Given {
  std::vector<std::string> limits = std::vector<std::string>(measures().size());
  std::vector<std::string> forbid_save, forbid_recompute, require_save, formats;
};

po::options_description visible_options(CheckRequest& request, Given& given) {
  po::options_description options("Options");
  options.add_options()("baseline", po::value(&request.baseline)->value_name("FILE|DIR"),
                        "what limits of growth start from: a report, the directory of one or of a batch, or a file "
                        "that --write-baseline wrote");
  for (std::size_t i = 0; i < measures().size(); ++i) {
    const MeasureRow& measure = measures()[i];
    options.add_options()(std::string(measure.option).c_str(), po::value(&given.limits[i])->value_name("LIMIT"),
                          fmt::format("the most that may be {}", measure.meaning).c_str());
  }
  options.add_options()
      ("forbid-save", po::value(&given.forbid_save)->value_name("PATTERN"), "no such value may be saved")
      ("forbid-recompute", po::value(&given.forbid_recompute)->value_name("PATTERN"), "or recomputed")
      ("require-save", po::value(&given.require_save)->value_name("PATTERN"),
       "such a value has to be there, and each has to be saved, on its device or on the host")
      ("allow-new", po::bool_switch(&request.demands.allow_new),
       "a graph that is not in the baseline keeps to limits of growth; else it breaks them")
      ("format", po::value(&given.formats)->value_name("NAME[=FILE]"),
       "text, json, junit (XML), github (workflow commands) or markdown; into FILE, or else printed. May be given "
       "several times")
      ("source-root", po::value(&request.source_root)->value_name("DIR"),
       "point only at source files in DIR, from DIR on, and not at those of packages installed in it")
      ("write-baseline", po::value(&request.new_baseline)->value_name("FILE"),
       "also write what --baseline needs of these reports, whether the demands hold or not; no demand is needed")
      ("force", po::bool_switch(&request.overwrite), "replace files that are there already")
      ("help", po::bool_switch(&request.help), "show this text");
  return options;
}

Limit limit_of(const MeasureRow& measure, const std::string& text, bool has_baseline) {
  const std::optional<Limit> limit = parse_limit(text, measure.unit);
  const std::string_view example = measure.unit == LimitUnit::Bytes ? "12GiB, 2% or +100MB" : "3TFLOP, 2% or +1GFLOP";
  if (!limit) {
    throw Failure(ExitStatus::Usage, fmt::format("--{} '{}': expected a limit", measure.option, text),
                  fmt::format("such as {}", example));
  }
  if (limit->is_growth && !has_baseline) {
    throw Failure(ExitStatus::Usage,
                  fmt::format("--{} {} says how much there may be more, but not more than what", measure.option, text),
                  "give --baseline OLD.json, or a limit such as " + std::string(example.substr(0, example.find(','))));
  }
  return *limit;
}

std::vector<ValuePattern> patterns_of(std::string_view option, const std::vector<std::string>& texts) {
  std::vector<ValuePattern> patterns;
  for (const std::string& text : texts) {
    const std::optional<ValuePattern> pattern = ValuePattern::parse(text);
    if (!pattern) {
      throw Failure(ExitStatus::Usage, fmt::format("{} '{}': expected a glob", option, text),
                    "such as 'aten.bmm*', name:attn or 'module:layers.*.mlp'");
    }
    patterns.push_back(*pattern);
  }
  return patterns;
}

void read_demands(const Given& given, bool has_baseline, Demands& demands) {
  for (std::size_t i = 0; i < measures().size(); ++i) {
    if (given.limits[i].empty()) continue;
    demands.limits.emplace_back(&measures()[i], limit_of(measures()[i], given.limits[i], has_baseline));
  }
  demands.forbid_save = patterns_of("--forbid-save", given.forbid_save);
  demands.forbid_recompute = patterns_of("--forbid-recompute", given.forbid_recompute);
  demands.require_save = patterns_of("--require-save", given.require_save);
}

// Without demands there is nothing to compare and nothing to show.
void refuse_without_demands(const CheckRequest& request, const Given& given) {
  if (!request.demands.empty()) return;
  if (!request.new_baseline.empty() && request.baseline.empty() && given.formats.empty()) return;
  throw Failure(ExitStatus::Usage, "nothing is demanded of the report", "such as --max-saved-bytes 12GiB");
}

void refuse_mixed_up_files(const CheckRequest& request) {
  const auto from_stdin = std::count(request.reports.begin(), request.reports.end(), "-");
  if (from_stdin + (request.baseline == "-") > 1) {
    throw Failure(ExitStatus::Usage, "standard input can be one file only: the report or the baseline");
  }
  if (request.new_baseline == "-") {
    throw Failure(ExitStatus::Usage, "--write-baseline -: a baseline is a file, and standard output has the results",
                  "such as --write-baseline baseline.json");
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

// What breaks a limit today would be the baseline of tomorrow, and a report would be lost.
void refuse_to_replace(const std::vector<std::string>& read, const std::string& written, std::string_view option) {
  for (const std::string& file : read) {
    std::error_code error;
    if (!std::filesystem::equivalent(file, written, error)) continue;
    throw Failure(ExitStatus::Usage, fmt::format("{}{} would replace {}, which is read", option, written, file),
                  "write another file, and replace that one once that is wanted");
  }
}

void refuse_to_replace_what_is_read(const CheckRequest& request) {
  const std::vector<std::string> read = files_read(request);
  if (!request.new_baseline.empty()) refuse_to_replace(read, request.new_baseline, "--write-baseline ");
  for (const FormatChoice& choice : request.formats) {
    if (!choice.file.empty()) refuse_to_replace(read, choice.file, fmt::format("--format {}=", choice.name));
  }
}

}  // namespace

CheckRequest parse_check(const CommandArguments& arguments, std::ostream& out) {
  CheckRequest request;
  Given given;
  const po::options_description visible = visible_options(request, given);
  po::options_description all;
  all.add(visible).add_options()("report", po::value(&request.reports), "");
  const po::variables_map values =
      parse_options(arguments, all, po::positional_options_description().add("report", -1), "check");
  if (request.help) {
    out << kUsage << visible;
    return request;
  }
  if (request.reports.empty()) {
    throw Failure(ExitStatus::Usage, "expected a report", "'fxcut check REPORT.json', or -");
  }
  refuse_empty_values(values, visible, "check");
  refuse_mixed_up_files(request);
  read_demands(given, !request.baseline.empty(), request.demands);
  refuse_without_demands(request, given);
  request.formats = parse_formats(given.formats);
  for (const FormatChoice& choice : request.formats) format_named(choice.name, kCheckFormats);
  refuse_to_replace_what_is_read(request);
  return request;
}

}  // namespace fxcut
