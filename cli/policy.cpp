// fxcut policy: what the rules of a policy file match in a graph; and a decision in the form of a policy for those who decide
// themselves what they save.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "cli/decision_options.h"
#include "cli/graph_file.h"
#include "cli/hints_option.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "cli/partition_graph.h"
#include "cli/program_identity.h"
#include "cli/report_files.h"
#include "eager/save_list.h"
#include "eager/show_eager.h"
#include "explain/policy_matches.h"
#include "partition/higher_peak.h"
#include "read/read_policy.h"
#include "report/read_report.h"
#include "step/settings_for_step.h"

namespace fxcut::policy_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut policy POLICY.json GRAPH.json [--format text|json[=FILE]]...\n"
    "       fxcut policy GRAPH.json --as torch|torchtitan|jax[=FILE] [--format text|json[=FILE]]... [OPTION...]\n"
    "       fxcut policy GRAPH.json --as torch|torchtitan|jax[=FILE] --decision REPORT [--format text|json[=FILE]]...\n\n"
    "Shows which nodes of a joint graph (- is standard input) the rules of a policy file match, with their number and\n"
    "bytes, without deciding on the graph. 'fxcut help policies' describes such files.\n\n"
    "With --as torch it decides on the graph, as 'fxcut partition' does with the same options and memory_of=operators, since\n"
    "no compiler fuses them, and prints a Python module with a policy of selective checkpointing, by which eager PyTorch saves\n"
    "the same; or writes it to FILE, and prints what it saves, and what cannot be said so. --as torchtitan is the list of\n"
    "operators that torchtitan takes, --as jax a policy by names. 'fxcut help eager' tells how they are used.\n\n"
    "Example: fxcut policy rules.policy.json graph.json\n"
    "         fxcut policy graph.json --as torch=eager_policy.py --regions 'layers.*' --saved-bytes 12GB\n\n";

constexpr OutputFormat<std::string (*)(const StackMatches&)> kFormats[] = {{"text", matches_text}, {"json", matches_json, kJson}};
constexpr OutputFormat<std::string (*)(const EagerPolicy&)> kEagerFormats[] = {{"text", eager_text}, {"json", eager_json, kJson}};
constexpr OutputFormat<std::string (*)(const JaxNames&)> kJaxFormats[] = {{"text", jax_text}, {"json", jax_json, kJson}};

constexpr std::string_view kTorch = "torch", kTorchtitan = "torchtitan", kJax = "jax";

struct Request {
  std::vector<std::string> files;  // the policies and the graph, or the graph
  std::string written_as;          // the value of --as
  std::string form, form_file;     // its two parts
  std::string replayed;            // a report
  std::string regions;             // a pattern
  DecisionOptions decision;
  FormatOptions formats{kFormats};
  bool overwrite = false;
};

// --as torch=FILE.
void take_form(Request& request) {
  const std::size_t equals = request.written_as.find('=');
  request.form = request.written_as.substr(0, equals);
  const std::vector<std::string_view> names = {kTorch, kTorchtitan, kJax};
  if (std::ranges::find(names, request.form) == names.end()) {
    throw Failure(ExitStatus::Usage, fmt::format("--as {}: unknown form '{}'", request.written_as, request.form),
                  did_you_mean_or_known(request.form, names));
  }
  if (equals == std::string::npos) return;
  request.form_file = request.written_as.substr(equals + 1);
  refuse_dash(request.form_file, fmt::format("--as {}", request.written_as),
              fmt::format("--as {} prints the module", request.form));
  if (!request.form_file.empty()) return;
  throw Failure(ExitStatus::Usage, fmt::format("--as {}: expected a file", request.written_as),
                fmt::format("for example --as {}=policy.py", request.form));
}

void refuse_without_form(const Request& request) {
  std::string option = request.decision.first_given();
  if (!request.replayed.empty()) option = "--decision";
  if (!request.regions.empty()) option = "--regions";
  if (!option.empty()) {
    throw Failure(ExitStatus::Usage, fmt::format("{}: what a policy matches does not depend on a decision", option),
                  "--as torch decides: expected it as well");
  }
  if (request.files.size() != 2) {
    throw Failure(ExitStatus::Usage, "expected a policy file and a graph", "'fxcut policy POLICY.json GRAPH.json'");
  }
}

void refuse_with_form(const Request& request) {
  if (request.files.size() != 1) {
    throw Failure(ExitStatus::Usage,
                  fmt::format("--as {}: expected one graph, found {} files", request.form, request.files.size()),
                  "a policy file to decide by is given by --policy FILE");
  }
  if (request.form != kTorch && !request.regions.empty()) {
    throw Failure(ExitStatus::Usage, fmt::format("--regions: --as {} has no regions of its own", request.form), "drop --regions");
  }
  request.decision.refuse_with_report(request.replayed);
}

std::optional<Request> parse(const CommandArguments& arguments, std::ostream& out) {
  std::optional<Request> request(std::in_place);
  CommandLine line("policy", kUsage);
  line.add({"as", "NAME[=FILE]",
            "torch, torchtitan or jax: decide, and print the decision as a Python module for those, or write it to FILE"},
           request->written_as);
  line.add({"regions", "GLOB",
            "with --as torch: checkpoint each call of the modules of such names, such as 'layers.*', not the whole call"},
           request->regions);
  request->formats.add_to(line);
  line.add(kForce, request->overwrite);
  line.add({"decision", "REPORT", "with --as: the decision of this report, or of its directory; it must be of this graph"},
           request->replayed);
  request->decision.add_to(line);
  line.add_argument("file", request->files, -1);
  const auto given = line.parse(arguments, out);
  if (!given) return std::nullopt;
  line.refuse_empty_values(*given);
  if (request->written_as.empty()) {
    refuse_without_form(*request);
    refuse_second_standard_input({request->files[0], request->files[1]}, "the policies and the graph");
  } else {
    take_form(*request);
    refuse_with_form(*request);
    request->decision.refuse_second_standard_input(request->files.front(), request->replayed);
  }
  request->formats.choices();  // throws where they contradict each other
  return request;
}

