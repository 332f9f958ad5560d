#include "peak/priced_positions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "frontier/incumbent.h"
#include "frontier/lagrangian_bound.h"
#include "frontier/relaxation.h"

namespace fxcut {
namespace {

constexpr int kMinRounds = 20;  // also after a search that took all its steps, which would have no bound else

class Pricing {
 public:
  Pricing(PeakTrials& trials, const PricedProblem& priced, const std::vector<Int128>& taken)
      : trials_(trials), unavoidable_(priced.unavoidable), state_(priced.state), besides_(priced.besides),
        weighted_(priced.problem), positions_(unavoidable_.positions()), price_(positions_, 0.0) {
    best_.prices.assign(weighted_.storages.size(), 0);
    best_.kept.assign(weighted_.storages.size(), true);
    for (std::size_t p = 0; p < positions_; ++p) {
      room_.push_back(static_cast<double>(trials.limit_bytes() - unavoidable_.bytes[p] - taken[p]));
    }
  }

  PricedPositions run(int most_rounds) {
    double step = 1;
    int since = 0;
    for (int round = 0; round < most_rounds && (round < kMinRounds || !trials_.is_spent()); ++round) {
      const double bound = solve();
      if (round == 0 || bound > bound_) {
        since = bound > bound_ * 1.001 ? 0 : since + 1;
        bound_ = bound;
        best_.prices = storage_prices_;
        best_.kept = kept_;
      } else {
        ++since;
      }
      if (since >= 8) {
        step /= 2;
        since = 0;
      }
      if (trials_.best() && static_cast<double>(trials_.best()->run_cost) <= bound_) break;
      if (!move(step, bound)) break;
    }
    best_.bound = static_cast<Int128>(std::max(0.0, std::floor(bound_ * (1 - 1e-9))));
    return best_;
  }

 private:
  // The bound at the prices; finds the excess of the cut at each position.
  double solve() {
    std::vector<double> before(positions_ + 1, 0);
    double paid = 0;
    for (std::size_t p = 0; p < positions_; ++p) {
      before[p + 1] = before[p] + price_[p];
      paid += price_[p] * room_[p];
    }
    storage_prices_.assign(weighted_.storages.size(), 0);
    double all = 1;
    for (std::size_t s = 1; s < weighted_.storages.size(); ++s) {
      double price = 0;
      for (const Span& span : unavoidable_.kept[s]) price += before[span.last + 1] - before[span.first];
      storage_prices_[s] = price * static_cast<double>(unavoidable_.memory[s]);
      all += storage_prices_[s];
    }
    // Integers for the cut, rounded down so that it is a bound.
    const double parts = std::min(65536.0, std::max(1.0, std::floor(0x1p60 / all)));
    for (std::size_t s = 1; s < weighted_.storages.size(); ++s) {
      weighted_.storages[s].bytes = static_cast<std::int64_t>(std::min(storage_prices_[s] * parts, 0x1p60));
    }
    const Price price{1, static_cast<Int128>(parts)};
    FixedState state = state_;
    state.kept_bytes = 0;
    for (std::size_t s = 1; s < weighted_.storages.size(); ++s) {
      if (state.fixings[s] == Fixing::Kept) state.kept_bytes += weighted_.storages[s].bytes;
    }
    Relaxation relaxation(weighted_, std::move(state), charged_);
    Incumbent none(weighted_, kNoLimit, trials_.work());
    const PricedOptimum optimum = optimum_at(weighted_, relaxation, none, price, 2);
    charged_ = relaxation.charged();
    kept_ = optimum.point.used;
    const std::vector<Int128> kept = kept_by_position(unavoidable_, kept_);
    for (std::size_t s = 1; s < besides_.size(); ++s) kept_[s] = kept_[s] || besides_[s];
    trials_.offer(kept_);
    excess_.assign(positions_, 0);
    for (std::size_t p = unavoidable_.from; p < positions_; ++p) excess_[p] = static_cast<double>(kept[p]) - room_[p];
    return static_cast<double>(optimum.value) / parts - paid;
  }

  // Changes the prices; returns false if they are optimal.
  bool move(double step, double bound) {
    double length = 0;
    for (std::size_t p = 0; p < positions_; ++p) {
      if (excess_[p] > 0 || price_[p] > 0) length += excess_[p] * excess_[p];
    }
    if (length == 0) return false;
    const double target = trials_.best() ? static_cast<double>(trials_.best()->run_cost) : all_run_cost();
    const double stride = step * std::max(target - bound, target * 0.01) / length;
    for (std::size_t p = 0; p < positions_; ++p) price_[p] = std::max(0.0, price_[p] + stride * excess_[p]);
    return true;
  }

  double all_run_cost() const {
    double all = 0;
    for (const Item& item : trials_.problem().items) all += static_cast<double>(item.run_cost);
    return all;
  }

  PeakTrials& trials_;
  const Unavoidable& unavoidable_;
  const FixedState& state_;
  const KeptStorages& besides_;
  RecomputeProblem weighted_;
  std::size_t positions_;
  std::vector<double> price_;   // by position: in run cost a byte
  std::vector<double> room_, excess_;
  std::vector<double> storage_prices_;
  KeptStorages kept_;  // the best choice at the prices
  std::vector<char> charged_;
  double bound_ = 0;
  PricedPositions best_;
};

constexpr double kShareOfBytes = 0.05;

}  // namespace

std::vector<double> with_share_of_bytes(std::vector<double> prices, const Unavoidable& unavoidable) {
  double all = 0, bytes = 1;
  for (std::size_t s = 0; s < prices.size(); ++s) {
    all += prices[s];
    bytes += static_cast<double>(unavoidable.memory[s]);
  }
  for (std::size_t s = 0; s < prices.size(); ++s) {
    prices[s] += 1e-9 + kShareOfBytes * std::max(all, 1.0) * static_cast<double>(unavoidable.memory[s]) / bytes;
  }
  return prices;
}

PricedPositions price_positions(PeakTrials& trials, const PricedProblem& priced, const std::vector<Int128>& taken,
                                int most_rounds) {
  return Pricing(trials, priced, taken).run(most_rounds);
}

}  // namespace fxcut
