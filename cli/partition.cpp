// fxcut partition: a joint graph in, two graphs and a report out.
#include <fmt/format.h>

#include <functional>
#include <future>
#include <optional>
#include <ostream>

#include "cli/decision_options.h"
#include "cli/graph_file.h"
#include "cli/input_file.h"
#include "cli/keep_until_exit.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "cli/partition_graph.h"
#include "cli/stage_clock.h"
#include "html/page.h"
#include "report/memory_curve.h"
#include "report/read_report.h"
#include "report/show_report.h"
#include "write/files.h"
#include "write/held_signals.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut partition GRAPH.json [--config FILE] [--set KEY=VALUE]... [--output-dir DIR] [--force]\n"
    "                       [--json | --csv | --markdown] [--html FILE]\n"
    "                       [--policy FILE] [--save-names A,B] [--offload-names A,B] [--recompute-names A,B]\n"
    "                       [--jax-policy NAME[:A,B]] [--ignore-tags] [--offload-dialect NAME] [--recompute-barrier] [--sound]\n"
    "       fxcut partition GRAPH.json --decision REPORT.json [--output-dir DIR] [--force] [--json]\n\n"
    "Reads a joint graph (- is standard input), decides what the forward saves for the backward, and prints a\n"
    "report. With --output-dir it also writes forward.json, backward.json and report.json there, with --html the\n"
    "report for a browser.\n\n"
    "Example: fxcut partition step.json --save-names q,k --html step.html\n\n";

struct Request {
  std::string graph;
  DecisionOptions decision;
  std::string replayed;  // a report
  std::string output_directory;
  bool overwrite = false;
  bool memory_curve = false;
  std::string html;
  bool time_stages = false, time_stages_json = false;
  bool as_json = false, as_csv = false, as_markdown = false;
  bool help = false;
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  request.decision.add_to(options);
  options.add_options()
      ("decision", po::value(&request.replayed)->value_name("REPORT"),
       "replay the decision of this report, under its settings and policies; it must be of this graph")
      ("output-dir", po::value(&request.output_directory)->value_name("DIR"),
       "write forward.json, backward.json and report.json into DIR, which is made if need be")
      ("memory-curve", po::bool_switch(&request.memory_curve),
       "also write memory_curve.csv into that directory: the memory in use at each node")
      ("html", po::value(&request.html)->value_name("FILE"),
       "also write the report for a browser: one file, which loads nothing from elsewhere")
      ("force", po::bool_switch(&request.overwrite), "replace files that are there already")
      ("json", po::bool_switch(&request.as_json), "print report.json instead of the table")
      ("csv", po::bool_switch(&request.as_csv), "print a line a saved value, separated by commas")
      ("markdown", po::bool_switch(&request.as_markdown), "print a summary for a pull request")
      ("time-stages", po::bool_switch(&request.time_stages), "say on standard error where the time went")
      ("time-stages-json", po::bool_switch(&request.time_stages_json), "the same, for programs")
      ("help", po::bool_switch(&request.help), "show this text");
  return options;
}

// A report has the settings and policies that it was decided by.
void refuse_beside_decision(const Request& request) {
  const std::string_view option = request.decision.first_given();
  if (request.replayed.empty() || option.empty()) return;
  throw Failure(ExitStatus::Usage, fmt::format("--decision and {}: the report says how it was decided", option),
                fmt::format("leave {} out, or decide anew without --decision", option));
}

Request parse(const CommandArguments& arguments, std::ostream& out) {
  Request request;
  const po::options_description visible = visible_options(request);
  parse_options_on_graph(arguments, visible, request.graph, request.help, "partition");
  if (request.help) {
    out << kUsage << visible;
    return request;
  }
  if (request.memory_curve && request.output_directory.empty()) {
    throw Failure(ExitStatus::Usage, "--memory-curve writes a file: expected --output-dir DIR as well");
  }
  if (request.as_json + request.as_csv + request.as_markdown > 1) {
    throw Failure(ExitStatus::Usage, "--json, --csv and --markdown: one of them can be printed");
  }
  refuse_beside_decision(request);
  request.decision.refuse_second_standard_input(request.graph, request.replayed);
  return request;
}

// The report to replay, where one is given.
std::optional<Report> read_decision(const Request& request) {
  if (request.replayed.empty()) return std::nullopt;
  return read_report(*Document::parse(read_text(request.replayed), shown_name(request.replayed)));
}

// What goes wrong in the replay is the report's.
Partition replay_of(JointGraph joint, const Report& decision, const std::string& file_name, const StageDone& done) {
  try {
    return replay(std::move(joint), decision, done);
  } catch (const Failure& failure) {
    throw about_part(failure, file_name);
  }
}

std::string show(const Request& request, const Report& report) {
  if (request.as_json) return report_json(report);
  if (request.as_csv) return report_csv(report);
  if (request.as_markdown) return report_markdown(report);
  return report_table(report);
}

// All files that the options ask for, whole or none; none where `before_renaming` throws.
void write_asked_for(const Request& request, const Partition& result, const Document& document,
                     const std::function<void()>& before_renaming) {
  std::vector<OutputDirectory> outputs;
  std::string curve, page;
  if (!request.output_directory.empty()) {
    outputs.push_back({request.output_directory, files_of(result, document), "--output-dir"});
    if (request.memory_curve) {
      curve = memory_curve_csv(result.memory, result.graphs);
      outputs.back().files.push_back({"memory_curve.csv", curve});
    }
  }
  if (!request.html.empty()) {
    page = html_page(page_data(result.report, result.graphs, result.memory));
    outputs.push_back(single_file(request.html, page, "--html"));
  }
  write_files(outputs, request.overwrite, before_renaming);
}

// What is to be printed; the files are written meanwhile, and appear where it could be made.
std::string show_and_write(const Request& request, const Partition& result, const Document& document) {
  const HeldSignals held;  // by all threads, this one's included
  auto showing = std::async(show, std::cref(request), std::cref(result.report));
  std::string shown;
  write_asked_for(request, result, document, [&] { shown = showing.get(); });
  return shown;
}

}  // namespace

ExitStatus run_partition(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  StageClock clock;
  const StageDone done = [&](std::string_view stage) { clock.done(stage); };
  const Request request = parse(arguments, out);
  if (request.help) return ExitStatus::Done;
  const std::optional<Report> decision = read_decision(request);
  const Settings settings = decision ? decision->settings : request.decision.resolve_settings();
  const PolicyStack policies = request.decision.resolve_policies();
  done("options");
  GraphFile& file = keep_until_exit(read_graph_file(request.graph, err, settings.torch_version, done));
  const Stopwatch partitioning(err);
  const Partition& result = keep_until_exit(within_memory(file.name, [&] {
    return decision ? replay_of(std::move(file.joint), *decision, shown_name(request.replayed), done)
                    : partition_graph(std::move(file.joint), settings, policies, file.name, err, done);
  }));
  partitioning.done("partitioned it");
  for (const std::string& warning : result.report.warnings) warn(err, file.name, warning);
  const Stopwatch writing(err);
  const std::string shown =
      within_memory(file.name, [&] { return show_and_write(request, result, *file.document); });
  done("show and write");
  out << shown << std::flush;
  done("print");
  writing.done("wrote what was asked for");
  if (request.time_stages) err << clock.table();
  if (request.time_stages_json) err << clock.json();
  return ExitStatus::Done;
}

}  // namespace fxcut
