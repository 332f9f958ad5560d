#include "report/pareto.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "json/json_forms.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kParetoVersion = 1;

void add_step(Json& json, const StepFigures& step) {
  json["step_peak_bytes"] = json_number(step.peak_bytes);
  json["step_ms"] = step.ms;
}

Json point_json(const ParetoPoint& point) {
  const FrontierPoint& choice = point.choice;
  Json json = {{"saved_bytes", choice.saved_bytes},
               {"recompute_flops", json_number(choice.recompute_flops)},
               {"recompute_cost", choice.recompute_cost}};
  if (point.peak_bytes) json["peak_bytes"] = json_number(*point.peak_bytes);
  if (point.step) add_step(json, *point.step);
  json["corner"] = choice.corner;
  if (choice.corner && std::isfinite(choice.price_per_byte)) json["price_per_byte"] = choice.price_per_byte;
  return json;
}

Json pytorch_json(const PyTorchPoint& point) {
  Json settings = Json::object();
  for (const auto& [name, value] : point.settings) {
    std::visit([&json = settings[name]](const auto& v) { json = v; }, value);
  }
  Json json = {{"settings", std::move(settings)},
               {"saved_bytes", point.saved_bytes},
               {"recompute_flops", json_number(point.recompute_flops)},
               {"recompute_cost", point.recompute_cost}};
  if (point.peak_bytes) json["peak_bytes"] = json_number(*point.peak_bytes);
  if (point.step) add_step(json, *point.step);
  return json;
}

}  // namespace

std::string pareto_json(const Pareto& pareto) {
  Json json = {{"format", "fxcut-pareto"},      {"version", kParetoVersion},
               {"graph", pareto.graph},         {"torch_version", pareto.torch.version()},
               {"estimator", pareto.estimator}, {"cost_unit", pareto.cost_unit}};
  if (pareto.by == ParetoBy::Peak) {
    json["by"] = "peak";
    json["step_peak_of"] = pareto.is_compiled ? "compiled" : "operators";
    json["device"] = pareto.device;
  }
  json["points"] = Json::array();
  for (const ParetoPoint& point : pareto.points) json["points"].push_back(point_json(point));
  json["pytorch"] = Json::array();
  for (const PyTorchPoint& point : pareto.pytorch) json["pytorch"].push_back(pytorch_json(point));
  return json_file(json);
}

}  // namespace fxcut
