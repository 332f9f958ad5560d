// Within a limit of saved bytes, values kept, kept in fewer bits, recomputed, or copied to the host as either: against an exact
// program of these outcomes, with its own count of memory and time, on random graphs whose values have several users.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cost/device_profile.h"
#include "cost/estimators.h"
#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "graph_text.h"
#include "host/host_channel.h"
#include "host/storage_uses.h"
#include "partition/partition.h"
#include "peak/copied_memory.h"
#include "peak/step_simulation.h"
#include "random_partition.h"
#include "seeds.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

constexpr double kRounding = 1000;  // picoseconds
constexpr std::int64_t kRow = 4 * 256, kScaleOfARow = 4, kRowInFewerBits = 256 + kScaleOfARow;  // bytes
constexpr double kBytesOfARow = kRow, kBytesOfAGb = 1024.0 * 1024.0 * 1024.0, kPicosecondsOfAMs = 1e9;

// Each value of the forward takes one to three of the last ones before it, and its gradient takes these and the gradients of its
// users.
class RandomStep {
 public:
  struct Value {
    std::vector<std::size_t> inputs, users;
    std::int64_t rows = 0;
    int ms = 0, backward_ms = 0;
  };

  RandomStep(std::uint32_t seed, std::size_t values) : random_(seed), values_(values) {
    for (std::size_t i = 0; i < values; ++i) {
      values_[i] = {{}, {}, 1 + below(8), static_cast<int>(1 + below(9)), static_cast<int>(1 + below(18))};
      const int near = static_cast<int>(std::min<std::size_t>(i, 4));
      for (int count = near == 0 ? 0 : 1 + below(3); count > 0; --count) take(i, i - 1 - static_cast<std::size_t>(below(near)));
    }
    for (std::size_t i = 0; i + 1 < values; ++i) {
      if (values_[i].users.empty()) take(values - 1, i);  // each is used
    }
    for (Value& value : values_) std::ranges::sort(value.users);
  }

  const std::vector<Value>& values() const { return values_; }
  std::int64_t rows() const {
    std::int64_t all = 0;
    for (const Value& value : values_) all += value.rows;
    return all;
  }

  std::string text() const {
    std::string text = "primals_1 = placeholder : f32[1, 256]@0 static\n", backward, returned;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      std::string inputs;
      for (const std::size_t input : values_[i].inputs) inputs += fmt::format("{}f{}", inputs.empty() ? "" : ", ", input);
      if (inputs.empty()) inputs = "primals_1";
      text += call(fmt::format("f{}", i), fmt::format("my.layer.default({})", inputs), values_[i].rows, i + 1, values_[i].ms);
      std::string taken = inputs;
      for (const std::size_t user : values_[i].users) taken += fmt::format(", b{}", user);
      if (values_[i].users.empty()) taken += ", tangents_1";
      backward = call(fmt::format("b{}", i), fmt::format("my.backward.default({})", taken), values_[i].rows, 100 + i,
                      values_[i].backward_ms) + backward;
    }
    text += fmt::format("tangents_1 = placeholder : f32[{}, 256]@99\n", values_.back().rows) + backward;
    for (std::size_t i = 1; i < values_.size(); ++i) {
      if (values_[i].inputs.empty()) returned += fmt::format(", b{}", i);
    }
    return text + fmt::format("return f{} | b0{}\n", values_.size() - 1, returned);
  }

 private:
  static std::string call(const std::string& name, const std::string& what, std::int64_t rows, std::size_t storage, int ms) {
    return fmt::format("{} = {} : f32[{}, 256]@{} runtime_ms={}\n", name, what, rows, storage, ms);
  }
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }
  void take(std::size_t user, std::size_t input) {
    std::vector<std::size_t>& inputs = values_[user].inputs;
    if (std::ranges::find(inputs, input) != inputs.end()) return;
    inputs.push_back(input);
    values_[input].users.push_back(user);
  }

  std::mt19937 random_;
  std::vector<Value> values_;
};

// Every decision on the values but the last, which is the step's result.
class EveryDecision {
 public:
  // `form_ms_a_row`: what making and restoring a form takes; without it there are none.
  EveryDecision(const RandomStep& step, std::int64_t limit_bytes, double ms_a_row,
                std::optional<double> form_ms_a_row = std::nullopt)
      : values_(step.values()), count_(values_.size() - 1), limit_bytes_(limit_bytes), ms_a_row_(ms_a_row),
        form_ms_a_row_(form_ms_a_row) {
    double now = 0;
    for (const auto& value : values_) ends_.push_back(now += value.ms);
  }

  // Milliseconds of recomputing, of forms and of waiting; none if all decisions take at least `below`.
  std::optional<double> least(double below = kNone) {
    has_.assign(count_, Has::Nothing);
    least_ = below;
    decide_first(count_, 0);
    return least_ < below ? std::optional(least_) : std::nullopt;
  }

