// fxcut partition: writes the forward, the backward and the report of a joint graph.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>

#include "cli/decision_options.h"
#include "cli/graph_file.h"
#include "cli/hints_option.h"
#include "cli/input_file.h"
#include "cli/keep_inputs.h"
#include "cli/keep_until_exit.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "cli/partition_graph.h"
#include "cli/pass_clock.h"
#include "explain/advice.h"
#include "html/page.h"
#include "partition/higher_peak.h"
#include "partition/ways_out.h"
#include "report/describe_parts.h"
#include "report/read_report.h"
#include "report/show_report.h"
#include "system/held_signals.h"
#include "write/files.h"

namespace fxcut::partition_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut partition GRAPH.json [--output-dir DIR] [--format text|table|json|csv|markdown|html[=FILE]]... [--force]\n"
    "                       [--config FILE] [--set KEY=VALUE]... [--policy FILE] [--save-names A,B] [OPTION...]\n"
    "       fxcut partition GRAPH.json --decision REPORT.json [--output-dir DIR] [--format NAME[=FILE]]... [--force]\n\n"
    "Reads a joint graph or a whole step (- is standard input), decides which values the forward saves for the backward,\n"
    "and prints a report. With --output-dir it also writes forward.json, backward.json and report.json there, and step.json\n"
    "for a whole step; with --html also the report for a browser.\n\n"
    "Example: fxcut partition step.json --save-names q,k --html step.html\n\n";

// The partition and the parts of its output.
struct Shown {
  const Partition& partition;
  const AdviceRequest& advised;
  std::shared_future<HoldingLess> less;  // computed by the first that shows it
};

using ShowPartition = std::string (*)(const Shown&);

std::string text_of(const Shown& shown) {
  return report_text(shown.partition.report, shown.less.get());
}

// With the ways to need less memory as decisions to pick from.
std::string page_of(const Shown& shown) {
  const AdviceRequest& advised = shown.advised;
  const HoldingLess& less = shown.less.get();
  std::vector<WayTaken> ways;
  if (advised.joint) ways = take_ways_out(less.ways, *advised.joint, advised.settings, advised.policies);
  const std::string command = fmt::format("fxcut partition {}{}", advised.graph, advised.options);
  std::vector<ShownDecision> decisions = {{shown.partition, "", command}};
  for (const auto& [way, partition] : ways) {
    const double more_ms = partition.report.run_time->step_ms - shown.partition.report.run_time->step_ms;
    decisions.push_back({partition, show_more_time(more_ms, shown.partition.report), command_of(less, way)});
  }
  return html_page(page_data(decisions, less.advice));
}

constexpr OutputFormat<ShowPartition> kFormats[] = {
    {"text", text_of},
    {"table", [](const Shown& s) { return report_table(s.partition.report); },
     {"all", "", "each saved value in a row of its own: the same as --format table"}},
    {"json", [](const Shown& s) { return report_json(s.partition.report); }, kJson},
    {"csv", [](const Shown& s) { return report_csv(s.partition.report); }, kCsv},
    {"markdown", [](const Shown& s) { return report_markdown(s.partition.report); },
     {"markdown", "", "the same as --format markdown: a summary for a pull request"}},
    {"html", page_of,
     {"html", "FILE", "also write the report for a browser, one file: the same as --format html=FILE"}},
};

struct Request {
  std::string graph;
  DecisionOptions decision;
  HintsOption hints;
  std::string least_for;
  std::string replayed;  // a report
  std::string output_directory;
  FormatOptions formats{kFormats};
  std::string optimizer;
  bool overwrite = false;
  bool memory_curve = false;
  bool time_stages = false, time_stages_json = false;
};

bool decides_for_several(const Request& request) { return request.hints.sizes().size() > 1; }

void refuse_wrong_sizes(const Request& request) {
  const bool is_several = decides_for_several(request);
  if (is_several && !request.replayed.empty()) {
    throw Failure(ExitStatus::Usage, "--decision: expected one number for each symbol of --hints",
                  "its report has the decision's figures at each size that it was made for");
  }
  if (request.least_for.empty()) return;
  if (std::ranges::find(kLeastFor, request.least_for) == kLeastFor.end()) {
    throw Failure(ExitStatus::Usage, fmt::format("--least-for {}: expected mean or worst", request.least_for));
  }
  if (!is_several) {
    throw Failure(ExitStatus::Usage, "--least-for: expected several sizes", "for example --hints s0=1024,4096");
  }
}

