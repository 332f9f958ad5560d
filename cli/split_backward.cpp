// fxcut split-backward: a backward as two graphs, for pipeline schedules that run them separately.
#include <fmt/format.h>

#include <optional>
#include <ostream>

#include "cli/command.h"
#include "cli/graph_file.h"
#include "cli/keep_inputs.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "settings/settings.h"
#include "split/choose_held.h"
#include "split/describe_split.h"
#include "split/split_backward.h"
#include "write/files.h"
#include "write/graph_json.h"

namespace fxcut::split_backward_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut split-backward JOINT.json BACKWARD.json [--hold-least] [--output-dir DIR] [--format text|json[=FILE]]...\n"
    "       [--force]\n\n"
    "Splits the backward of a pipeline's stage: backward_input.json computes the gradients of the stage's inputs, which the\n"
    "previous stage waits for, and backward_weight.json those of its weights, which can wait. After its gradients the first\n"
    "returns what the second takes. The inputs that are weights are those in the joint graph's static_lifetime_inputs.\n"
    "Prints what is held between the two; with --hold-least it is the minimum, for which cheap operators run in the other part\n"
    "or in both. If there is only one kind of gradient, nothing is written: the backward is that part.\n\n"
    "  fxcut partition stage.json --output-dir out\n"
    "  fxcut split-backward stage.json out/backward.json --output-dir out\n"
    "  fxcut verify stage.json out/forward.json out/backward_input.json out/backward_weight.json\n\n";

constexpr OutputFormat<std::string (*)(const BackwardSplit&)> kFormats[] = {{"text", split_text}, {"json", split_json, kJson}};

struct Request {
  std::vector<std::string> files;
  std::string output_directory;
  FormatOptions formats{kFormats};
  bool hold_least = false;
  bool overwrite = false;
};

std::optional<Request> parse(const CommandArguments& arguments, std::ostream& out) {
  std::optional<Request> request(std::in_place);
  CommandLine line("split-backward", kUsage);
  line.add({"output-dir", "DIR", "write backward_input.json and backward_weight.json to DIR, which is created if missing"},
           request->output_directory);
  line.add({"hold-least", "", "hold the least between the two: cheap operators run in the other part, or in both"},
           request->hold_least);
  request->formats.add_to(line);
  line.add(kForce, request->overwrite);
  line.add_argument("file", request->files, -1);
  if (!line.parse(arguments, out)) return std::nullopt;
  if (request->files.size() != 2) {
    throw Failure(ExitStatus::Usage, fmt::format("expected two graphs, found {}", request->files.size()),
                  "'fxcut split-backward JOINT.json BACKWARD.json'");
  }
  refuse_second_standard_input({request->files.begin(), request->files.end()}, "the graphs");
  request->formats.choices();  // throws if they contradict each other
  return request;
}

GraphFile read_backward(const std::string& path, std::ostream& err) {
  GraphFile file = read_any_graph_file(path, err);
  if (file.form == GraphForm::Backward && file.side != kInputSide && file.side != kWeightSide) return file;
  throw Failure(ExitStatus::BadInput, {{file.name, "expected a backward: \"format\": \"fx-graph\" and \"side\": \"backward\"",
                                        "the backward.json that 'fxcut partition --output-dir' writes"}});
}

OutputDirectory files_of(const BackwardParts& parts, const GraphFile& backward, const Request& request) {
  const auto file = [&](const Graph& graph, std::string_view side) {  // which is written while `parts` and `backward` exist
    return OutputFile{fmt::format("{}.json", side), {}, [&graph, &parts, &backward, side](const TextSink& sink) {
                        write_graph_json(graph, parts.subgraphs, side, *backward.document, sink);
                      }};
  };
  return {request.output_directory, {file(parts.input, kInputSide), file(parts.weight, kWeightSide)}, "--output-dir"};
}

// Returns what `ask` returns; its failures are about the file.
auto about(const GraphFile& file, const auto& ask) {
  try {
    return within_memory(file.name, ask);
  } catch (const Failure& failure) {
    throw about_file(failure, file.name);
  }
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto request = parse(arguments, out);
  if (!request) return ExitStatus::Done;
  const GraphFile joint = read_graph_file(request->files[0], err);
  refuse_step(joint);
  const GraphFile backward = read_backward(request->files[1], err);
  const std::vector<bool> of_weights = about(joint, [&] { return gradients_of_weights(joint.joint); });
  const std::optional<BackwardParts> parts = about(backward, [&] {
    const DeviceProfile& device = device_of({}, joint.joint.graph).profile;
    const std::vector<NodeId> held =
        request->hold_least ? choose_held(joint.joint, backward.joint, of_weights, device) : std::vector<NodeId>{};
    return split_backward(backward.joint, of_weights, held);
  });
  std::vector<OutputDirectory> files;
  if (parts && !request->output_directory.empty()) files.push_back(files_of(*parts, backward, *request));
  const BackwardSplit split = describe_split(joint.joint, backward.joint, of_weights, parts);
  put_out(shown_in(request->formats, kFormats, split), request->overwrite, out, std::move(files));
  return ExitStatus::Done;
}

}  // namespace fxcut::split_backward_command
