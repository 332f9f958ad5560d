#include "report/show_pareto.h"

#include <fmt/format.h>

#include "text/csv.h"

namespace fxcut {
namespace {

std::string peak_field(const std::optional<Wide>& peak_bytes) {
  return peak_bytes ? fmt::format("{}", *peak_bytes) : "";
}

}  // namespace

std::string pareto_csv(const Pareto& pareto) {
  std::string text =
      "source,saved_bytes,recompute_flops,recompute_cost,cost_unit,peak_bytes,corner,price_per_byte,settings\n";
  for (const ParetoPoint& point : pareto.points) {
    const FrontierPoint& choice = point.choice;
    text += fmt::format("frontier,{},{},{},{},{},{},{},\n", choice.saved_bytes, choice.recompute_flops,
                        choice.recompute_cost, csv_field(pareto.cost_unit), peak_field(point.peak_bytes), choice.corner,
                        choice.corner ? fmt::format("{}", choice.price_per_byte) : "");
  }
  for (const PyTorchPoint& point : pareto.pytorch) {
    text += fmt::format("pytorch,{},{},{},{},{},,,{}\n", point.saved_bytes, point.recompute_flops, point.recompute_cost,
                        csv_field(pareto.cost_unit), peak_field(point.peak_bytes), csv_field(show_settings(point)));
  }
  return text;
}

}  // namespace fxcut