 private:
  enum class Has { Nothing, Value, Form };
  static constexpr double kNone = std::numeric_limits<double>::max();

  // The gradient of each user takes the value: if the backward has nothing of it, it is recomputed, once.
  double cost_of(std::size_t i, Has has) const {
    if (has == Has::Form) return *form_ms_a_row_ * static_cast<double>(values_[i].rows);
    return has == Has::Nothing ? values_[i].ms : 0;
  }

  // Decides on the first `left` values, of which the last have the least time for copies.
  void decide_first(std::size_t left, double computing) {
    if (computing + least_wait(left) >= least_) return;
    if (left == 0) return try_decision(computing);
    for (const Has has : {Has::Value, Has::Nothing, Has::Form}) {
      if (has == Has::Form && !form_ms_a_row_) continue;
      has_[left - 1] = has;
      decide_first(left - 1, computing + cost_of(left - 1, has));
    }
    has_[left - 1] = Has::Nothing;
  }

  // Whatever is decided on the first `left`: of what is last used after some time more than the limit has to be copied after it.
  double least_wait(std::size_t left) const {
    double least = 0;
    for (std::size_t i = left; i < count_; ++i) {
      if (!is_available(i)) continue;
      std::int64_t bytes = -limit_bytes_;
      for (std::size_t k = left; k < count_; ++k) {
        if (is_available(k) && last_use(k) >= last_use(i)) bytes += bytes_of(k);
      }
      least = std::max(least, last_use(i) + copy_ms(bytes) - ends_.back());
    }
    return least;
  }

  void try_decision(double computing) {
    computing_ = computing;
    run_backward();
    order_.clear();
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!is_available(i)) continue;
      order_.push_back(i);
      bytes += bytes_of(i);
    }
    copy_more(0, bytes);
  }

  bool is_available(std::size_t i) const { return has_[i] != Has::Nothing; }

  // Just before each node of the backward what it takes is recomputed, in the order of the forward.
  void run_backward() {
    first_use_.assign(count_, kNone);
    is_there_.assign(count_, false);
    now_ = 0;
    for (std::size_t i = values_.size(); i-- > 0;) {
      is_wanted_.assign(count_, false);
      for (const std::size_t input : values_[i].inputs) want(input);
      for (std::size_t k = 0; k < i; ++k) {
        if (!is_wanted_[k]) continue;
        use_inputs(k);
        now_ += values_[k].ms;
        is_there_[k] = true;
      }
      use_inputs(i);
      now_ += values_[i].backward_ms;
    }
  }

  void want(std::size_t i) {
    if (is_available(i) || is_there_[i] || is_wanted_[i]) return;
    is_wanted_[i] = true;
    for (const std::size_t input : values_[i].inputs) want(input);
  }

  void use_inputs(std::size_t i) {
    for (const std::size_t input : values_[i].inputs) {
      if (is_available(input)) first_use_[input] = std::min(first_use_[input], now_);
    }
  }

  std::int64_t bytes_of(std::size_t i) const { return values_[i].rows * (has_[i] == Has::Form ? kRowInFewerBits : kRow); }
  double last_use(std::size_t i) const { return has_[i] == Has::Form ? ends_[i] : ends_[values_[i].users.back()]; }

  // The bytes of a form's copy, without its scales, which stay.
  std::int64_t copied_bytes(std::size_t i) const {
    return values_[i].rows * (has_[i] == Has::Form ? kRowInFewerBits - kScaleOfARow : kRow);
  }

  // A further copy makes no wait shorter.
  void copy_more(std::size_t next, std::int64_t bytes) {
    const double time = computing_ + waiting();
    if (time >= least_) return;
    if (bytes <= limit_bytes_) {
      least_ = time;
      return;
    }
    for (; next < order_.size(); ++next) {
      copied_.push_back(order_[next]);
      copy_more(next + 1, bytes - copied_bytes(order_[next]));
      copied_.pop_back();
    }
  }

  double copy_ms(std::int64_t bytes) const { return ms_a_row_ * static_cast<double>(bytes) / kBytesOfARow; }

  // Each direction is a channel; the forward waits at its end, and the backward at each first use. A form is made with its value.
  double waiting() {
    std::vector<std::size_t> copied = copied_;
    std::ranges::stable_sort(copied, {}, [&](std::size_t i) { return last_use(i); });
    double free_at = 0;
    for (const std::size_t i : copied) free_at = std::max(free_at, last_use(i)) + copy_ms(copied_bytes(i));
    const double in_forward = std::max(0.0, free_at - ends_.back());
    std::ranges::stable_sort(copied, {}, [&](std::size_t i) { return first_use_[i]; });
    double arrived = 0, late = 0;
    for (const std::size_t i : copied) {
      arrived += copy_ms(copied_bytes(i));
      late = std::max(late, arrived - first_use_[i]);
    }
    return in_forward + late;
  }

  const std::vector<RandomStep::Value>& values_;
  std::size_t count_;
  std::int64_t limit_bytes_;
  double ms_a_row_;
  std::optional<double> form_ms_a_row_;
  std::vector<Has> has_;                 // by value, what the backward has of it
  std::vector<double> ends_;             // in the forward
  std::vector<double> first_use_;        // in the backward, without waiting
  std::vector<bool> is_there_, is_wanted_;
  std::vector<std::size_t> order_, copied_;
  double now_ = 0, computing_ = 0, least_ = kNone;
};

