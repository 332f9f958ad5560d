#include "stage/pipeline_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "json/json_forms.h"
#include "schedule/liveness.h"
#include "schedule/receive_buffers.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {

using PipelineJson = nlohmann::ordered_json;

constexpr int kPipelineVersion = 1;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string list_stages(const std::vector<int>& stages) {
  std::string text;
  for (const int stage : stages) text += (text.empty() ? "" : " ") + std::to_string(stage);
  return text;
}

std::string many_microbatches(int count) { return fmt::format("{} {}", count, count == 1 ? "microbatch" : "microbatches"); }

double mean_bubble(const SimulatedStep& step) {
  double sum = 0;
  for (std::size_t rank = 0; rank < step.busy_ms.size(); ++rank) sum += step.bubble(rank);
  return step.busy_ms.empty() ? 0 : sum / static_cast<double>(step.busy_ms.size());
}

std::int64_t states_of_all(const PipelineReport& report) {
  std::int64_t bytes = 0;
  for (const RankMemory& memory : report.memory) bytes += memory.optimizer;
  return bytes;
}

// The traffic between ranks.
std::string describe_links(const PipelineReport& report) {
  std::int64_t bytes = 0, buffers = 0;
  const auto rank_of = [&](int stage) { return report.shape.rank_of_stage[static_cast<std::size_t>(stage)]; };
  for (const StageLink& link : report.links) {
    if (rank_of(link.from) != rank_of(link.to)) bytes += link.forward_bytes + link.backward_bytes;
  }
  for (const RankMemory& memory : report.memory) buffers = std::max(buffers, memory.buffers_at_peak);
  return fmt::format("{} a microbatch, at most {} in buffers at a peak", show_bytes(bytes), show_bytes(buffers));
}

std::int64_t skipping_bytes(const PipelineReport& report) {
  std::int64_t bytes = 0;
  for (const StageLink& link : report.links) bytes += link.skips() ? link.forward_bytes + link.backward_bytes : 0;
  return bytes;
}

std::string rank_table(const PipelineReport& report) {
  std::vector<std::vector<std::string>> rows = {
      {"RANK", "STAGES", "PARAMETERS", "IN FLIGHT", "HELD", "PEAK", "AT", "BUSY", "WAITS"}};
  for (std::size_t rank = 0; rank < report.schedule.size(); ++rank) {
    const RankMemory& memory = report.memory[rank];
    const auto& actions = report.schedule[rank];
    rows.push_back({std::to_string(rank), list_stages(report.shape.stages_of(static_cast<int>(rank))),
                    show_bytes(memory.parameters), std::to_string(report.in_flight[rank]), show_bytes(memory.held_at_peak),
                    show_bytes(memory.peak()), actions.empty() ? "" : to_string(actions[memory.peak_at]),
                    show_time(report.step.busy_ms[rank]), percent(report.step.bubble(rank))});
  }
  const std::string more = cut_rows(rows);
  return show_columns_within(std::move(rows), "rlrrrrlrr") + more;
}

std::string stage_table(const PipelineReport& report) {
  const bool splits = splits_backward(report.schedule);
  std::vector<std::string> head = {"STAGE", "RANK", "FORWARD", "BACKWARD"};
  if (splits) head.insert(head.end(), {"I", "W", "BETWEEN"});
  head.insert(head.end(), {"SAVES", "HOLDS", "RECOMPUTES", "GRAPH"});
  std::vector<std::vector<std::string>> rows = {head};
  for (std::size_t i = 0; i < report.stages.size(); ++i) {
    const StageChoice& choice = report.stages[i].choice;
    const StageTimes& times = choice.times;
    const StageBytes& bytes = choice.bytes;
    std::vector<std::string> row = {std::to_string(i), std::to_string(report.shape.rank_of_stage[i]),
                                    show_time(times.forward_ms), show_time(times.backward_ms)};
    if (splits) {
      row.push_back(show_time(times.input_backward_ms));
      row.push_back(show_time(times.weight_backward_ms));
      row.push_back(show_bytes(bytes.held_for_weights));
    }
    row.insert(row.end(), {show_bytes(choice.saved_bytes), show_bytes(bytes.held),
                           show_time(choice.recomputed_ms), report.stages[i].name});
    rows.push_back(std::move(row));
  }
  const std::string more = cut_rows(rows);
  return show_columns_within(std::move(rows), std::string(head.size() - 1, 'r') + "l") + more;
}

