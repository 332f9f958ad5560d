#include "report/pareto.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "text/printable.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::vector<std::string> with(std::vector<std::string> cells, std::string next, std::string last) {
  cells.push_back(std::move(next));
  cells.push_back(std::move(last));
  return cells;
}

std::string show_flops(Int128 flops) { return show_scaled(static_cast<double>(flops), "FLOP"); }

std::string show_peak(const std::optional<Int128>& peak_bytes) {
  return peak_bytes ? show_scaled(static_cast<double>(*peak_bytes), "B") : "";
}

// "12.6 kFLOP/MB": the highest cost per megabyte saved at which the decision is still the best.
std::string show_price(const Pareto& pareto, double price_per_byte) {
  constexpr double kMegabyte = 1e6;
  return fmt::format("{}/MB", show_cost(price_per_byte * kMegabyte, pareto.cost_unit));
}

std::string show_title(const Pareto& pareto) {
  return fmt::format("{}: what saving less costs, in {} ({})\n\n", pareto.graph.empty() ? "graph" : printable(pareto.graph),
                     pareto.estimator == "flops" ? "recomputed operations" : "recomputing time", pareto.estimator);
}

// By peak: "+104 ms", "+10.4 %": how much longer than the fastest step of all.
std::vector<std::string> step_cells(const Pareto& pareto, const StepFigures& step, std::int64_t saved_bytes) {
  const double fastest = pareto.points.back().step->ms, more = step.ms - fastest;
  return {show_scaled(static_cast<double>(step.peak_bytes), "B"), show_bytes(saved_bytes), show_time_change(more),
          fastest > 0 ? fmt::format("{:+.1f} %", 100 * more / fastest) : ""};
}

std::string peak_table(const Pareto& pareto) {
  std::string text = fmt::format("{}: what a lower peak costs, in the time of a step\n\n",
                                 pareto.graph.empty() ? "graph" : printable(pareto.graph));
  const std::vector<std::string> titles = {pareto.is_compiled ? "COMPILED" : "PEAK", "SAVED", "TIME", ""};
  Rows rows = {titles};
  for (const ParetoPoint& point : pareto.points) {
    std::vector<std::string> cells = step_cells(pareto, *point.step, point.choice.saved_bytes);
    if (rows.back() != cells) rows.push_back(std::move(cells));
  }
  const std::string more = cut_rows(rows);
  text += show_columns(rows, "rrrr") + more;
  if (pareto.points.empty()) return text;
  return text + fmt::format("(longer than the fastest, a step of {} estimated for {})\n",
                            show_time(pareto.points.back().step->ms), pareto.device);
}

std::string show_above_fastest(const Pareto& pareto, const PyTorchPoint& point) {
  const std::optional<double> least = least_cost_beside(pareto, point);
  return least && *least > 0 ? fmt::format("{:+.1f} %", 100 * (point.step->ms / *least - 1)) : "below all";
}

std::string peak_table_of_pytorch(const Pareto& pareto) {
  if (pareto.pytorch.empty() || pareto.points.empty()) return "";
  Rows rows = {{pareto.is_compiled ? "COMPILED" : "PEAK", "SAVED", "TIME", "", "ABOVE", "SETTINGS"}};
  for (const auto& [point, settings] : same_answers(pareto)) {
    std::vector<std::string> cells = step_cells(pareto, *point->step, point->saved_bytes);
    rows.push_back(with(std::move(cells), show_above_fastest(pareto, *point), settings));
  }
  const std::string more = cut_rows(rows);
  return fmt::format("\nPyTorch {}\n", pareto.torch.version()) + show_columns(rows, "rrrrrl") + more;
}

// The columns of both kinds of points: the recomputation in the estimator's unit, and the peak if some point has one.
class Columns {
 public:
  explicit Columns(const Pareto& pareto) : unit_(pareto.cost_unit), is_in_flops_(pareto.estimator == "flops") {
    const auto has_peak = [](const auto& point) { return point.peak_bytes.has_value(); };
    has_peak_ = std::any_of(pareto.points.begin(), pareto.points.end(), has_peak) ||
                std::any_of(pareto.pytorch.begin(), pareto.pytorch.end(), has_peak);
  }

  std::vector<std::string> titles() const { return select({"SAVED", "RECOMPUTED", "PEAK"}); }