std::optional<Request> parse(const CommandArguments& arguments, std::ostream& out) {
  std::optional<Request> request(std::in_place);
  CommandLine line("partition", kUsage);
  request->decision.add_to(line);
  request->hints.add_to(line, HintsOption::Numbers::Several);
  line.add({"least-for", "mean|worst", "with several sizes: the least recomputation on average (default), or at the largest"},
           request->least_for);
  line.add({"decision", "REPORT", "replay the decision of this report, with its settings and policies; it must be of this graph"},
           request->replayed);
  line.add({"output-dir", "DIR", "write forward.json, backward.json and report.json to DIR, which is created if missing"},
           request->output_directory);
  line.add({"memory-curve", "", "also write memory_curve.csv to that directory: the memory in use at each node"},
           request->memory_curve);
  request->formats.add_to(line);
  line.add({"optimizer", "NAME[:DTYPE]",
            "count its states as resident: none, sgd, sgd_momentum, adam, adamw, adagrad or rmsprop, in float32 unless said: "
            "adam:bfloat16"},
           request->optimizer);
  line.add(kForce, request->overwrite);
  line.add({"time-stages", "", "print the time of each stage on standard error"}, request->time_stages);
  line.add({"time-stages-json", "", "the same, as JSON"}, request->time_stages_json);
  if (!parse_on_graph(line, arguments, request->graph, out)) return std::nullopt;
  if (request->memory_curve && request->output_directory.empty()) {
    throw Failure(ExitStatus::Usage, "--memory-curve writes a file: expected --output-dir DIR as well");
  }
  const std::vector<FormatChoice> choices = request->formats.choices();
  if (!request->optimizer.empty()) parse_optimizer(request->optimizer);  // throws for an unknown one
  for (const FormatChoice& choice : choices) {
    if (choice.name == "table" && choice.file.empty()) show_all_rows();
  }
  request->decision.refuse_with_report(request->replayed);
  refuse_wrong_sizes(*request);
  request->decision.refuse_second_standard_input(request->graph, request->replayed);
  return request;
}

// The report to replay, if one is given.
std::optional<Report> read_decision(const Request& request) {
  if (request.replayed.empty()) return std::nullopt;
  return read_report(*Document::parse(read_text(request.replayed), shown_name(request.replayed)));
}

// The optimizer that is asked for, or else the one whose states the replayed report counts.
std::string counted_optimizer(const Request& request, const std::optional<Report>& decision) {
  if (!request.optimizer.empty() || !decision || !decision->memory.optimizer) return request.optimizer;
  return decision->memory.optimizer->name + ":" + decision->memory.optimizer->dtype;
}

void count_optimizer_states(const std::string& optimizer, Partition& result) {
  if (optimizer.empty()) return;
  if (result.report.step && result.report.step->optimizer) {
    throw Failure(ExitStatus::Usage, "--optimizer counts the states of an optimizer, but the step has its own in it",
                  "drop --optimizer: the report counts the states that the step's optimizer uses");
  }
  result.report.memory.optimizer = states_of(parse_optimizer(optimizer), result.graphs);
}

// Failures of the replay are about the report.
Partition replay_of(JointGraph joint, const Report& decision, const std::string& file_name, const PassDone& done) {
  try {
    return compared_with_no_limit(std::move(joint), decision.settings, decision.policies,
                                  [&](JointGraph given) { return replay(std::move(given), decision, done); }, done);
  } catch (const Failure& failure) {
    throw about_part(failure, file_name);
  }
}

// With a copy of the graph if advice needs it, since the partition consumes the graph. Other forms of the report have no advice.
AdviceRequest advice_on(const Request& request, const JointGraph& joint, const Settings& settings, const PolicyStack& policies) {
  const std::string hints = request.hints.for_shell();
  AdviceRequest advised{nullptr, settings, policies, in_shell(request.graph), request.decision.for_shell() + hints,
                        request.decision.for_shell(DecisionOptions::Limits::No) + hints};
  const std::vector<FormatChoice> choices = request.formats.choices();
  const bool is_shown = std::any_of(choices.begin(), choices.end(), [](const FormatChoice& choice) {
    return choice.name == "text" || choice.name == "html";
  });
  const bool is_one_decision = !decides_for_several(request) && request.replayed.empty();
  if (is_shown && is_one_decision && is_tried_for_advice(joint.graph.size())) {
    advised.joint = std::make_shared<const JointGraph>(joint);
  }
  begin_ways_out(advised);
  return advised;
}