PipelineJson stage_json(const PipelineReport& report, std::size_t i) {
  const StageChoice& choice = report.stages[i].choice;
  PipelineJson json = {{"graph", report.stages[i].name}, {"rank", report.shape.rank_of_stage[i]}};
  if (choice.limit_bytes) json["saved_bytes_limit"] = *choice.limit_bytes;
  json["saved_bytes_not_static"] = choice.saved_bytes;
  json["recomputed_flops"] = json_number(choice.recomputed_flops);
  json["recomputed_ms"] = choice.recomputed_ms;
  const StageBytes& bytes = choice.bytes;
  json["times"] = {{"forward_ms", choice.times.forward_ms}, {"backward_ms", choice.times.backward_ms}};
  json["bytes"] = {{"parameters", bytes.parameters}, {"gradients", bytes.gradients}, {"held", bytes.held},
                   {"forward", bytes.forward},       {"backward", bytes.backward}};
  if (!splits_backward(report.schedule)) return json;
  json["times"]["input_backward_ms"] = choice.times.input_backward_ms;
  json["times"]["weight_backward_ms"] = choice.times.weight_backward_ms;
  if (choice.holding == Holding::Least) json["hold_least"] = true;
  json["bytes"]["input_backward"] = bytes.input_backward;
  json["bytes"]["held_for_weights"] = bytes.held_for_weights;
  json["bytes"]["weight_backward"] = bytes.weight_backward;
  return json;
}

PipelineJson rank_json(const PipelineReport& report, std::size_t rank) {
  const RankMemory& memory = report.memory[rank];
  PipelineJson json = {{"rank", rank},
                       {"stages", report.shape.stages_of(static_cast<int>(rank))},
                       {"parameter_bytes", memory.parameters},
                       {"optimizer_bytes", memory.optimizer},
                       {"in_flight", report.in_flight[rank]},
                       {"peak_bytes", memory.peak()},
                       {"peak_at", memory.peak_at},
                       {"held_bytes_at_peak", memory.held_at_peak},
                       {"buffer_bytes_at_peak", memory.buffers_at_peak},
                       {"busy_ms", report.step.busy_ms[rank]},
                       {"bubble", report.step.bubble(rank)}};
  json["actions"] = PipelineJson::array();
  for (std::size_t i = 0; i < report.schedule[rank].size(); ++i) {
    const TimedAction& time = report.step.actions[rank][i];
    json["actions"].push_back({{"action", to_string(report.schedule[rank][i])},
                               {"begin_ms", time.begin_ms},
                               {"end_ms", time.end_ms},
                               {"bytes", memory.bytes[i]},
                               {"bytes_after", memory.after[i]}});
  }
  return json;
}

}  // namespace

std::size_t PipelineReport::highest_rank() const {
  const auto highest = std::max_element(memory.begin(), memory.end(),
                                        [](const RankMemory& a, const RankMemory& b) { return a.peak() < b.peak(); });
  return static_cast<std::size_t>(highest - memory.begin());
}

std::vector<StageLink> counted_links(const PipelineReport& report) {
  return report.link_gb_per_second ? report.links : std::vector<StageLink>{};
}

PipelineReport run_pipeline(PipelineReport report) {
  report.shape = shape_of(report.schedule);
  std::vector<StageTimes> times;
  std::vector<StageBytes> bytes;
  for (const PipelineStage& stage : report.stages) {
    times.push_back(stage.choice.times);
    bytes.push_back(stage.choice.bytes);
  }
  const std::vector<StageLink> counted = counted_links(report);
  report.step = simulate(report.schedule, times, counted);
  for (std::size_t rank = 0; rank < report.schedule.size(); ++rank) {
    report.memory.push_back(rank_memory(report.schedule, rank, bytes, receive_buffers(report.schedule, rank, counted)));
    report.in_flight.push_back(find_liveness(report.schedule, static_cast<int>(rank), LivenessOf::StageMicrobatch).slots);
  }
  return report;
}

