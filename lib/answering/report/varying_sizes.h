// One decision for several numbers of the graph's symbols (sizes/decide_for_sizes.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/int128.h"
#include "graph/symbol_hints.h"

namespace fxcut {

// Which of the costs at several sizes a decision minimises: their mean, or that at the largest size.
enum class LeastFor { Mean, Worst };

inline constexpr std::array<std::string_view, 2> kLeastFor = {"mean", "worst"};

// Its name in options and reports.
constexpr std::string_view name_of(LeastFor one) { return kLeastFor[static_cast<std::size_t>(one)]; }

// The decision at one of the sizes: figures of its report there.
struct SizePoint {
  SymbolHints hints;
  std::int64_t saved_bytes = 0;  // activations held: totals.saved_bytes_not_static
  Int128 peak_bytes = 0;         // MemoryReport::counted_peak_bytes
  double step_ms = 0, recomputed_ms = 0;
  std::optional<Int128> limit_bytes = std::nullopt;  // of the saved bytes or of the peak, whichever is limited
};

// How near a decision is to the optimum, by the prices of the frontier solver.
struct SizesQuality {
  Int128 run_cost = 0;  // the sum at all sizes, or that at the worst
  Int128 bound = 0;     // no decision within the limit at each costs less
};

struct VaryingSizes {
  LeastFor least_for = LeastFor::Mean;
  std::vector<SizePoint> points;                       // as the user lists them
  std::size_t decided_at = 0;                          // the point that the rest of the report is of
  std::optional<std::size_t> binding = std::nullopt;   // the point that is nearest its limit
  std::optional<SizesQuality> quality = std::nullopt;  // if it is known
};

// What a decision minimises where steps are compared by time: the sum of the points' times, or the longest.
double minimised_ms(const std::vector<SizePoint>& points, LeastFor least_for);

// A table with a row for each point, and the quantity that was minimised: text that begins with an empty line. Empty without
// points.
struct Report;
std::string show_varying_sizes(const Report& report);

}  // namespace fxcut
