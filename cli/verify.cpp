// fxcut verify: whether a forward and a backward compute what a joint graph computes.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "cli/graph_file.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/options.h"
#include "cli/settings_options.h"
#include "verify/verification_json.h"
#include "verify/verify.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut verify JOINT.json FORWARD.json BACKWARD.json [REPORT.json] [--json]\n\n"
    "Checks, without knowing how they were made, that the forward and then the backward compute what the joint graph\n"
    "computes: each output is the same expression over the same inputs. With the report that fxcut wrote beside them,\n"
    "values cross as it says and its figures have to be true; without one they cross by name, and have to stand where\n"
    "PyTorch's runtime, which goes by position, looks for them. Prints what does not hold, and the exit status is 1\n"
    "then. One of the files may be standard input, written as -.\n\n"
    "  fxcut partition step.json --output-dir out\n"
    "  fxcut verify step.json out/forward.json out/backward.json out/report.json\n\n";

struct Request {
  std::vector<std::string> files;
  bool as_json = false;
  bool help = false;
};

Request parse(const CommandArguments& arguments, std::ostream& out) {
  Request request;
  po::options_description visible("Options"), all;
  visible.add_options()
      ("json", po::bool_switch(&request.as_json), "print JSON instead of text")
      ("help", po::bool_switch(&request.help), "show this text");
  all.add(visible).add_options()("file", po::value(&request.files), "");
  parse_options(arguments, all, po::positional_options_description().add("file", -1), "verify");
  if (request.help) {
    out << kUsage << visible;
    return request;
  }
  if (request.files.size() < 3 || request.files.size() > 4) {
    throw Failure(ExitStatus::Usage, fmt::format("expected three or four files, found {}", request.files.size()),
                  "'fxcut verify JOINT.json FORWARD.json BACKWARD.json [REPORT.json]'");
  }
  if (std::count(request.files.begin(), request.files.end(), "-") > 1) {
    throw Failure(ExitStatus::Usage, "standard input can be one file only");
  }
  return request;
}

// The report in the file, which has to be one of partition's.
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

GraphFile read_side(const std::string& path, GraphForm form, std::ostream& err, const std::string& torch_version) {
  GraphFile file = read_any_graph_file(path, err, torch_version);
  if (file.form == form) return file;
  const std::string_view side = form == GraphForm::Forward ? "forward" : "backward";
  throw Failure(ExitStatus::BadInput,
                {{file.name, fmt::format("expected a {}: \"format\": \"fx-graph\" and \"side\": \"{}\"", side, side),
                  "the files are the joint graph, the forward and the backward, in this order"}});
}

// Whose release the report speaks of; that of the graph's producer where it does not say.
std::string release_of(const ReportJson* report) {
  if (!report || !report->contains("torch_version") || !(*report)["torch_version"].is_string()) {
    return std::string(kAsProducer);
  }
  const auto version = (*report)["torch_version"].get<std::string>();
  return is_known_torch_version(version) ? version : std::string(kAsProducer);
}

}  // namespace

ExitStatus run_verify(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  const Request request = parse(arguments, out);
  if (request.help) return ExitStatus::Done;
  std::optional<ReportJson> report;
  if (request.files.size() == 4) report = read_report(request.files[3]);
  const std::string torch_version = release_of(report ? &*report : nullptr);
  const GraphFile joint = read_graph_file(request.files[0], err, torch_version);
  const GraphFile forward = read_side(request.files[1], GraphForm::Forward, err, torch_version);
  const GraphFile backward = read_side(request.files[2], GraphForm::Backward, err, torch_version);
  const Verification found = within_memory(joint.name, [&] {
    return verify(joint.joint, forward.joint, backward.joint, report ? &*report : nullptr);
  });
  out << (request.as_json ? verification_json(found) : verification_text(found));
  return found.mismatches.empty() ? ExitStatus::Done : ExitStatus::No;
}

}  // namespace fxcut
