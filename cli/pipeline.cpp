// fxcut pipeline: stages on ranks under a schedule: memory of each rank over time, time of the step, a decision for each stage.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>

#include "cli/command.h"
#include "cli/decision_options.h"
#include "cli/graph_file.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "cli/partition_graph.h"
#include "cli/pipeline_schedule.h"
#include "cli/program_identity.h"
#include "cost/device_profile.h"
#include "stage/pipeline_page.h"
#include "stage/pipeline_report.h"
#include "stage/pipeline_trace.h"
#include "stage/plan_stages.h"
#include "stage/split_at.h"
#include "stage/stage_links.h"
#include "write/files.h"
#include "write/graph_json.h"

namespace fxcut::pipeline_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut pipeline STAGE.json... --schedule NAME|FILE --microbatches M [--ranks R] [--memory SIZE] [OPTION...]\n"
    "       fxcut pipeline GRAPH.json --split-at MODULE,... [--output-dir DIR] --schedule NAME|FILE [OPTION...]\n\n"
    "Runs the stages of a pipeline under one of PyTorch's schedules, or a CSV that PyTorch wrote of one, and shows the memory\n"
    "of each rank over time, what it has in flight, when it waits, and the time of the step. Stages are joint graphs, in\n"
    "order; one file may be several stages. With --split-at, one graph is cut into stages. Each is partitioned under the\n"
    "settings; with --memory each has a decision of its own, so that every rank fits and the step is as short as possible.\n\n"
    "Schedules: GPipe, 1F1B, LoopedBFS, Interleaved1F1B, InterleavedZeroBubble, ZBVZeroBubble, DualPipeV.\n\n"
    "Formats: text, json, csv (a line per action), perfetto (a trace) and html (a page for a browser).\n\n"
    "Example: fxcut pipeline llama.json --split-at model.layers.16 --schedule 1F1B --microbatches 8 --memory 80GiB\n\n";

// Along the trade-off; more hardly improve the step, and each takes a partition of the graph.
constexpr std::size_t kMaxChoicesPerStage = 16;

constexpr std::string_view kText = "text";
using Show = std::string (*)(const PipelineReport& report);
constexpr OptionRow kHtml{"html", "FILE", "also write a page of the ranks over time: the same as --format html=FILE"};
constexpr OutputFormat<Show> kFormats[] = {
    {kText, pipeline_text},
    {"json", [](const PipelineReport& report) { return pipeline_json(report, kVersion); }, kJson},
    {"csv", pipeline_csv, kCsv},
    {"perfetto", pipeline_trace},
    {"html", [](const PipelineReport& report) { return pipeline_page(report, kVersion); }, kHtml}};

struct Request {
  std::vector<std::string> files;
  std::string split_at, memory, optimizer, link_bandwidth, output_directory;
  ScheduleRequest schedule;
  DecisionOptions decision;
  FormatOptions formats{kFormats};
  bool hold_least = false;
  bool force = false;
};

std::optional<Request> parse(const CommandArguments& arguments, std::ostream& out) {
  std::optional<Request> request(std::in_place);
  CommandLine line("pipeline", kUsage);
  line.add({"schedule", "NAME|FILE", "one of PyTorch's schedules by name, or a CSV of actions, one line per rank"},
           request->schedule.name);
  line.add({"microbatches", "M", "the parts of a batch; default for a CSV: as many as it has"}, request->schedule.microbatches);
  line.add({"ranks", "R", "devices; default: one for each stage, or one for two if the schedule has several on a rank"},
           request->schedule.ranks);
  line.add({"memory", "SIZE", "the memory of each rank, such as 80GiB: finds a decision for each stage so that all ranks fit"},
           request->memory);
  line.add({"split-at", "MODULE,...", "cut one graph into stages, where these modules begin"}, request->split_at);
  line.add({"output-dir", "DIR", "write the stages of --split-at to DIR as joint graphs, stage_0.json and so on"},
           request->output_directory);
  line.add({"link-bandwidth", "RATE",
            "count communication between ranks, at this rate in 10^9 bytes per second one way, or 'device', its links' rate"},
           request->link_bandwidth);
  line.add({"optimizer", "NAME[:DTYPE]", "count the states of an optimizer on each rank, as 'fxcut partition' does"},
           request->optimizer);
  line.add({"hold-least", "", "split backwards hold the least between their parts, as 'split-backward --hold-least' makes them"},
           request->hold_least);
  request->decision.add_to(line);
  request->formats.add_to(line);
  line.add(kForce, request->force);
  line.add_argument("stage", request->files, -1);
  const auto given = line.parse(arguments, out);
  if (!given) return std::nullopt;
  line.refuse_empty_values(*given);
  if (request->files.empty()) {
    throw Failure(ExitStatus::Usage, "expected the graphs of the stages", "'fxcut pipeline STAGE.json...'");
  }
  if (request->schedule.name.empty()) {
    throw Failure(ExitStatus::Usage, "expected --schedule", "one of " + schedule_names() + ", or a file");
  }
  if (!request->split_at.empty() && request->files.size() > 1) {
    throw Failure(ExitStatus::Usage, fmt::format("--split-at cuts one graph, and there are {}", request->files.size()),
                  "give the whole graph, or the stages without --split-at");
  }
  if (!request->output_directory.empty() && request->split_at.empty()) {
    throw Failure(ExitStatus::Usage, "--output-dir writes the stages of --split-at: expected that as well");
  }
  request->formats.choices();  // throws if they contradict each other
  return request;
}

