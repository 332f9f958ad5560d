#include "peak/copied_memory.h"

#include <algorithm>

#include "offload/copy_times.h"

namespace fxcut {
namespace {

class Placing {
 public:
  Placing(const StepsOfSides& sides, const CopyChannel& channel, std::vector<SimulatedMemory>& memories)
      : channel_(channel.channel), forward_steps_(sides.forward_steps), memories_(memories) {
    begins_.push_back(0);
    for (std::size_t s = 0; s < sides.steps.size(); ++s) {
      if (s == forward_steps_) forward_time_ = begins_.back();
      begins_.push_back(begins_.back() + static_cast<double>(channel.run_times[index_of(sides.steps[s])]));
    }
  }

  double place(std::vector<StorageCopy> copies) const {
    std::erase_if(copies, [](const StorageCopy& copy) {
      return copy.forward == SimulatedMemory::kNowhere || copy.first_use == SimulatedMemory::kNowhere;
    });
    if (!channel_.overlaps) return put_at_uses(copies);
    const double before = place_in_forward(copies), after = place_in_backward(copies);
    if (!channel_.is_by_time) put_at_uses(copies);
    return before + after;
  }

 private:
  double duration(const StorageCopy& copy) const { return channel_.picoseconds_per_byte * static_cast<double>(copy.bytes); }

  // Returns the time if the device waits for each.
  double put_at_uses(const std::vector<StorageCopy>& copies) const {
    double waiting = 0;
    for (const StorageCopy& copy : copies) {
      waiting += 2 * duration(copy);
      memories_[copy.backward].first_step = copy.first_use;
    }
    return waiting;
  }

  double place_in_forward(std::vector<StorageCopy>& copies) const {
    std::ranges::stable_sort(copies, {}, [&](const StorageCopy& copy) { return memories_[copy.forward].last_step; });
    std::vector<CopyTime> times;
    for (const StorageCopy& copy : copies) times.push_back({begins_[memories_[copy.forward].last_step + 1], duration(copy)});
    const std::vector<double> ends = ends_of_copies(times);
    const double waiting = ends.empty() ? 0 : std::max(0.0, ends.back() - forward_time_);
    if (!channel_.is_by_time) return waiting;
    const std::size_t last_of_all = forward_steps_ < 2 ? 0 : forward_steps_ - 2;  // before the output
    for (std::size_t k = 0; k < copies.size(); ++k) {
      std::uint32_t& last = memories_[copies[k].forward].last_step;
      const auto end = std::ranges::lower_bound(begins_.begin() + last + 1, begins_.end(), ends[k]);
      const auto step = channel_.waits_at_end ? last_of_all : static_cast<std::size_t>(end - begins_.begin()) - 1;
      last = std::max(last, static_cast<std::uint32_t>(std::min(step, last_of_all)));
    }
    return waiting;
  }

  double place_in_backward(std::vector<StorageCopy>& copies) const {
    std::ranges::stable_sort(copies, {}, &StorageCopy::first_use);
    std::vector<CopyTime> times;
    for (const StorageCopy& copy : copies) times.push_back({begins_[copy.first_use] - forward_time_, duration(copy)});
    const Reloads reloads = latest_reloads(times);
    for (std::size_t k = 0; k < copies.size(); ++k) {
      const auto after = std::ranges::upper_bound(begins_, forward_time_ + reloads.begins[k]);
      const auto step = std::max(static_cast<std::size_t>(after - begins_.begin()) - 1, forward_steps_);
      memories_[copies[k].backward].first_step = std::min(static_cast<std::uint32_t>(step), copies[k].first_use);
    }
    return reloads.waiting;
  }

  const HostChannel& channel_;
  std::size_t forward_steps_;
  std::vector<SimulatedMemory>& memories_;
  std::vector<double> begins_;  // by step and after the last: the clock when it begins, on through both sides
  double forward_time_ = 0;
};

}  // namespace

double place_copies(const std::vector<StorageCopy>& copies, const StepsOfSides& sides, const CopyChannel& channel,
                    std::vector<SimulatedMemory>& memories) {
  return Placing(sides, channel, memories).place(copies);
}

}  // namespace fxcut