void show_matches(const Request& request, std::ostream& out, std::ostream& err) {
  const PolicyStack stack = read_policies(*read_input_file(request.files[0]).document);
  const GraphFile file = read_graph_file(request.files[1], err);
  const StackMatches matches = within_memory(file.name, [&] { return match_stack(file.joint, stack, {}); });
  warn_of_all(err, file.name, matches.warnings);
  print_formats(request.formats, kFormats, request.overwrite, out, matches);
}

std::optional<Report> read_decision_to_say(const std::string& path) {
  if (path.empty()) return std::nullopt;
  const ReportFiles found = find_report_files(path);
  if (found.is_batch) {
    throw Failure(ExitStatus::Usage, "--decision: expected a report, found a batch", "name one graph's directory in it");
  }
  const std::string& report = found.files.front().path;
  return read_report(*Document::parse(read_text(report), shown_name(report)));
}

// The report of what is decided, or of the replay.
Report decide_to_say(const Request& request, const GraphFile& file, const std::optional<Report>& decision, std::ostream& err) {
  if (!decision) {
    Settings settings = request.decision.resolve_settings_of_one();
    const bool is_eager = request.form != kJax && memory_of(file.joint, settings) == MemoryOf::OfGraph;
    if (is_eager) settings.memory_of = MemoryOf::Operators;
    return partition_graph(file.joint, settings, request.decision.resolve_policies(), file.name, err).report;
  }
  try {
    return replay(file.joint, *decision).report;
  } catch (const Failure& failure) {
    throw about_part(failure, shown_name(request.replayed));
  }
}

// The command without its files of output.
std::string command_of(const Request& request) {
  std::string command = fmt::format("fxcut policy {} --as {}", in_shell(request.files.front()), request.form);
  if (!request.regions.empty()) command += " --regions " + in_shell(request.regions);
  if (!request.replayed.empty()) command += " --decision " + in_shell(request.replayed);
  return command + request.decision.for_shell();
}

// The module where no file is named for it, unless another form is asked for; else the other forms.
template <typename Policy, typename Formats>
void put_out_policy(const Request& request, const Policy& policy, std::string (*write)(const Policy&, const MadeBy&),
                    const Formats& formats, std::ostream& out) {
  std::vector<ShownText> shown;
  const bool prints_module = request.form_file.empty() && !request.formats.are_given();
  if (prints_module || !request.form_file.empty()) {
    shown.push_back({write(policy, {std::string(kVersion), command_of(request)}), request.form_file, "--as", false});
  }
  if (!prints_module) {
    const auto show = [&](const std::string& format) { return format_named(format, formats)(policy); };
    for (ShownText& text : show_formats(request.formats.choices(), show)) shown.push_back(std::move(text));
  }
  put_out(std::move(shown), request.overwrite, out);
}

// A whole step has forward and backward in one graph, by a decision for which nobody asks for checkpointing.
void refuse_whole_step(const GraphFile& file) {
  if (!file.joint.step) return;
  throw Failure(ExitStatus::BadInput, {{file.name, "a whole step: eager PyTorch runs its backward by itself",
                                        "expected a joint graph (fx-joint-graph), as fxcut.capture makes it"}});
}

void refuse_warnings(const GraphFile& file, const std::string& unsaid, std::ostream& err) {
  if (!unsaid.empty()) warn(err, file.name, unsaid);
  if (must_fail_for(warnings_so_far())) throw warnings_are_errors(warnings_so_far());
}

void say(const Request& request, const GraphFile& file, const Report& report, std::ostream& out, std::ostream& err) {
  if (request.form == kJax) {
    const JaxNames names = within_memory(file.name, [&] { return jax_names(file.joint, report); });
    refuse_warnings(file, unsaid_in_short(names), err);
    return put_out_policy(request, names, jax_policy, kJaxFormats, out);
  }
  const bool is_list = request.form == kTorchtitan;
  const EagerPolicy policy = within_memory(file.name, [&] {
    return is_list ? torchtitan_list(file.joint, report) : eager_policy(file.joint, report, request.regions);
  });
  refuse_warnings(file, unsaid_in_short(policy), err);
  put_out_policy(request, policy, is_list ? torchtitan_policy : torch_policy, kEagerFormats, out);
}

void decide_and_say(const Request& request, std::ostream& out, std::ostream& err) {
  const std::optional<Report> decision = read_decision_to_say(request.replayed);
  const std::string release = decision ? decision->settings.torch_version : request.decision.resolve_settings().torch_version;
  const GraphFile file = with_any_hints(read_graph_file(request.files.front(), err, release),
                                        decision ? decision->hints : SymbolHints(), release);
  refuse_whole_step(file);
  const Report report = within_memory(file.name, [&] { return decide_to_say(request, file, decision, err); });
  warn_of_all(err, file.name, report.warnings);
  say(request, file, report, out, err);
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto request = parse(arguments, out);
  if (!request) return ExitStatus::Done;
  request->written_as.empty() ? show_matches(*request, out, err) : decide_and_say(*request, out, err);
  return ExitStatus::Done;
}

}  // namespace fxcut::policy_command