Settings copying_within(std::int64_t rows, double ms_a_row) {
  Settings settings;
  settings.activation_memory_budget_solver = frontier_solver();
  settings.activation_memory_budget_runtime_estimator = *find_row(estimators(), "profile");
  settings.cse = false;  // values that are computed alike are different ones here
  settings.saved_bytes_limit = limit_of_bytes(rows * kRow);
  settings.offload = Offload::Auto;
  settings.offload_dialect = OffloadDialect::Ao;
  settings.activation_offload_cpu_gpu_bw = kBytesOfARow / kBytesOfAGb / (ms_a_row / 1000);
  return settings;
}

std::optional<FrontierFacts> decided_within(const RandomStep& step, const Settings& settings) {
  const auto found = partition_if_any(joint_graph(step.text()), settings);
  return found ? found->report.frontier : std::nullopt;
}

TEST(ThreeStates, BoundsHoldAndAnswersAreNearlyAlwaysTheFastest) {
  std::size_t compared = 0, near = 0, not_free = 0;
  for (std::uint32_t seed = 1; seed <= seeds(120); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const RandomStep step(seed, 5 + seed % 8);
    const std::int64_t limit = step.rows() * (1 + seed % 5) / 8;
    const double ms_a_row = 0.25 * (1 + seed % 12);
    const std::optional<double> exact = EveryDecision(step, limit * kRow, ms_a_row).least();
    const auto found = decided_within(step, copying_within(limit, ms_a_row));
    ASSERT_EQ(found.has_value(), exact.has_value());
    if (!found) continue;
    ++compared;
    const double least = *exact * kPicosecondsOfAMs, time = static_cast<double>(found->run_cost);
    EXPECT_LE(static_cast<double>(found->bound), least + kRounding);
    EXPECT_GE(time, least - kRounding);
    if (time <= 1.01 * least + kRounding) ++near;
    if (least > 0) ++not_free;
  }
  EXPECT_GE(compared, seeds(110));
  EXPECT_GE(not_free, seeds(80));
  EXPECT_GE(near * 100, compared * 95) << near << " of " << compared;
}

// On a device whose memory takes so long to make and restore the form of a row.
Settings with_forms(Settings settings, double form_ms_a_row) {
  auto device = std::make_shared<DeviceProfile>(device_profiles().front());
  device->efficiency.memory = 1;
  device->memory_gb_per_second = 2 * static_cast<double>(kRow + kRowInFewerBits) / (form_ms_a_row * 1e6);
  settings.own_device = std::move(device);
  settings.compress = Compress::Auto;
  return settings;
}

// In milliseconds, so that decisions that take as long are found.
double just_above(const FrontierFacts& found) {
  return (static_cast<double>(found.run_cost) + kRounding) / kPicosecondsOfAMs * (1 + 1e-9);
}

// Decisions within a limit of saved bytes, and those without forms, of steps of 13 to 39 nodes.
TEST(FourOutcomes, BoundsHoldAndAnswersAreTheFastestOrProven) {
  std::size_t compared = 0, near_or_proven = 0, better_with_forms = 0, copied_forms = 0;
  for (std::uint32_t seed = 1; seed <= seeds(120); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const RandomStep step(seed, 5 + seed % 14);
    const std::int64_t limit = step.rows() * (1 + seed % 5) / 12;
    const double ms_a_row = 0.5 * (1 + seed % 12), form_ms_a_row = 0.25 * (1 + seed % 7);
    const Settings without = copying_within(limit, ms_a_row), with = with_forms(without, form_ms_a_row);
    const auto found = decided_within(step, with), alone = decided_within(step, without);
    EveryDecision every(step, limit * kRow, ms_a_row, form_ms_a_row);
    const std::optional<double> exact = found ? every.least(just_above(*found)) : every.least();
    ASSERT_EQ(found.has_value(), exact.has_value());
    if (!found) continue;
    ++compared;
    const double least = *exact * kPicosecondsOfAMs, time = static_cast<double>(found->run_cost);
    EXPECT_LE(static_cast<double>(found->bound), least + kRounding);
    EXPECT_GE(time, least - kRounding);
    if (found->is_proven || time <= 1.01 * least + kRounding) ++near_or_proven;
    if (alone) {
      EXPECT_LE(time, static_cast<double>(alone->run_cost) + kRounding);
    }
    if (!alone || time < static_cast<double>(alone->run_cost) - kRounding) ++better_with_forms;
    if (found->host->bytes % kRow != 0) ++copied_forms;
  }
  EXPECT_GE(compared, seeds(100));
  EXPECT_GE(better_with_forms, seeds(40));
  EXPECT_GE(copied_forms, seeds(5));
  EXPECT_EQ(near_or_proven, compared);
}

