// The answer of fxcut pipeline: what each rank holds and when, and what each stage takes.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/rank_memory.h"
#include "schedule/schedule.h"
#include "schedule/simulate.h"
#include "schedule/stage_link.h"
#include "stage/stage_price.h"

namespace fxcut {

struct PipelineStage {
  std::string name;  // of its graph
  StageChoice choice;
};

struct PipelineReport {
  std::string schedule_name;  // PyTorch's, or the file's
  Schedule schedule;
  ScheduleShape shape;
  std::string device;  // for which times are estimated
  std::vector<PipelineStage> stages;
  std::optional<double> link_gb_per_second;  // between ranks; none: communication does not count
  std::vector<StageLink> links;              // of all stages
  std::string optimizer;                     // whose states count, "adam in float32"; or empty
  std::optional<std::int64_t> limit_bytes;   // of each rank
  std::optional<double> least_step_ms;      // a bound, with a limit (stage/plan_stages.h)
  SimulatedStep step;
  std::vector<RankMemory> memory;  // by rank
  std::vector<int> in_flight;      // by rank: the most at once, of stages and microbatches (schedule/liveness.h)

  std::size_t highest_rank() const;  // the first of those with the highest peak
};

// The links that take time and memory: all, if there is a rate.
std::vector<StageLink> counted_links(const PipelineReport& report);

// Runs the schedule of the report with its stages, one for each of the schedule's, on its links, and fills in the results. Throws
// what simulate() does.
PipelineReport run_pipeline(PipelineReport report);

// Human-readable: the step, then a row per rank and a row per stage.
std::string pipeline_text(const PipelineReport& report);

// schemas/pipeline.schema.json; `version` is the program's.
nlohmann::ordered_json pipeline_document(const PipelineReport& report, std::string_view version);

// The same as text, with a final newline.
std::string pipeline_json(const PipelineReport& report, std::string_view version);

// A line for each action: its rank, its position from 0, the action, its start and end in ms, and the most bytes while it runs.
std::string pipeline_csv(const PipelineReport& report);

}  // namespace fxcut
