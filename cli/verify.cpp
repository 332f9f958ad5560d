// fxcut verify: whether a forward and a backward compute the same values as the joint graph.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <utility>

#include "cli/graph_file.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "verify/verify.h"

namespace fxcut::verify_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut verify JOINT.json FORWARD.json BACKWARD.json [REPORT.json] [--format text|json[=FILE]]...\n"
    "       fxcut verify STEP.json REWRITTEN.json [REPORT.json] [--format text|json[=FILE]]...\n\n"
    "Checks, independently of how they were produced, that the forward and then the backward compute the same as the\n"
    "joint graph: each output is the same expression of the same inputs. With the report that fxcut wrote, values\n"
    "cross to the backward as the report says, and its figures have to be correct; without one they cross by name,\n"
    "and have to be in the positions where PyTorch's runtime expects them. Prints the mismatches; the exit status is\n"
    "1 if there are any. If the first two files are whole steps, the second, the step.json that was made of the first, has\n"
    "to compute the same, and to use the memory that the report says. One of the files may be standard input, written as -.\n\n"
    "  fxcut partition step.json --output-dir out\n"
    "  fxcut verify step.json out/forward.json out/backward.json out/report.json\n\n";

constexpr OutputFormat<std::string (*)(const Verification&)> kFormats[] = {{"text", verification_text},
                                                                          {"json", verification_json, kJson}};

struct Request {
  std::vector<std::string> files;
  FormatOptions formats{kFormats};
  bool overwrite = false;
};

std::optional<Request> parse(const CommandArguments& arguments, std::ostream& out) {
  std::optional<Request> request(std::in_place);
  CommandLine line("verify", kUsage);
  request->formats.add_to(line);
  line.add(kForce, request->overwrite);
  line.add_argument("file", request->files, -1);
  if (!line.parse(arguments, out)) return std::nullopt;
  const std::vector<std::string>& files = request->files;
  if (files.size() < 2 || files.size() > 4) {
    throw Failure(ExitStatus::Usage, fmt::format("expected two, three or four files, found {}", files.size()),
                  "'fxcut verify JOINT.json FORWARD.json BACKWARD.json [REPORT.json]', or two whole steps and their report");
  }
  refuse_second_standard_input({files.begin(), files.end()}, "the files");
  request->formats.choices();  // throws where they contradict each other
  return request;
}

// The report in the file, which `fxcut partition` wrote.
ReportJson read_report(const std::string& path) {
  const std::string text = read_text(path), name = shown_name(path);
  Document::parse(text, name);  // throws with the place where it is no JSON
  ReportJson report = ReportJson::parse(text, nullptr, false);
  if (!report.is_object() || !report.contains("format") || report["format"] != "fxcut-report") {
    throw Failure(ExitStatus::BadInput, {{name, "expected \"format\": \"fxcut-report\"",
                                          "is this the report.json that 'fxcut partition --output-dir' writes?"}});
  }
  return report;
}

GraphFile as_side(GraphFile file, GraphForm form) {
  if (file.form == form) return file;
  const std::string_view side = form == GraphForm::Forward ? "forward" : "backward";
  throw Failure(ExitStatus::BadInput,
                {{file.name, fmt::format("expected a {}: \"format\": \"fx-graph\" and \"side\": \"{}\"", side, side),
                  "give the joint graph, the forward and the backward, in this order"}});
}

GraphFile as_step(GraphFile file) {
  if (file.joint.step) return file;
  throw Failure(ExitStatus::BadInput, {{file.name, "expected a whole step: \"format\": \"fx-step-graph\"",
                                        "of a joint graph give the forward and the backward as well"}});
}

// The release in the report; that of the graph's producer if it has none.
std::string release_of(const ReportJson* report) {
  if (!report || !report->contains("torch_version") || !(*report)["torch_version"].is_string()) {
    return std::string(kAsProducer);
  }
  const auto version = (*report)["torch_version"].get<std::string>();
  return is_known_torch_version(version) ? version : std::string(kAsProducer);
}

Verification verify_steps(GraphFile before, GraphFile after, const std::optional<ReportJson>& report) {
  const GraphFile step = as_step(std::move(before)), rewritten = as_step(std::move(after));
  return within_memory(step.name, [&] { return verify_step(step.joint, rewritten.joint, report ? &*report : nullptr); });
}

Verification verify_files(const std::vector<std::string>& files, std::ostream& err) {
  std::optional<ReportJson> report;
  if (files.size() == 4) report = read_report(files[3]);
  const std::string torch_version = release_of(report ? &*report : nullptr);
  GraphFile joint = read_any_graph_file(files[0], err, torch_version), second = read_any_graph_file(files[1], err, torch_version);
  if (files.size() == 2 || (files.size() == 3 && second.joint.step)) {
    if (files.size() == 3) report = read_report(files[2]);
    return verify_steps(std::move(joint), std::move(second), report);
  }
  const GraphFile forward = as_side(std::move(second), GraphForm::Forward);
  const GraphFile backward = as_side(read_any_graph_file(files[2], err, torch_version), GraphForm::Backward);
  return within_memory(joint.name, [&] {
    return verify(joint.joint, forward.joint, backward.joint, report ? &*report : nullptr);
  });
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto request = parse(arguments, out);
  if (!request) return ExitStatus::Done;
  const Verification found = verify_files(request->files, err);
  print_formats(request->formats, kFormats, request->overwrite, out, found);
  return found.mismatches.empty() ? ExitStatus::Done : ExitStatus::No;
}

}  // namespace fxcut::verify_command
