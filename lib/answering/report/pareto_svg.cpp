#include "report/pareto.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "report/axis.h"
#include "text/escaping.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// In pixels.
constexpr double kWidth = 860, kPlotLeft = 84, kPlotTop = 78, kPlotWidth = 746, kPlotHeight = 384;
constexpr double kPlotBottom = kPlotTop + kPlotHeight, kAxisHeight = 56, kLegendLine = 21;
constexpr double kSamePlace = 9;  // marks closer than this share a label

// A style sheet, because attributes would not follow the reader's colour scheme.
constexpr std::string_view kStyle = R"(<style>
text { font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
.title { font-size: 17px; font-weight: 600; }
.soft { fill: #59636e; }
.number { font-size: 11px; font-weight: 600; }
.right { text-anchor: end; }
.middle { text-anchor: middle; }
.ground { fill: #ffffff; }
.grid { stroke: #d8dee4; stroke-width: 1; }
.axis { stroke: #818b98; stroke-width: 1; }
.hull { fill: none; stroke: #0969da; stroke-width: 2; }
.corner { fill: #0969da; }
.between { fill: #ffffff; stroke: #0969da; stroke-width: 1.5; }
.pytorch { fill: #bc4c00; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.soft { fill: #9198a1; }
.ground { fill: #0d1117; }
.grid { stroke: #2a313c; }
.axis { stroke: #656c76; }
.hull { stroke: #4493f8; }
.corner { fill: #4493f8; }
.between { fill: #0d1117; stroke: #4493f8; }
.pytorch { fill: #f0883e; }
}
</style>
)";

// The first of the comma-separated settings, as far as there is room.
std::string short_settings(const std::string& settings) {
  constexpr std::size_t kMostBytes = 88;
  if (settings.size() <= kMostBytes) return settings;
  const std::size_t end = settings.rfind(", ", kMostBytes);
  return end == std::string::npos ? "..." : settings.substr(0, end) + ", ...";
}

struct Place {
  double x, y;
};

class Chart {
 public:
  explicit Chart(const Pareto& pareto) : pareto_(pareto), bytes_(bytes_axis()), cost_(cost_axis()) {}

  std::string draw() {
    open();
    draw_axes();
    draw_hull();
    draw_points();
    draw_pytorch();
    draw_legend();
    return out_ + "</svg>\n";
  }

 private:
  template <typename... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
  }

  Axis bytes_axis() const {
    std::vector<double> values;
    for (const ParetoPoint& point : pareto_.points) values.push_back(static_cast<double>(point.choice.saved_bytes));
    for (const PyTorchPoint& point : pareto_.pytorch) values.push_back(static_cast<double>(point.saved_bytes));
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return values.empty() ? make_axis(0, 0, "B") : make_axis(*least, *most, "B");
  }

  Axis cost_axis() const {
    double largest = 0;
    for (const ParetoPoint& point : pareto_.points) largest = std::max(largest, point.choice.recompute_cost);
    for (const PyTorchPoint& point : pareto_.pytorch) largest = std::max(largest, point.recompute_cost);
    return make_axis(0, largest, pareto_.cost_unit);
  }

  Place place(std::int64_t saved_bytes, double cost) const {
    return {kPlotLeft + kPlotWidth * bytes_.position(static_cast<double>(saved_bytes)),
            kPlotBottom - kPlotHeight * cost_.position(cost)};
  }

  void open() {
    const double height = kPlotBottom + kAxisHeight + kLegendLine * static_cast<double>(legend_lines()) + 12;
    const std::string name = xml_text(pareto_.graph.empty() ? "graph" : pareto_.graph);
    const std::string title = fmt::format("{}: memory against recomputing", name);
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "aria-label=\"{2}\">\n",
        kWidth, height, title);
    out_ += kStyle;
    add("<rect class=\"ground\" width=\"{}\" height=\"{}\"/>\n", kWidth, height);
    add("<text class=\"title\" x=\"{}\" y=\"30\">{}</text>\n", kPlotLeft, title);
    add("<text class=\"soft\" x=\"{}\" y=\"54\">{} in {} (estimator {}), against what is saved between forward and "
        "backward</text>\n",
        kPlotLeft, pareto_.cost_unit == "ms" ? "time of recomputing" : "recomputed operations", cost_.unit,
        xml_text(pareto_.estimator));
  }

  void draw_axes() {
    for (std::size_t t = 0; t < cost_.ticks.size(); ++t) {
      const double y = kPlotBottom - kPlotHeight * cost_.position(cost_.ticks[t]);
      add("<path class=\"{}\" d=\"M{} {:.1f}h{}\"/>\n", t == 0 ? "axis" : "grid", kPlotLeft, y, kPlotWidth);
      add("<text class=\"right\" x=\"{}\" y=\"{:.1f}\">{}</text>\n", kPlotLeft - 10, y + 4.5, cost_.labels[t]);
    }
    for (std::size_t t = 0; t < bytes_.ticks.size(); ++t) {
      const double x = kPlotLeft + kPlotWidth * bytes_.position(bytes_.ticks[t]);
      add("<path class=\"axis\" d=\"M{:.1f} {}v5\"/>\n", x, kPlotBottom);
      add("<text class=\"middle\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", x, kPlotBottom + 20, bytes_.labels[t]);
    }
    add("<text class=\"soft middle\" x=\"{}\" y=\"{}\">saved, {}</text>\n", kPlotLeft + kPlotWidth / 2,
        kPlotBottom + 40, bytes_.unit);
  }

  void draw_hull() {
    std::string path;
    for (const ParetoPoint& point : pareto_.points) {
      if (!point.choice.corner) continue;
      const Place at = place(point.choice.saved_bytes, point.choice.recompute_cost);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", at.x, at.y);
    }
    if (!path.empty()) add("<path class=\"hull\" d=\"{}\"/>\n", path);
  }

  void draw_points() {
    for (const bool corner : {false, true}) {  // corners above the others
      for (const ParetoPoint& point : pareto_.points) {
        const FrontierPoint& choice = point.choice;
        if (choice.corner != corner) continue;
        const Place at = place(choice.saved_bytes, choice.recompute_cost);
        add("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
            corner ? "corner" : "between", at.x, at.y, corner ? 4.5 : 3,
            describe(choice.saved_bytes, choice.recompute_cost));
      }
    }
  }

  std::string describe(std::int64_t saved_bytes, double cost) const {
    return fmt::format("{} saved, {} recomputed", show_bytes(saved_bytes), show_cost(cost, pareto_.cost_unit));
  }

  void draw_pytorch() {
    std::vector<std::pair<Place, std::string>> labels;
    for (std::size_t i = 0; i < pareto_.pytorch.size(); ++i) {
      const PyTorchPoint& point = pareto_.pytorch[i];
      const Place at = place(point.saved_bytes, point.recompute_cost);
      add("<path class=\"pytorch\" d=\"M{:.1f} {:.1f}l6 6l-6 6l-6-6z\"><title>{}: {}</title></path>\n", at.x, at.y - 6,
          xml_text(show_settings(point)), describe(point.saved_bytes, point.recompute_cost));
      const auto near = std::find_if(labels.begin(), labels.end(), [&](const auto& label) {
        return std::abs(label.first.x - at.x) < kSamePlace && std::abs(label.first.y - at.y) < kSamePlace;
      });
      if (near == labels.end()) {
        labels.emplace_back(at, std::to_string(i + 1));
      } else {
        near->second += fmt::format(", {}", i + 1);
      }
    }
    for (const auto& [at, text] : labels) {
      add("<text class=\"number\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", at.x + 9, at.y - 5, text);
    }
  }

  bool has(bool corner) const {
    return std::any_of(pareto_.points.begin(), pareto_.points.end(),
                       [&](const ParetoPoint& point) { return point.choice.corner == corner; });
  }

  std::size_t legend_lines() const { return std::size_t{has(true)} + std::size_t{has(false)} + pareto_.pytorch.size(); }

  void draw_legend() {
    double y = kPlotBottom + kAxisHeight + 12;
    const auto add_line = [&](std::string_view mark, std::string_view text) {
      add("<g transform=\"translate({} {})\">{}</g>\n", kPlotLeft + 6, y - 4.5, mark);
      add("<text x=\"{}\" y=\"{}\">{}</text>\n", kPlotLeft + 24, y, text);
      y += kLegendLine;
    };
    if (has(true)) {
      add_line("<circle class=\"corner\" r=\"4.5\"/>", "corner of the hull: at its price of memory no choice is better");
    }
    if (has(false)) add_line("<circle class=\"between\" r=\"3\"/>", "choice between the corners");
    for (std::size_t i = 0; i < pareto_.pytorch.size(); ++i) {
      add_line("<path class=\"pytorch\" d=\"M0 -6l6 6l-6 6l-6-6z\"/>",
               fmt::format("{}: PyTorch {}, {}", i + 1, pareto_.torch.version(),
                           xml_text(short_settings(show_settings(pareto_.pytorch[i])))));
    }
  }

  const Pareto& pareto_;
  Axis bytes_, cost_;
  std::string out_;
};

}  // namespace

std::string pareto_svg(const Pareto& pareto) { return Chart(pareto).draw(); }

}  // namespace fxcut