// A stage's graph, and the file that it was read or cut from.
struct Stage {
  JointGraph joint;
  std::string file;
  std::shared_ptr<const Document> document;
};

std::vector<Stage> read_stages(const Request& request, const Settings& settings, std::ostream& err) {
  std::vector<Stage> stages;
  std::map<std::string, GraphFile> read;
  for (const std::string& path : request.files) {
    auto found = read.find(path);
    if (found == read.end()) found = read.emplace(path, read_graph_file(path, err, settings.torch_version)).first;
    refuse_step(found->second);
    stages.push_back({found->second.joint, found->second.name, found->second.document});
  }
  if (request.split_at.empty()) return stages;
  const Stage whole = std::move(stages.front());
  stages.clear();
  try {
    for (JointGraph& joint : split_at(whole.joint, names_at_commas(request.split_at, "--split-at"))) {
      stages.push_back({std::move(joint), whole.file, whole.document});
    }
  } catch (const Failure& failure) {
    throw about_file(failure, whole.file);
  }
  return stages;
}

std::int64_t memory_of(const Request& request, const Settings& settings) {
  const auto limit = parse_memory_limit(request.memory);
  if (!limit || limit->is_least) {
    throw Failure(ExitStatus::Usage, fmt::format("--memory: '{}' is not a size", request.memory), "such as 80GiB, of each rank");
  }
  if (settings.saved_bytes_limit || settings.peak_bytes_limit || settings.activation_memory_budget != 1.0) {
    throw cannot_be_combined("--memory", "a limit or budget of one stage", "--memory decides for each stage");
  }
  return limit->bytes;
}

// How the parts of a backward choose what they hold; nullopt unless the schedule splits backwards.
std::optional<Holding> holding_of(const Request& request, const Schedule& schedule) {
  if (splits_backward(schedule)) return request.hold_least ? Holding::Least : Holding::AsNeeded;
  if (!request.hold_least) return std::nullopt;
  throw Failure(ExitStatus::Usage, fmt::format("--hold-least: {} splits no backward", name_of(request.schedule)),
                "InterleavedZeroBubble, ZBVZeroBubble and DualPipeV do");
}

// The choices of each stage: one, or those along its trade-off. Equal files are decided on once.
std::vector<std::vector<StageChoice>> choices_of(const std::vector<Stage>& stages, const Request& request,
                                                 const Settings& settings, const Pricing& pricing, std::ostream& err) {
  const PolicyStack policies = request.decision.resolve_policies();
  std::vector<std::vector<StageChoice>> choices;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Stopwatch deciding(err);
    const bool is_again = request.split_at.empty() && i > 0 && request.files[i] == request.files[i - 1];
    if (is_again) {
      choices.push_back(choices.back());
    } else if (request.memory.empty()) {
      const Partition partition = partition_graph(stages[i].joint, settings, policies, stages[i].file, err);
      choices.push_back({price_stage(partition, pricing)});
    } else {
      try {
        choices.push_back(stage_choices(stages[i].joint, settings, policies, pricing, kMaxChoicesPerStage));
      } catch (const Failure& failure) {
        throw about_file(failure, stages[i].file);
      }
    }
    deciding.done(fmt::format("decided on stage {}", i));
  }
  return choices;
}