// Writes all files of the options or none; none if `before_renaming` throws.
void write_outputs(const Request& request, const std::vector<FormatChoice>& choices, const Shown& result,
                   const Document& document, const std::function<void()>& before_renaming) {
  std::vector<OutputDirectory> outputs;
  std::string curve;
  std::deque<std::string> shown;  // which the outputs refer to
  if (!request.output_directory.empty()) {
    outputs.push_back({request.output_directory, files_of(result.partition, document), "--output-dir"});
    if (request.memory_curve) {
      curve = memory_curve_csv(result.partition.memory, result.partition.running());
      outputs.back().files.push_back({"memory_curve.csv", curve});
    }
  }
  for (const FormatChoice& choice : choices) {
    if (choice.file.empty()) continue;
    shown.push_back(format_named(choice.name, kFormats)(result));
    outputs.push_back(single_file(choice.file, shown.back(), choice.option));
  }
  write_beside_inputs(outputs, request.overwrite, before_renaming);
}

// The text to print, of which there is one; the files are written at the same time, and renamed after it is produced.
std::string show_and_write(const Request& request, const Shown& result, const Document& document) {
  const std::vector<FormatChoice> choices = request.formats.choices();
  const auto printed =
      std::find_if(choices.begin(), choices.end(), [](const FormatChoice& choice) { return choice.file.empty(); });
  const HeldSignals held;  // in all threads, including this one
  auto showing = std::async(format_named(printed->name, kFormats), std::cref(result));
  std::string shown;
  write_outputs(request, choices, result, document, [&] { shown = showing.get(); });
  return shown;
}

// The graph with the numbers of the options for its symbols, or with those of the report that is replayed; of several as it is.
GraphFile read_sized(const Request& request, const std::optional<Report>& decision, const Settings& settings,
                     std::ostream& err, const PassDone& done) {
  GraphFile file = read_graph_file(request.graph, err, settings.torch_version, done);
  if (decides_for_several(request)) return file;
  if (request.hints.is_given()) return request.hints.one_of(std::move(file), settings.torch_version);
  if (decision) return with_any_hints(std::move(file), decision->hints, settings.torch_version);
  return file;
}

// One decision for all sizes of the options; `file` becomes that at which the partition is.
Partition decide_for_all(const Request& request, GraphFile& file, const Settings& settings, const PolicyStack& policies,
                         std::ostream& err) {
  const std::string name = file.name;
  std::vector<JointGraph> sizes;
  for (const SymbolHints& hints : request.hints.sizes()) {
    sizes.push_back(with_hints(file, hints, settings.torch_version).joint);
  }
  const LeastFor least_for = request.least_for == name_of(LeastFor::Worst) ? LeastFor::Worst : LeastFor::Mean;
  DecidedForSizes decided = partition_for_sizes(sizes, settings, policies, least_for, name, err);
  file = with_hints(file, sizes[decided.at].hints, settings.torch_version);
  return std::move(decided.partition);
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  PassClock clock;
  const PassDone done = [&](std::string_view pass) { clock.done(pass); };
  const auto request = parse(arguments, out);
  if (!request) return ExitStatus::Done;
  const std::optional<Report> decision = read_decision(*request);
  const Settings settings = decision ? decision->settings : request->decision.resolve_settings_of_one();
  const PolicyStack policies = request->decision.resolve_policies();
  done("options");
  GraphFile& file = keep_until_exit(read_sized(*request, decision, settings, err, done));
  AdviceRequest advised =
      within_memory(file.name, [&] { return advice_on(*request, file.joint, settings, policies); });
  const Stopwatch partitioning(err);
  Partition& result = keep_until_exit(within_memory(file.name, [&] {
    if (decision) return replay_of(std::move(file.joint), *decision, shown_name(request->replayed), done);
    if (decides_for_several(*request)) return decide_for_all(*request, file, settings, policies, err);
    return partition_graph(std::move(file.joint), settings, policies, file.name, err, done);
  }));
  count_optimizer_states(counted_optimizer(*request, decision), result);
  partitioning.done("partitioned it");
  warn_of_all(err, file.name, result.report.warnings);
  if (must_fail_for(warnings_so_far())) throw warnings_are_errors(warnings_so_far());
  const Stopwatch writing(err);
  const std::string shown = within_memory(file.name, [&] {
    auto less = std::async(std::launch::deferred, [&] {  // of one decision for several sizes there is none
      return decides_for_several(*request) ? HoldingLess() : advise(result, advised);
    });
    return show_and_write(*request, {result, advised, less.share()}, *file.document);
  });
  done("show and write");
  out << shown << std::flush;
  done("print");
  writing.done("wrote what was asked for");
  if (request->time_stages) err << clock.table();
  if (request->time_stages_json) err << clock.json();
  if (advised.ways.valid()) advised.ways.wait();  // no thread of the program runs while it ends
  keep_until_exit(std::move(advised));
  return ExitStatus::Done;
}

}  // namespace fxcut::partition_command
