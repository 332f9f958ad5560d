// The trade-off between memory and recomputation, with PyTorch's decisions for comparison, as plain data. pareto_table,
// pareto_csv, pareto_json and pareto_svg print it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontier/frontier.h"
#include "graph/int128.h"
#include "policy/setting_rows.h"
#include "release/release.h"

namespace fxcut {

// A step's peak, of inductor's code if that is predicted and of the operators otherwise, and its time.
struct StepFigures {
  Int128 peak_bytes = 0;
  double ms = 0;
};

struct ParetoPoint {
  FrontierPoint choice;
  std::optional<Int128> peak_bytes;         // of the step's operators, if it was simulated
  std::optional<StepFigures> step = {};     // by peak
};

// PyTorch's decision with some settings.
struct PyTorchPoint {
  std::vector<std::pair<std::string, SettingValue>> settings;  // settings that differ from those of the run
  std::int64_t saved_bytes = 0;
  Int128 recompute_flops = 0;
  double recompute_cost = 0;
  std::optional<Int128> peak_bytes;
  std::optional<StepFigures> step = {};
};

// The trade-off: held bytes for recomputation, or the peak for the step's time.
enum class ParetoBy { SavedBytes, Peak };

struct Pareto {
  std::string graph;  // its name
  Release torch = kNewestRelease;
  std::string estimator = "flops";    // of cost/recompute_cost.h
  std::string cost_unit = "FLOP";     // of all costs: the estimator's shown_unit
  std::vector<ParetoPoint> points;    // fewest bytes first
  std::vector<PyTorchPoint> pytorch;  // in the order of the request
  std::string command;  // partitions the same graph under the same settings: "fxcut partition GRAPH.json"
  ParetoBy by = ParetoBy::SavedBytes;  // if by peak, all points have their `step`, and none is a corner
  bool is_compiled = false;            // the steps' peaks are those of inductor's code
  std::string device = {};             // of the steps' times

  const std::string& shown_unit() const;  // of the costs that are shown
};

// The position of a point in a chart, by which points are also compared: bytes and cost of one kind or the other.
struct ParetoPlace {
  double bytes = 0;
  double cost = 0;  // in shown_unit()
};
ParetoPlace place_of(const Pareto& pareto, const ParetoPoint& point);
ParetoPlace place_of(const Pareto& pareto, const PyTorchPoint& point);

// The command that makes a decision of the trade-off: one that saves no more, and recomputes no more or is faster; or PyTorch's.
std::string command_of(const Pareto& pareto, const ParetoPoint& point);
std::string command_of(const Pareto& pareto, const PyTorchPoint& point);

// "activation_memory_budget=0.5, recompute_views=true"; "defaults" if there are none.
std::string show_settings(const PyTorchPoint& point);

// PyTorch's decisions that have the same figures, under different settings.
struct SameAnswers {
  const PyTorchPoint* point;  // the first
  std::string settings;       // of all: "activation_memory_budget=0.9, 0.8"; "defaults; recompute_views=true"
};

// In the order of their first ones; they refer to `pareto`.
std::vector<SameAnswers> same_answers(const Pareto& pareto);

// The least cost of any decision with at most that many saved bytes, by the lower convex hull of the corners; empty if even
// the first corner saves more.
std::optional<double> hull_cost(const std::vector<ParetoPoint>& points, std::int64_t saved_bytes);

// By peak: the fastest of the points at most as high as PyTorch's. Otherwise hull_cost().
std::optional<double> least_cost_beside(const Pareto& pareto, const PyTorchPoint& point);

// The points, fewest bytes first, then PyTorch's, each with its excess over the hull. Points that would show the same figures
// share a row. Lines end in newlines.
std::string pareto_table(const Pareto& pareto);

// A line for each point: the frontier's first, then PyTorch's with their settings. Unknown values are empty.
std::string pareto_csv(const Pareto& pareto);

// schemas/pareto.schema.json, with a final newline.
std::string pareto_json(const Pareto& pareto);

// A chart in SVG: saved bytes to the right, the cost of recomputation upwards, the hull as a line through its corners, the
// points between them, and PyTorch's decisions as numbered diamonds with a legend. By peak: the peak to the right, the step's
// time upwards, and the least time within each peak as a line of steps. The axis of costs is logarithmic if their range requires
// it (axis.h). It follows the reader's light or dark colour scheme.
std::string pareto_svg(const Pareto& pareto);

}  // namespace fxcut
