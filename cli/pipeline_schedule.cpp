#include "cli/pipeline_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "cli/input_file.h"
#include "diagnostic/diagnostic.h"
#include "schedule/known_schedules.h"
#include "schedule/read_schedule.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// The most actions of a generated schedule, to catch typing errors: more than any run has.
constexpr std::int64_t kMaxActions = 10'000'000;

Schedule make_known(const KnownSchedule& known, const ScheduleRequest& request, int stages) {
  if (request.microbatches < 1) {
    const bool is_given = request.microbatches != ScheduleRequest::kNotGiven;
    throw Failure(ExitStatus::Usage,
                  is_given ? fmt::format("--microbatches {} is too few", request.microbatches) : "expected --microbatches",
                  "a number from 1: into how many parts a batch is divided");
  }
  const int usual_per_rank = known.most_stages_per_rank == 1 ? 1 : 2;
  const int ranks = request.ranks != ScheduleRequest::kNotGiven ? request.ranks : std::max(1, stages / usual_per_rank);
  if (ranks < 1 || stages % ranks != 0) {
    throw Failure(ExitStatus::Usage,
                  fmt::format("{} cannot be divided equally over {} ranks", show_count(static_cast<std::size_t>(stages), "stage"),
                              ranks),
                  "--ranks sets their number");
  }
  if (std::int64_t{stages} * request.microbatches > kMaxActions) {
    throw Failure(ExitStatus::Usage, fmt::format("--microbatches: {} is too many", request.microbatches),
                  "a batch has fewer parts");
  }
  return make_schedule(known, {ranks, stages / ranks, request.microbatches});
}

void require_equal(std::string_view what, int in_file, int given, std::string_view from, const std::string& file) {
  if (given == ScheduleRequest::kNotGiven || in_file == given) return;
  throw Failure(ExitStatus::Usage, fmt::format("{} has {} {}, and {} {}", file, in_file, what, given, from),
                "the schedule has to be one of these stages");
}

Schedule read_file_schedule(const ScheduleRequest& request, int stages) {
  const std::string file = shown_name(request.name);
  const Schedule schedule = read_schedule(read_text(request.name), file);
  const ScheduleShape shape = shape_of(schedule);
  require_equal("stages", shape.stages, stages, "are given", file);
  require_equal("microbatches", shape.microbatches, request.microbatches, "are asked for by --microbatches", file);
  require_equal("ranks", static_cast<int>(schedule.size()), request.ranks, "are asked for by --ranks", file);
  return schedule;
}

bool is_file(const std::string& name) {
  std::error_code error;
  return name == "-" || name.find_first_of("./") != name.npos || std::filesystem::exists(name, error);
}

}  // namespace

std::string schedule_names() {
  std::string names;
  for (const KnownSchedule& known : known_schedules()) names += (names.empty() ? "" : ", ") + std::string(known.name);
  return names;
}

std::string name_of(const ScheduleRequest& request) {
  const KnownSchedule* known = find_schedule(request.name);
  return known ? std::string(known->name) : shown_name(request.name);
}

Schedule schedule_for(const ScheduleRequest& request, std::size_t stages) {
  const auto count = static_cast<int>(stages);
  if (const KnownSchedule* known = find_schedule(request.name)) return make_known(*known, request, count);
  if (is_file(request.name)) return read_file_schedule(request, count);
  std::vector<std::string_view> names;
  for (const KnownSchedule& known : known_schedules()) names.push_back(known.name);
  throw Failure(ExitStatus::Usage, fmt::format("unknown schedule '{}'", request.name),
                did_you_mean_or_known(request.name, names));
}

}  // namespace fxcut
