#include "report/pareto.h"

#include <fmt/format.h>

#include "text/escaping.h"

namespace fxcut {
namespace {

std::string peak_field(const std::optional<Wide>& peak_bytes) {
  return peak_bytes ? fmt::format("{}", *peak_bytes) : "";
}

}  // namespace

std::string show_settings(const PyTorchPoint& point) {
  std::string text;
  for (const auto& [name, value] : point.settings) {
    text += text.empty() ? "" : ", ";
    text += std::visit([&key = name](const auto& v) { return fmt::format("{}={}", key, v); }, value);
  }
  return text.empty() ? "defaults" : text;
}

std::optional<double> hull_cost(const std::vector<ParetoPoint>& points, std::int64_t saved_bytes) {
  const FrontierPoint* left = nullptr;  // the last corner with no more bytes
  for (const ParetoPoint& point : points) {
    const FrontierPoint& corner = point.choice;
    if (!corner.corner) continue;
    if (corner.saved_bytes <= saved_bytes) {
      left = &corner;
      continue;
    }
    if (!left) return std::nullopt;
    const double part = static_cast<double>(saved_bytes - left->saved_bytes) /
                        static_cast<double>(corner.saved_bytes - left->saved_bytes);
    return left->recompute_cost + part * (corner.recompute_cost - left->recompute_cost);
  }
  return left ? std::optional<double>(left->recompute_cost) : std::nullopt;
}

std::string pareto_csv(const Pareto& pareto) {
  std::string text = "source,saved_bytes,recompute_flops,recompute_cost,cost_unit,peak_bytes,corner,price_per_byte,settings\n";
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
