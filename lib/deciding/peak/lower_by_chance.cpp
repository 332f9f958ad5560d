#include "peak/lower_by_chance.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace fxcut {
namespace {

constexpr int kRounds = 8;                           // in each the threshold falls
constexpr std::size_t kFirstTries = 40;              // from whose excess the first threshold is taken
constexpr Int128 kLowerBy = 64;                      // the limit is lower than the lowest peak by this part of it
constexpr std::size_t kOneOfSeveral = 3;             // changes of which one is of two storages
constexpr std::size_t kNearby = 12;                  // storages among which the second of two is

class Chance {
 public:
  Chance(PeakTrials& trials, const Fixings& fixings, const ChanceLimits& limits)
      : trials_(trials), limits_(limits), random_(static_cast<std::uint32_t>(limits.chance)) {
    for (StorageIndex s = 1; s < fixings.size(); ++s) {
      if (fixings[s] == Fixing::Open) open_.push_back(s);
    }
  }

  void run() {
    if (open_.empty()) return;
    const std::int64_t begin = trials_.work().steps();
    for (int round = 1; round <= kRounds && !is_over(); ++round) fall(begin + limits_.most_steps * round / kRounds);
  }

 private:
  bool is_over() { return trials_.is_spent() || trials_.lowest()->peak_bytes <= limits_.floor_bytes; }
  Int128 lowest() const { return trials_.lowest()->peak_bytes; }

  // Runs until that many steps of work are done in all.
  void fall(std::int64_t last_step) {
    start();
    const double threshold = usual_change();
    const std::int64_t first_step = trials_.work().steps();
    while (!is_over() && trials_.work().steps() < last_step) {
      if (limit_ >= lowest()) start();
      const double left = static_cast<double>(last_step - trials_.work().steps()) / static_cast<double>(last_step - first_step);
      const double share = static_cast<double>(random_()) / static_cast<double>(std::mt19937::max());
      step(threshold * left * left * share);
    }
  }

  void start() {
    kept_ = trials_.lowest()->kept;
    limit_ = std::max(limits_.floor_bytes, lowest() - std::max<Int128>(1, lowest() / kLowerBy));
    excess_ = *excess_of(kept_);
  }

  // The bytes above the limit, summed over all steps. nullopt if the choice is not feasible.
  std::optional<double> excess_of(const KeptStorages& kept) {
    if (!trials_.offer(kept).is_feasible) return std::nullopt;
    Int128 excess = 0;
    for (const Int128 bytes : trials_.simulation().bytes()) excess += std::max<Int128>(0, bytes - limit_);
    return static_cast<double>(excess);
  }

  // The mean growth of the excess after a change, over several changes.
  double usual_change() {
    double sum = 0;
    int worse = 0;
    for (std::size_t i = 0; i < kFirstTries && !is_over(); ++i) {
      change();
      const std::optional<double> excess = excess_of(kept_);
      take_back();
      if (!excess || *excess <= excess_) continue;
      sum += *excess - excess_;
      ++worse;
    }
    return worse == 0 ? 0 : sum / worse;
  }

  void step(double threshold) {
    change();
    const std::optional<double> excess = excess_of(kept_);
    if (excess && *excess <= excess_ + threshold) excess_ = *excess;
    else take_back();
  }

  void change() {
    const std::size_t first = random_() % open_.size();
    changed_ = {open_[first]};
    if (random_() % kOneOfSeveral == 0) {
      const StorageIndex second = open_[(first + 1 + random_() % kNearby) % open_.size()];
      if (second != changed_.front()) changed_.push_back(second);
    }
    for (const StorageIndex s : changed_) kept_[s] = !kept_[s];
  }

  void take_back() {
    for (const StorageIndex s : changed_) kept_[s] = !kept_[s];
  }

  PeakTrials& trials_;
  ChanceLimits limits_;
  std::vector<StorageIndex> open_;
  std::mt19937 random_;
  KeptStorages kept_;                  // the choice now
  std::vector<StorageIndex> changed_;  // by the last change
  Int128 limit_ = 0;
  double excess_ = 0;                  // of the choice now
};

}  // namespace

void lower_by_chance(PeakTrials& trials, const Fixings& fixings, const ChanceLimits& limits) {
  Chance(trials, fixings, limits).run();
}

}  // namespace fxcut
