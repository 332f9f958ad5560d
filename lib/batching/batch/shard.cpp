#include "batch/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <queue>
#include <string_view>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

constexpr std::string_view kForms = "--shard takes 3/8 (of 8 parts 0 to 7), auto (in a Slurm array task) or auto/8";

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// The number in a variable of the environment; nothing if it is not set.
std::optional<std::size_t> number_in(const Environment& environment, const char* variable) {
  const char* const text = environment(variable);
  if (!text) return std::nullopt;
  if (const auto value = number(text)) return value;
  throw Failure(ExitStatus::Usage, fmt::format("--shard auto: {} is '{}', which is not a number", variable, text));
}

Shard checked(std::size_t index, std::size_t count, const std::string& text, std::string_view where = "") {
  if (index < count) return {index, count};
  throw Failure(ExitStatus::Usage, fmt::format("--shard {}: {}no part {} of {}", text, where, index, count),
                fmt::format("{} parts are numbered from 0", count));
}

// The place of this task's number among FIRST, FIRST + STEP, ... LAST.
Shard slurm_task(const Environment& environment, const std::string& text) {
  const auto id = number_in(environment, "SLURM_ARRAY_TASK_ID");
  const auto count = number_in(environment, "SLURM_ARRAY_TASK_COUNT");
  if (!id || !count) {
    const bool is_kubernetes = environment("JOB_COMPLETION_INDEX") != nullptr;
    throw Failure(ExitStatus::Usage,
                  fmt::format("--shard {}: {} is not set", text, id ? "SLURM_ARRAY_TASK_COUNT" : "SLURM_ARRAY_TASK_ID"),
                  is_kubernetes ? "Kubernetes does not set the number of completions: use --shard auto/N"
                                : "use --shard I/N, or run it in a task of 'sbatch --array'");
  }
  const std::size_t gaps = std::max<std::size_t>(*count, 1) - 1;
  const std::size_t first = number_in(environment, "SLURM_ARRAY_TASK_MIN").value_or(0);
  const std::size_t last = std::max(first, number_in(environment, "SLURM_ARRAY_TASK_MAX").value_or(first + gaps));
  const std::size_t step = gaps > 0 ? (last - first) / gaps : 1;
  if (*id < first || step == 0 || last - first != step * gaps || (*id - first) % step != 0) {
    throw Failure(ExitStatus::Usage, fmt::format("--shard {}: the tasks of the array are not evenly numbered", text),
                  "use --shard auto/N, which uses the task's number from 0 on as it is");
  }
  return checked((*id - first) / step, *count, text);
}

Shard numbered_task(const Environment& environment, std::size_t count, const std::string& text) {
  for (const char* const variable : {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"}) {
    const auto index = number_in(environment, variable);
    if (index) return checked(*index, count, text, fmt::format("{} is {}: ", variable, *index));
  }
  throw Failure(ExitStatus::Usage,
                fmt::format("--shard {}: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set", text),
                "say --shard I/N");
}

}  // namespace

std::string Shard::name() const { return fmt::format("{}-of-{}", index, count); }

Shard parse_shard(const std::string& text, const Environment& environment) {
  if (text == "auto") return slurm_task(environment, text);
  const std::size_t slash = text.find('/');
  if (slash == text.npos) throw Failure(ExitStatus::Usage, fmt::format("--shard '{}'", text), std::string(kForms));
  const std::string_view view = text;
  const auto index = number(view.substr(0, slash)), count = number(view.substr(slash + 1));
  const bool is_auto = text.starts_with("auto/");
  if (!count || *count == 0 || (!index && !is_auto)) {
    throw Failure(ExitStatus::Usage, fmt::format("--shard '{}'", text), std::string(kForms));
  }
  return is_auto ? numbered_task(environment, *count, text) : checked(*index, *count, text);
}

std::vector<std::size_t> items_of(const Shard& shard, const std::vector<std::uintmax_t>& sizes) {
  std::vector<std::size_t> by_size(sizes.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });

  using Load = std::pair<std::uintmax_t, std::size_t>;  // of a part
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t part = 0; part < std::min(shard.count, sizes.size()); ++part) loads.emplace(0, part);
  std::vector<std::size_t> items;
  for (const std::size_t item : by_size) {
    const auto [load, part] = loads.top();
    loads.pop();
    if (part == shard.index) items.push_back(item);
    loads.emplace(load + sizes[item] + 1, part);  // also an empty file is work
  }
  std::sort(items.begin(), items.end());
  return items;
}

}  // namespace fxcut
