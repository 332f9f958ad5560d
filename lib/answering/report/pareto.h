// The trade-off between memory and recomputing, with PyTorch's answers beside it, as plain data. How it is shown is for
// pareto_table, pareto_csv, pareto_json and pareto_svg.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontier/frontier_points.h"
#include "graph/wide.h"
#include "policy/setting_rows.h"
#include "release/release.h"

namespace fxcut {

struct ParetoPoint {
  FrontierPoint choice;
  std::optional<Wide> peak_bytes;  // of the step, where it was simulated
};

// What PyTorch answers under some settings.
struct PyTorchPoint {
  std::vector<std::pair<std::string, SettingValue>> settings;  // that differ from those of the run
  std::int64_t saved_bytes = 0;
  Wide recompute_flops = 0;
  double recompute_cost = 0;
  std::optional<Wide> peak_bytes;
};

struct Pareto {
  std::string graph;  // its name
  Release torch = kNewestRelease;
  std::string estimator = "flops";    // of cost/recompute_cost.h
  std::string cost_unit = "FLOP";     // of all costs: the estimator's shown_unit
  std::vector<ParetoPoint> points;    // fewest bytes first
  std::vector<PyTorchPoint> pytorch;  // in the order asked for
};

// "activation_memory_budget=0.5, recompute_views=true"; "defaults" where nothing differs.
std::string show_settings(const PyTorchPoint& point);

// The least cost that any choice of so many bytes can have, by the lower convex hull of the corners: nothing where
// there is none of so few bytes.
std::optional<double> hull_cost(const std::vector<ParetoPoint>& points, std::int64_t saved_bytes);

}  // namespace fxcut
