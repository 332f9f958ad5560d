// fxcut verify: whether a forward and a backward compute the same values as the joint graph.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <utility>

#include "cli/graph_file.h"
#include "cli/hints_option.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "json/fields.h"
#include "report/report.h"
#include "verify/join_backward.h"
#include "verify/verify.h"

namespace fxcut::verify_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut verify JOINT.json FORWARD.json BACKWARD.json [REPORT.json] [--format text|json[=FILE]]...\n"
    "       fxcut verify JOINT.json FORWARD.json BACKWARD_INPUT.json BACKWARD_WEIGHT.json [--format text|json[=FILE]]...\n"
    "       fxcut verify STEP.json REWRITTEN.json [REPORT.json] [--format text|json[=FILE]]...\n\n"
    "Checks, independently of how they were produced, that the forward and then the backward compute the same as the\n"
    "joint graph: each output is the same expression of the same inputs. With the report that fxcut wrote, values\n"
    "cross to the backward as the report says, and its figures have to be correct; without one they cross by name,\n"
    "and have to be in the positions where PyTorch's runtime expects them. Prints the mismatches; the exit status is\n"
    "1 if there are any. A backward may be given as the two parts that 'fxcut split-backward' writes. If the first two\n"
    "files are whole steps, the second, the step.json that was made of the first, has to compute the same, and to use the\n"
    "memory that the report says. One of the files may be standard input, written as -.\n\n"
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
  request->formats.choices();  // throws if they contradict each other
  return request;
}

// The text is that of a report, which `fxcut partition` wrote.
ReportJson read_report(const std::string& text, const InputFile& file) {
  if (!file.is_report()) {
    throw Failure(ExitStatus::BadInput, {{file.name, "expected \"format\": \"fxcut-report\"",
                                          "is this the report.json that 'fxcut partition --output-dir' writes?"}});
  }
  Mistakes mistakes;
  expect_version(file.document->root(), kReportVersion, mistakes);
  mistakes.raise();
  return ReportJson::parse(text, nullptr, false);
}

// The release in the report; that of the graph's producer if it has none.
std::string release_of(const std::optional<ReportJson>& report) {
  if (!report || !report->contains("torch_version") || !(*report)["torch_version"].is_string()) {
    return std::string(kAsProducer);
  }
  const auto version = (*report)["torch_version"].get<std::string>();
  return is_known_torch_version(version) ? version : std::string(kAsProducer);
}

// The numbers for the graph's symbols with which the report was made.
SymbolHints hints_of(const std::optional<ReportJson>& report) {
  SymbolHints hints;
  if (!report || !report->contains("hints") || !(*report)["hints"].is_object()) return hints;
  for (const auto& [symbol, number] : (*report)["hints"].items()) {
    if (number.is_number_integer()) hints.insert_or_assign(symbol, number.get<std::int64_t>());
  }
  return hints;
}

struct Given {
  std::vector<GraphFile> graphs;
  std::optional<ReportJson> report;  // after three graphs, or two steps
};

Given read(const std::vector<std::string>& files, std::ostream& err) {
  Given given;
  std::string last = read_text(files.back());
  const std::string name = shown_name(files.back());
  const InputFile file{name, Document::parse(last, name)};  // throws with the place if it is not JSON
  const bool is_report = files.size() == 4 ? !file.is("fx-graph") : files.size() == 3 && file.is_report();
  if (is_report) given.report = read_report(last, file);
  const std::string torch_version = release_of(given.report);
  for (std::size_t i = 0; i + 1 < files.size(); ++i) given.graphs.push_back(read_any_graph_file(files[i], err, torch_version));
  if (given.graphs.front().form == GraphForm::Joint) {
    given.graphs.front() = with_any_hints(std::move(given.graphs.front()), hints_of(given.report), torch_version);
  }
  if (!is_report) given.graphs.push_back(read_any_graph_text(std::move(last), name, err, torch_version));
  return given;
}

const JointGraph& side(const GraphFile& file, std::string_view side) {
  if (file.side == side) return file.joint;
  throw Failure(ExitStatus::BadInput,
                {{file.name, fmt::format("expected a {}: \"format\": \"fx-graph\" and \"side\": \"{}\"", side, side),
                  "give the joint graph, the forward and the backward, in this order"}});
}

const JointGraph& whole(const GraphFile& file) {
  if (file.form == GraphForm::Joint) return file.joint;
  throw Failure(ExitStatus::BadInput, {{file.name, "expected a joint graph: \"format\": \"fx-joint-graph\"",
                                        "give the joint graph, the forward and the backward, in this order"}});
}

const JointGraph& step(const GraphFile& file) {
  if (file.joint.step) return file.joint;
  throw Failure(ExitStatus::BadInput, {{file.name, "expected a whole step: \"format\": \"fx-step-graph\"",
                                        "of a joint graph give the forward and the backward as well"}});
}

Verification verify_parts(const std::vector<GraphFile>& graphs) {
  const JointGraph& joint = whole(graphs[0]);  // one after the other, so that the first mistake is reported
  const JointGraph& forward = side(graphs[1], "forward");
  const JointGraph& input_part = side(graphs[2], kInputSide);
  const JointGraph& weight_part = side(graphs[3], kWeightSide);
  std::vector<Mismatch> mismatches;
  Verification found = verify(joint, forward, join_backward(joint, input_part, weight_part, mismatches));
  found.mismatches.insert(found.mismatches.begin(), mismatches.begin(), mismatches.end());
  return found;
}

Verification verify_given(const Given& given) {
  const std::vector<GraphFile>& graphs = given.graphs;
  const ReportJson* const report = given.report ? &*given.report : nullptr;
  if (graphs.size() == 4) return verify_parts(graphs);
  if (graphs.size() == 2) {
    const JointGraph& before = step(graphs[0]);
    return verify_step(before, step(graphs[1]), report);
  }
  const JointGraph& joint = whole(graphs[0]);
  const JointGraph& forward = side(graphs[1], "forward");
  return verify(joint, forward, side(graphs[2], "backward"), report);
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto request = parse(arguments, out);
  if (!request) return ExitStatus::Done;
  const Given given = read(request->files, err);
  const Verification found = within_memory(given.graphs.front().name, [&] { return verify_given(given); });
  print_formats(request->formats, kFormats, request->overwrite, out, found);
  return found.mismatches.empty() ? ExitStatus::Done : ExitStatus::No;
}

}  // namespace fxcut::verify_command