std::string pipeline_text(const PipelineReport& report) {
  const std::size_t highest = report.highest_rank();
  std::string text = fmt::format("{}: {} on {}, {}\n\n", report.schedule_name, show_count(report.stages.size(), "stage"),
                                 show_count(report.schedule.size(), "rank"),
                                 many_microbatches(report.shape.microbatches));
  std::vector<std::vector<std::string>> rows = {
      {"step", show_time(report.step.step_ms),
       fmt::format("estimated for {}; ranks wait {} of it", report.device, percent(mean_bubble(report.step)))}};
  if (report.least_step_ms) {
    const double above = report.step.step_ms - *report.least_step_ms;
    rows.push_back({"bound", show_time(*report.least_step_ms),
                    above > 0 ? fmt::format("a plan of these decisions is at most {} faster", show_time(above))
                              : "no plan of these decisions is faster"});
  }
  rows.push_back({"peak", show_bytes(report.memory[highest].peak()), fmt::format("on rank {}, the highest", highest)});
  if (report.limit_bytes) rows.push_back({"limit", show_bytes(*report.limit_bytes), "of each rank"});
  if (report.link_gb_per_second) {
    rows.push_back({"links", fmt::format("{:g} GB/s", *report.link_gb_per_second), describe_links(report)});
  } else if (report.schedule.size() > 1) {
    rows.push_back({"links", "none", "communication is not counted: --link-bandwidth"});
  }
  if (const std::int64_t bytes = skipping_bytes(report); bytes > 0) {
    rows.push_back({"skips", show_bytes(bytes), "a microbatch to other stages than the next: not in PyTorch's schedules"});
  }
  if (!report.optimizer.empty()) rows.push_back({"states", show_bytes(states_of_all(report)), "of " + report.optimizer});
  text += show_columns_within(std::move(rows), "lrl");
  return text + "\n" + rank_table(report) + "\n" + stage_table(report);
}

PipelineJson pipeline_document(const PipelineReport& report, std::string_view version) {
  PipelineJson json = {{"format", "fxcut-pipeline"},
                       {"version", kPipelineVersion},
                       {"program", version},
                       {"schedule", report.schedule_name},
                       {"microbatches", report.shape.microbatches},
                       {"device", report.device},
                       {"step_ms", report.step.step_ms},
                       {"bubble", mean_bubble(report.step)}};
  if (report.limit_bytes) json["memory_limit"] = *report.limit_bytes;
  if (report.least_step_ms) json["least_step_ms"] = *report.least_step_ms;
  if (!report.optimizer.empty()) json["optimizer"] = report.optimizer;
  json["peak_bytes"] = report.memory[report.highest_rank()].peak();
  if (report.link_gb_per_second) json["link_gb_per_second"] = *report.link_gb_per_second;
  json["links"] = PipelineJson::array();
  for (const StageLink& link : report.links) {
    json["links"].push_back({{"from", link.from},
                             {"to", link.to},
                             {"forward_bytes", link.forward_bytes},
                             {"backward_bytes", link.backward_bytes}});
  }
  json["stages"] = PipelineJson::array();
  for (std::size_t i = 0; i < report.stages.size(); ++i) json["stages"].push_back(stage_json(report, i));
  json["ranks"] = PipelineJson::array();
  for (std::size_t rank = 0; rank < report.schedule.size(); ++rank) json["ranks"].push_back(rank_json(report, rank));
  return json;
}

std::string pipeline_json(const PipelineReport& report, std::string_view version) {
  return json_file(pipeline_document(report, version));
}

std::string pipeline_csv(const PipelineReport& report) {
  std::string text = "rank,position,action,begin_ms,end_ms,bytes\n";
  for (std::size_t rank = 0; rank < report.schedule.size(); ++rank) {
    for (std::size_t i = 0; i < report.schedule[rank].size(); ++i) {
      const TimedAction& time = report.step.actions[rank][i];
      text += fmt::format("{},{},{},{},{},{}\n", rank, i, to_string(report.schedule[rank][i]), time.begin_ms, time.end_ms,
                          report.memory[rank].bytes[i]);
    }
  }
  return text;
}

}  // namespace fxcut
