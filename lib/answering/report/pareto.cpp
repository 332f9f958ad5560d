#include "report/pareto.h"

#include <fmt/format.h>

namespace fxcut {

std::string show_settings(const PyTorchPoint& point) {
  std::string text;
  for (const auto& [name, value] : point.settings) {
    text += text.empty() ? "" : ", ";
    text += std::visit([&key = name](const auto& v) { return fmt::format("{}={}", key, v); }, value);
  }
  return text.empty() ? "defaults" : text;
}

std::optional<double> hull_cost(const std::vector<ParetoPoint>& points, std::int64_t saved_bytes) {
  const FrontierPoint* left = nullptr;  // the last corner of no more bytes
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

}  // namespace fxcut
