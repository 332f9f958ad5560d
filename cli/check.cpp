// fxcut check: holds a report against limits, for a CI pipeline.
#include <fmt/format.h>

#include <ostream>

#include "check/show_results.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "read/read_report.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut check REPORT.json [--baseline OLD.json] [--max-saved-bytes LIMIT] [--max-recompute-flops LIMIT]\n"
    "                   [--max-peak-bytes LIMIT] [--forbid-save PATTERN]... [--forbid-recompute PATTERN]...\n"
    "                   [--require-save PATTERN]... [--format text|json|junit|github|markdown]\n\n"
    "Holds the report of a partition (- is standard input) against limits, and says what breaks them. The exit status\n"
    "is 0 where all hold, 1 where one is broken.\n\n"
    "LIMIT is an amount (12GiB, 3TFLOP) or, with --baseline, what may be added to the baseline's: 2%, or +100MB.\n"
    "PATTERN is a glob on the operator (aten.bmm*), the value's name or its checkpoint name; op:GLOB, name:GLOB and\n"
    "module:GLOB mean one of these, and a module with all that is inside of it.\n\n"
    "Example: fxcut check report.json --baseline main/report.json --max-saved-bytes 2% --forbid-save 'aten.bmm*'\n\n";

constexpr OutputFormat<std::string (*)(const CheckResults&, const CheckedFiles&)> kFormats[] = {
    {"text", results_text},     {"json", results_json},         {"junit", results_junit},
    {"github", results_github}, {"markdown", results_markdown},
};

struct Request {
  std::string report, baseline;
  std::vector<std::string> limits = std::vector<std::string>(measures().size());
  std::vector<std::string> forbid_save, forbid_recompute, require_save;
  std::string format = "text";
  bool help = false;
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  options.add_options()("baseline", po::value(&request.baseline)->value_name("OLD.json"),
                        "the report that limits of growth start from");
  for (std::size_t i = 0; i < measures().size(); ++i) {
    const MeasureRow& measure = measures()[i];
    options.add_options()(std::string(measure.option).c_str(), po::value(&request.limits[i])->value_name("LIMIT"),
                          fmt::format("the most that may be {}", measure.meaning).c_str());
  }
  options.add_options()
      ("forbid-save", po::value(&request.forbid_save)->value_name("PATTERN"), "no such value may be saved")
      ("forbid-recompute", po::value(&request.forbid_recompute)->value_name("PATTERN"), "or recomputed")
      ("require-save", po::value(&request.require_save)->value_name("PATTERN"),
       "such a value has to be there, and each has to be saved, on its device or on the host")
      ("format", po::value(&request.format)->value_name("NAME"),
       "text, json, junit (XML), github (workflow commands) or markdown")
      ("help", po::bool_switch(&request.help), "show this text");
  return options;
}

Request parse(const CommandArguments& arguments, std::ostream& out) {
  Request request;
  const po::options_description visible = visible_options(request);
  po::options_description all;
  all.add(visible).add_options()("report", po::value(&request.report), "");
  const po::variables_map given =
      parse_options(arguments, all, po::positional_options_description().add("report", 1), "check");
  if (request.help) {
    out << kUsage << visible;
    return request;
  }
  if (request.report.empty()) throw Failure(ExitStatus::Usage, "expected a report", "'fxcut check REPORT.json', or -");
  refuse_empty_values(given, visible, "check");
  if (request.report == "-" && request.baseline == "-") {
    throw Failure(ExitStatus::Usage, "standard input can be one file only: the report or the baseline");
  }
  return request;
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

Demands demands_of(const Request& request) {
  Demands demands;
  for (std::size_t i = 0; i < measures().size(); ++i) {
    if (request.limits[i].empty()) continue;
    demands.limits.emplace_back(&measures()[i], limit_of(measures()[i], request.limits[i], !request.baseline.empty()));
  }
  demands.forbid_save = patterns_of("--forbid-save", request.forbid_save);
  demands.forbid_recompute = patterns_of("--forbid-recompute", request.forbid_recompute);
  demands.require_save = patterns_of("--require-save", request.require_save);
  if (demands.empty()) {
    throw Failure(ExitStatus::Usage, "nothing is demanded of the report", "such as --max-saved-bytes 12GiB");
  }
  return demands;
}

}  // namespace

ExitStatus run_check(const CommandArguments& arguments, std::ostream& out, std::ostream&) {
  const Request request = parse(arguments, out);
  if (request.help) return ExitStatus::Done;
  const Demands demands = demands_of(request);
  const auto show = format_named(request.format, kFormats);
  const InputFile file = read_input_file(request.report);
  const Report report = read_report(*file.document);
  CheckedFiles files{file.name, ""};
  std::optional<Report> baseline;
  if (!request.baseline.empty()) {
    const InputFile old = read_input_file(request.baseline);
    files.baseline = old.name;
    baseline = read_report(*old.document);
  }
  const CheckResults results = check_report(report, baseline ? &*baseline : nullptr, demands);
  out << show(results, files);
  return all_hold(results) ? ExitStatus::Done : ExitStatus::No;
}

}  // namespace fxcut