  std::vector<std::string> cells(std::int64_t saved_bytes, Int128 flops, double cost,
                                 const std::optional<Int128>& peak_bytes) const {
    return select({show_bytes(saved_bytes), is_in_flops_ ? show_flops(flops) : show_cost(cost, unit_), show_peak(peak_bytes)});
  }

  std::string alignment() const { return std::string(select({"", "", ""}).size(), 'r'); }

 private:
  std::vector<std::string> select(std::vector<std::string> cells) const {
    if (!has_peak_) cells.pop_back();
    return cells;
  }

  std::string unit_;
  bool is_in_flops_;
  bool has_peak_ = false;
};

// Every corner, and between two corners a few decisions at even distances.
std::vector<const ParetoPoint*> choose_shown(const std::vector<ParetoPoint>& points) {
  constexpr std::size_t kMaxBetweenCorners = 3;
  std::vector<const ParetoPoint*> shown, between;
  const auto show_between = [&] {
    const std::size_t rows = std::min(between.size(), kMaxBetweenCorners);
    for (std::size_t i = 0; i < rows; ++i) shown.push_back(between[(2 * i + 1) * between.size() / (2 * rows)]);
    between.clear();
  };
  for (const ParetoPoint& point : points) {
    if (!point.choice.corner) {
      between.push_back(&point);
      continue;
    }
    show_between();
    shown.push_back(&point);
  }
  show_between();
  return shown;
}

std::string show_points(const Pareto& pareto, const Columns& columns) {
  Rows rows = {with(columns.titles(), "PRICE", "")};
  const std::vector<const ParetoPoint*> shown = choose_shown(pareto.points);
  for (const ParetoPoint* point : shown) {
    const FrontierPoint& choice = point->choice;
    auto cells = columns.cells(choice.saved_bytes, choice.recompute_flops, choice.recompute_cost, point->peak_bytes);
    if (std::equal(cells.begin(), cells.end(), rows.back().begin())) {  // with the price of a corner, if one is among them
      if (!choice.corner || !rows.back().back().empty()) continue;
      rows.pop_back();
    }
    rows.push_back(with(std::move(cells), choice.corner ? show_price(pareto, choice.price_per_byte) : "",
                        choice.corner ? "corner" : ""));
  }
  const bool is_cut = !cut_rows(rows).empty();  // the note counts these as well
  const std::size_t left_out = pareto.points.size() - (rows.size() - 1);
  const std::string note =
      left_out > 0 ? fmt::format("{} more{}: --csv and --json have all\n", left_out, is_cut ? "" : " between or like these") : "";
  return show_columns(rows, columns.alignment() + "rl") + note;
}

// "+24 %", or in the unit of cost if the hull's cost is 0.
std::string show_excess(const Pareto& pareto, const PyTorchPoint& point) {
  const std::optional<double> least = hull_cost(pareto.points, point.saved_bytes);
  if (!least) return "below all";
  const double excess = std::max(point.recompute_cost - *least, 0.0);
  if (*least <= 0) return excess <= 0 ? "+0 %" : fmt::format("+{}", show_cost(excess, pareto.cost_unit));
  return fmt::format("+{:.{}f} %", 100 * excess / *least, excess < *least / 10 ? 1 : 0);
}

std::string show_pytorch(const Pareto& pareto, const Columns& columns) {
  if (pareto.pytorch.empty()) return "";
  Rows rows = {with(columns.titles(), "ABOVE HULL", "SETTINGS")};
  for (const auto& [point, settings] : same_answers(pareto)) {
    rows.push_back(with(columns.cells(point->saved_bytes, point->recompute_flops, point->recompute_cost, point->peak_bytes),
                        show_excess(pareto, *point), settings));
  }
  const std::string more = cut_rows(rows);
  return fmt::format("\nPyTorch {}\n", pareto.torch.version()) + show_columns(rows, columns.alignment() + "rl") + more;
}

}  // namespace

std::string pareto_table(const Pareto& pareto) {
  if (pareto.by == ParetoBy::Peak) return peak_table(pareto) + peak_table_of_pytorch(pareto);
  const Columns columns(pareto);
  return show_title(pareto) + show_points(pareto, columns) + show_pytorch(pareto, columns);
}

}  // namespace fxcut
