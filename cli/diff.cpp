// fxcut diff: the differences between two reports, two graphs, or the reports of two batches.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>

#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "cli/report_files.h"
#include "compare/compare_graphs.h"
#include "compare/compare_reports.h"
#include "compare/show_difference.h"
#include "html/difference_page.h"
#include "report/read_report.h"

namespace fxcut::diff_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut diff BEFORE AFTER [--format text|json|markdown|html[=FILE]]... [--force]\n\n"
    "Compares two reports, or two graphs of the same kind (joint, forward, backward; - is standard input): the values\n"
    "saved, recomputed and in use at the peak, and which were added, removed or grew. Values match by operator, sizes\n"
    "and place in the model, whatever their numbers. The exit status is 0 if the two are the same, 1 if they differ;\n"
    "different settings are not a difference.\n\n"
    "A report may be given as the directory that it was written to. Two directories of a batch are compared graph by\n"
    "graph, by name; a graph of one side only is also a difference. --html also writes a page, with both memory curves\n"
    "where both directories have the memory_curve.csv of 'fxcut partition --memory-curve'.\n\n"
    "Example: fxcut diff yesterday/report.json today/report.json\n\n";

// Two decisions or graphs, their names, and the memory curves beside their reports.
struct Comparison {
  GraphDifference both;
  Curves curves;
};

template <std::string (*show)(const Difference&, const Sides&)>
std::string show_both(const Comparison& comparison) {
  return show(comparison.both.difference, comparison.both.files);
}

std::string show_page(const Comparison& comparison) {
  return difference_page(comparison.both.difference, comparison.both.files, comparison.curves);
}

constexpr OutputFormat<std::string (*)(const Comparison&)> kFormats[] = {
    {"text", show_both<difference_text>},
    {"json", show_both<difference_json>, kJson},
    {"markdown", show_both<difference_markdown>},
    {"html", show_page, {"html", "FILE", "also write a page for a browser, one file: the same as --format html=FILE"}}};
constexpr OutputFormat<std::string (*)(const BatchDifference&, const Sides&)> kBatchFormats[] = {
    {"text", difference_text}, {"json", difference_json}, {"markdown", difference_markdown}};

struct Request {
  std::string before, after;
  FormatOptions formats{kFormats};
  bool overwrite = false;
  bool shows_all = false;
};

std::optional<Request> parse(const CommandArguments& arguments, std::ostream& out) {
  std::optional<Request> request(std::in_place);
  CommandLine line("diff", kUsage);
  request->formats.add_to(line);
  line.add(kAll, request->shows_all);
  line.add(kForce, request->overwrite);
  line.add_argument("before", request->before);
  line.add_argument("after", request->after);
  if (!line.parse(arguments, out)) return std::nullopt;
  if (request->before.empty() || request->after.empty()) {
    throw Failure(ExitStatus::Usage, "expected two reports, or two graphs", "'fxcut diff BEFORE.json AFTER.json'");
  }
  refuse_second_standard_input({request->before, request->after}, "the two");
  request->formats.choices();  // throws if they contradict each other
  if (request->shows_all) show_all_rows();
  return request;
}

AnyGraph graph_of(const InputFile& file) {
  return within_memory(file.name, [&] { return read_any_graph(*file.document); });
}

std::string kind_of(const InputFile& file) {
  return file.is_report() ? "a report" : fmt::format("a {}", name_of(graph_of(file).form));
}

Difference compare(const InputFile& before, const InputFile& after) {
  if (before.is_report() && after.is_report()) {
    return compare_reports(read_report(*before.document), read_report(*after.document));
  }
  if (!before.is_report() && !after.is_report()) {
    const AnyGraph first = graph_of(before), second = graph_of(after);
    if (first.form == second.form) return compare_graphs(first, second);
  }
  throw Failure(ExitStatus::Usage,
                fmt::format("{} is {}, but {} is {}", before.name, kind_of(before), after.name, kind_of(after)),
                "expected two reports, or two graphs of the same kind");
}

GraphDifference compare_files(const std::string& name, const std::string& before_path, const std::string& after_path) {
  const InputFile before = read_input_file(before_path), after = read_input_file(after_path);
  return {name, {before.name, after.name},
          within_memory(fmt::format("{} and {}", before.name, after.name), [&] { return compare(before, after); })};
}

BatchDifference compare_batches(const ReportFiles& before, const ReportFiles& after) {
  BatchDifference batch;
  std::map<std::string, std::string> paths;  // of the graphs before, by name
  for (const ReportFile& file : before.files) paths.emplace(file.name, file.path);
  for (const ReportFile& file : after.files) {
    const auto found = paths.find(file.name);
    if (found == paths.end()) {
      batch.added.push_back(file.name);
    } else {
      batch.graphs.push_back(compare_files(file.name, found->second, file.path));
      paths.erase(found);
    }
  }
  for (const auto& [name, path] : paths) batch.removed.push_back(name);
  return batch;
}

// Reads the memory_curve.csv beside a report.json, as 'fxcut partition' names them; empty if there is none.
std::optional<CurveOfSteps> curve_beside(const std::filesystem::path& report) {
  const std::filesystem::path path = report.parent_path() / "memory_curve.csv";
  std::error_code error;
  if (report.filename() != "report.json" || !std::filesystem::exists(path, error)) return std::nullopt;
  return read_memory_curve(read_text(path.string()), path.string());
}

bool has_page(const Request& request) {
  const std::vector<FormatChoice> choices = request.formats.choices();
  return std::any_of(choices.begin(), choices.end(), [](const FormatChoice& choice) { return choice.name == "html"; });
}

ExitStatus diff_batches(const Request& request, const ReportFiles& before, const ReportFiles& after, std::ostream& out) {
  if (has_page(request)) {
    throw Failure(ExitStatus::Usage, "a page compares the decisions on one graph, not two batches",
                  "use the reports of one graph in them: DIR/graphs/NAME");
  }
  const BatchDifference difference = compare_batches(before, after);
  print_formats(request.formats, kBatchFormats, request.overwrite, out, difference, Sides{request.before, request.after});
  return difference.is_same() ? ExitStatus::Done : ExitStatus::No;
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream&) {
  const auto request = parse(arguments, out);
  if (!request) return ExitStatus::Done;
  const ReportFiles before = find_report_files(request->before), after = find_report_files(request->after);
  if (before.is_batch != after.is_batch) {
    throw Failure(ExitStatus::Usage,
                  fmt::format("{} is the directory of a batch, but {} is not",
                              before.is_batch ? request->before : request->after,
                              before.is_batch ? request->after : request->before),
                  "use the report of one graph in it: DIR/graphs/NAME");
  }
  if (before.is_batch) {
    return diff_batches(*request, before, after, out);
  }
  const std::string& first = before.files.front().path;
  const std::string& second = after.files.front().path;
  Comparison comparison{compare_files("", first, second), {}};
  if (has_page(*request)) comparison.curves = {curve_beside(first), curve_beside(second)};
  print_formats(request->formats, kFormats, request->overwrite, out, comparison);
  return comparison.both.difference.is_same() ? ExitStatus::Done : ExitStatus::No;
}

}  // namespace fxcut::diff_command