// Within a limit of the peak: every plan, each simulated.
class EveryPlanWithinPeak {
 public:
  EveryPlanWithinPeak(JointGraph joint, const Settings& settings)
      : settings_(settings), decision_(decide(std::move(joint), settings_, {}, kNeverHalt)),
        distance_(distance_from_backward(decision_.joint.graph, decision_.users, decision_.roles)),
        analysis_{decision_.joint, decision_.users, decision_.roles, distance_, settings_},
        problem_(costed_problem(analysis_, decision_.storages, estimator_of_frontier(settings_))),
        times_(run_times(analysis_, estimator_of_frontier(settings_))), simulation_(analysis_, problem_, decision_.storages),
        uses_(analysis_, problem_, times_), evaluation_(problem_), channel_{channel_of(settings_), times_} {}

  Int128 peak_of_everything() {
    evaluation_.run(KeptStorages(problem_.storages.size(), true));
    return simulation_.run(evaluation_).peak_bytes;
  }

  std::optional<double> least_within(Int128 limit_bytes) {
    least_.reset();
    for (std::size_t available = 0; available < std::size_t{1} << (problem_.storages.size() - 1); ++available) {
      KeptStorages kept(problem_.storages.size(), false);
      for (std::size_t s = 1; s < kept.size(); ++s) kept[s] = (available >> (s - 1) & 1) != 0;
      const Outcome outcome = evaluation_.run(kept);
      const auto cost = static_cast<double>(outcome.run_cost);
      kept.front() = evaluation_.used().front();
      if (!outcome.feasible || evaluation_.used() != kept || (least_ && cost >= *least_)) continue;
      copy_more(uses_.of(evaluation_), 0, {}, cost, limit_bytes);
    }
    return least_;
  }

 private:
  void copy_more(const std::vector<StorageUse>& uses, std::size_t next, std::vector<StorageUse> copied, double cost,
                 Int128 limit) {
    const StepSimulation::Result result = simulation_.run(evaluation_, copied, &channel_);
    const double time = cost + result.waiting;
    if (result.peak_bytes <= limit && (!least_ || time < *least_)) least_ = time;
    for (; next < uses.size(); ++next) {
      copied.push_back(uses[next]);
      copy_more(uses, next + 1, copied, cost, limit);
      copied.pop_back();
    }
  }

  Settings settings_;
  Decision decision_;
  std::vector<std::int64_t> distance_;
  Analysis analysis_;
  RecomputeProblem problem_;
  std::vector<Int128> times_;
  StepSimulation simulation_;
  StorageUses uses_;
  Evaluation evaluation_;
  CopyChannel channel_;
  std::optional<double> least_;
};

TEST(ThreeStates, AreNearlyAlwaysTheFastestWithinAPeak) {
  std::size_t compared = 0, near = 0, not_free = 0;
  for (std::uint32_t seed = 1; seed <= seeds(200); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const RandomStep step(seed, 6 + seed % 7);
    Settings settings = copying_within(0, 0.25 * (1 + seed % 12));
    settings.saved_bytes_limit.reset();
    EveryPlanWithinPeak all(joint_graph(step.text()), settings);
    const Int128 limit = all.peak_of_everything() * (15 + seed % 5) / 20;
    const std::optional<double> least = all.least_within(limit);
    settings.peak_bytes_limit = limit_of_bytes(static_cast<std::int64_t>(limit));
    settings.memory_of = MemoryOf::Operators;
    const auto found = decided_within(step, settings);
    EXPECT_TRUE(least || !found);
    if (!least || !found) continue;
    ++compared;
    EXPECT_LE(static_cast<double>(found->bound), *least + kRounding);
    EXPECT_GE(static_cast<double>(found->run_cost), *least - kRounding);
    if (static_cast<double>(found->run_cost) <= 1.01 * *least + kRounding) ++near;
    if (*least > 0) ++not_free;
  }
  EXPECT_GE(not_free, seeds(20));
  EXPECT_GE(near * 100, compared * 95) << near << " of " << compared;
}

}  // namespace
}  // namespace fxcut
