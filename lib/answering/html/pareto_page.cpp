#include "html/pareto_page.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "html/template.h"
#include "json/json_forms.h"
#include "report/axis.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

Json peak_of(const std::optional<Int128>& peak_bytes) { return peak_bytes ? Json(json_number(*peak_bytes)) : Json(nullptr); }

Json choice_json(const Pareto& pareto, const ParetoPoint& point) {
  const FrontierPoint& choice = point.choice;
  const ParetoPlace place = place_of(pareto, point);
  return {{"bytes", static_cast<std::int64_t>(place.bytes)},
          {"saved", choice.saved_bytes},
          {"cost", place.cost},
          {"flops", json_number(choice.recompute_flops)},
          {"peak", peak_of(point.peak_bytes)},
          {"corner", choice.corner},
          {"command", command_of(pareto, point)}};
}

Json answer_json(const Pareto& pareto, const SameAnswers& answer) {
  const PyTorchPoint& point = *answer.point;
  const std::optional<double> hull = least_cost_beside(pareto, point);
  const ParetoPlace place = place_of(pareto, point);
  return {{"bytes", static_cast<std::int64_t>(place.bytes)},
          {"saved", point.saved_bytes},
          {"cost", place.cost},
          {"flops", json_number(point.recompute_flops)},
          {"peak", peak_of(point.peak_bytes)},
          {"hull", hull ? Json(*hull) : Json(nullptr)},
          {"settings", answer.settings},
          {"command", command_of(pareto, point)}};
}

bool is_logarithmic(const Pareto& pareto) {
  if (pareto.by == ParetoBy::Peak) return false;
  std::vector<double> costs;
  for (const ParetoPoint& point : pareto.points) costs.push_back(point.choice.recompute_cost);
  for (const PyTorchPoint& point : pareto.pytorch) costs.push_back(point.recompute_cost);
  return make_axis_for(costs, pareto.cost_unit).is_log;
}

}  // namespace

std::string pareto_page(const Pareto& pareto) {
  const std::string name = pareto.graph.empty() ? "graph" : pareto.graph;
  const Json data = {
      {"title", name},
      {"estimator", pareto.estimator},
      {"unit", pareto.shown_unit()},
      {"byPeak", pareto.by == ParetoBy::Peak},
      {"peakOf", pareto.is_compiled ? "inductor's code" : "its operators"},
      {"device", pareto.device},
      {"torch", pareto.torch.version()},
      {"logarithmic", is_logarithmic(pareto)},
      {"points", json_list(pareto.points, [&](const ParetoPoint& point) { return choice_json(pareto, point); })},
      {"pytorch", json_list(same_answers(pareto), [&](const SameAnswers& answer) { return answer_json(pareto, answer); })}};
  return filled_in(pareto_template(), name + ": trade-off", data_text(data));
}

}  // namespace fxcut