std::optional<Optimizer> optimizer_of(const Request& request) {
  if (request.optimizer.empty()) return std::nullopt;
  return parse_optimizer(request.optimizer);
}

// In 10^9 bytes per second, one way.
std::optional<double> rate_between_ranks(const Request& request, const DeviceProfile& device) {
  if (request.link_bandwidth.empty()) return std::nullopt;
  if (request.link_bandwidth == "device") return link_rate(device);
  const char* const end = request.link_bandwidth.data() + request.link_bandwidth.size();
  double rate = 0;
  const auto read = std::from_chars(request.link_bandwidth.data(), end, rate);
  if (read.ec == std::errc() && read.ptr == end && std::isfinite(rate) && rate >= kMinRate) return rate;
  throw Failure(ExitStatus::Usage, fmt::format("--link-bandwidth: '{}' is not a rate", request.link_bandwidth),
                "a positive number, in 10^9 bytes per second, or device for the links of the device");
}

std::vector<StageLink> links_between(const std::vector<Stage>& stages, std::optional<double> gb_per_second) {
  constexpr double kBytesPerGbMs = 1e6;  // 10^9 bytes per second in bytes per millisecond
  std::vector<const JointGraph*> graphs;
  for (const Stage& stage : stages) graphs.push_back(&stage.joint);
  std::vector<StageLink> links = find_links(graphs);
  for (StageLink& link : links) {
    if (!gb_per_second) continue;
    link.forward_ms = static_cast<double>(link.forward_bytes) / (*gb_per_second * kBytesPerGbMs);
    link.backward_ms = static_cast<double>(link.backward_bytes) / (*gb_per_second * kBytesPerGbMs);
  }
  return links;
}

PipelineReport answer(const Request& request, const Settings& settings, const std::vector<Stage>& stages, std::ostream& err) {
  std::optional<std::int64_t> limit_bytes;
  if (!request.memory.empty()) limit_bytes = memory_of(request, settings);
  const Schedule schedule = schedule_for(request.schedule, stages.size());
  const Pricing pricing = {holding_of(request, schedule), optimizer_of(request)};
  const auto choices = choices_of(stages, request, settings, pricing, err);
  PipelineReport report;
  report.schedule_name = name_of(request.schedule);
  report.schedule = schedule;
  const DeviceProfile& device = device_of(settings, stages.front().joint.graph).profile;
  report.device = device.name;
  report.limit_bytes = limit_bytes;
  if (pricing.optimizer) report.optimizer = fmt::format("{} in {}", pricing.optimizer->name, pricing.optimizer->dtype->name);
  report.link_gb_per_second = rate_between_ranks(request, device);
  report.links = links_between(stages, report.link_gb_per_second);
  StagePlan plan{std::vector<std::size_t>(stages.size()), 0};
  try {
    if (limit_bytes) plan = plan_stages(schedule, choices, *limit_bytes, counted_links(report));
    for (std::size_t i = 0; i < stages.size(); ++i) report.stages.push_back({stages[i].joint.name, choices[i][plan.picked[i]]});
    if (limit_bytes) report.least_step_ms = plan.least_step_ms;
    return run_pipeline(std::move(report));
  } catch (const Failure& failure) {
    throw failure.status() == ExitStatus::BadInput ? about_file(failure, request.schedule.name) : failure;
  }
}

std::vector<OutputDirectory> files_of(const Request& request, const std::vector<Stage>& stages) {
  if (request.output_directory.empty()) return {};
  std::vector<OutputFile> files;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    files.push_back({fmt::format("stage_{}.json", i), {}, [&stage = stages[i]](const TextSink& sink) {
                       write_joint_graph_json(stage.joint, *stage.document, sink);
                     }});
  }
  return {{request.output_directory, std::move(files), "--output-dir"}};
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto request = parse(arguments, out);
  if (!request) return ExitStatus::Done;
  const Settings settings = request->decision.resolve_settings();
  std::vector<Stage> stages;
  const PipelineReport report = within_memory(request->files.front(), [&] {
    stages = read_stages(*request, settings, err);
    return answer(*request, settings, stages, err);
  });
  put_out(shown_in(request->formats, kFormats, report), request->force, out, files_of(*request, stages));
  return ExitStatus::Done;
}

}  // namespace fxcut::pipeline_command
