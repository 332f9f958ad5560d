#include "report/pareto.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "report/axis.h"
#include "report/chart_labels.h"
#include "text/escaping.h"
#include "text/palette.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// In pixels.
constexpr double kWidth = 860, kPlotLeft = 84, kPlotTop = 78, kPlotWidth = 746, kPlotHeight = 384;
constexpr double kPlotBottom = kPlotTop + kPlotHeight, kAxisHeight = 56, kLegendLine = 21;
constexpr int kLinePieces = 32;  // of each side of the hull, which a logarithmic axis bends

// The colours of one scheme, after the rules of both. They are written out: not all SVG readers support variables.
std::string colours(Colours Paint::* scheme) {
  const auto of = [scheme](PaintOf what) { return paint(what).*scheme; };
  const Colours ground = of(PaintOf::Ground), accent = of(PaintOf::Accent);
  return fmt::format(
      "text {{ fill: {text}; }}\n.soft {{ fill: {soft}; }}\n.ground {{ fill: {ground}; }}\n.grid {{ stroke: {grid}; }}\n"
      ".axis {{ stroke: {soft}; }}\n.hull {{ stroke: {accent}; }}\n.corner {{ fill: {accent}; }}\n"
      ".between {{ fill: {ground}; stroke: {accent}; }}\n.pytorch {{ fill: {pytorch}; }}\n.leader {{ stroke: {soft}; }}\n",
      fmt::arg("text", ground.line), fmt::arg("soft", of(PaintOf::Panel).line), fmt::arg("ground", ground.fill),
      fmt::arg("grid", of(PaintOf::Grid).line), fmt::arg("accent", accent.line),
      fmt::arg("pytorch", of(PaintOf::PyTorch).line));
}

// A style sheet, because attributes would not follow the reader's colour scheme.
std::string style() {
  return "<style>\ntext { font: 13px system-ui, \"Segoe UI\", \"DejaVu Sans\", sans-serif; }\n"
         ".title { font-size: 17px; font-weight: 600; }\n.number { font-size: 11px; font-weight: 600; }\n"
         ".right { text-anchor: end; }\n.middle { text-anchor: middle; }\n.hull { fill: none; stroke-width: 2; }\n"
         ".between { stroke-width: 1.5; }\n.leader { stroke-width: 0.75; }\n" +
         colours(&Paint::light) + "@media (prefers-color-scheme: dark) {\n" + colours(&Paint::dark) + "}\n</style>\n";
}

// The first of the comma-separated settings, as far as there is room.
std::string short_settings(const std::string& settings) {
  constexpr std::size_t kMaxBytes = 88;
  if (settings.size() <= kMaxBytes) return settings;
  const std::size_t end = settings.rfind(", ", kMaxBytes);
  return end == std::string::npos ? "..." : settings.substr(0, end) + ", ...";
}

struct SvgPoint {
  double x, y;
};

class Chart {
 public:
  explicit Chart(const Pareto& pareto)
      : pareto_(pareto), answers_(same_answers(pareto)), bytes_(bytes_axis()), cost_(cost_axis()) {}

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
    for (const ParetoPoint& point : pareto_.points) values.push_back(place_of(pareto_, point).bytes);
    for (const PyTorchPoint& point : pareto_.pytorch) values.push_back(place_of(pareto_, point).bytes);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return values.empty() ? make_axis(0, 0, "B") : make_axis(*least, *most, "B");
  }

  Axis cost_axis() const {
    std::vector<double> values;
    for (const ParetoPoint& point : pareto_.points) values.push_back(place_of(pareto_, point).cost);
    for (const PyTorchPoint& point : pareto_.pytorch) values.push_back(place_of(pareto_, point).cost);
    if (!is_by_peak()) return make_axis_for(values, pareto_.cost_unit);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return values.empty() ? make_axis(0, 0, "ms") : make_axis(*least, *most, "ms");
  }

  bool is_by_peak() const { return pareto_.by == ParetoBy::Peak; }

  SvgPoint at(const ParetoPlace& place) const {
    return {kPlotLeft + kPlotWidth * bytes_.position(place.bytes), kPlotBottom - kPlotHeight * cost_.position(place.cost)};
  }

  void open() {
    const double height = kPlotBottom + kAxisHeight + kLegendLine * static_cast<double>(legend_lines()) + 12;
    const std::string name = xml_text(pareto_.graph.empty() ? "graph" : pareto_.graph);
    const std::string title = fmt::format("{}: memory against {}", name, is_by_peak() ? "time" : "recomputing");
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "aria-label=\"{2}\">\n",
        kWidth, height, title);
    out_ += style();
    add("<rect class=\"ground\" width=\"{}\" height=\"{}\"/>\n", kWidth, height);
    add("<text class=\"title\" x=\"{}\" y=\"30\">{}</text>\n", kPlotLeft, title);
    if (is_by_peak()) {
      return add(
          "<text class=\"soft\" x=\"{}\" y=\"54\">time of the step in {} (estimated for {}), against the peak of {}</text>\n",
          kPlotLeft, cost_.unit, xml_text(pareto_.device), pareto_.is_compiled ? "inductor's code" : "its operators");
    }
    add("<text class=\"soft\" x=\"{}\" y=\"54\">{} in {}{} (estimator {}), against what is saved between "
        "forward and backward</text>\n",
        kPlotLeft, pareto_.cost_unit == "ms" ? "time of recomputing" : "recomputed operations", cost_.unit,
        cost_.is_log ? ", logarithmic" : "", xml_text(pareto_.estimator));
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
    add("<text class=\"soft middle\" x=\"{}\" y=\"{}\">{}, {}</text>\n", kPlotLeft + kPlotWidth / 2, kPlotBottom + 40,
        is_by_peak() ? "peak" : "saved", bytes_.unit);
  }

  // The least time within each peak: it falls where a higher peak allows a faster step.
  void draw_steps() {
    std::string path;
    for (const ParetoPoint& point : pareto_.points) {
      const SvgPoint place = at(place_of(pareto_, point));
      path += path.empty() ? fmt::format("M{:.1f} {:.1f}", place.x, place.y) : fmt::format("H{:.1f}V{:.1f}", place.x, place.y);
    }
    if (!path.empty()) add("<path class=\"hull\" d=\"{}\"/>\n", path);
  }

  void draw_hull() {
    if (is_by_peak()) return draw_steps();
    std::string path;
    const FrontierPoint* last = nullptr;
    for (const ParetoPoint& point : pareto_.points) {
      if (!point.choice.corner) continue;
      const int pieces = last && cost_.is_log ? kLinePieces : 1;
      for (int piece = 1; piece <= pieces; ++piece) {
        const SvgPoint next = between(last ? *last : point.choice, point.choice, static_cast<double>(piece) / pieces);
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", next.x, next.y);
      }
      last = &point.choice;
    }
    if (!path.empty()) add("<path class=\"hull\" d=\"{}\"/>\n", path);
  }

  // On the line from one decision to another.
  SvgPoint between(const FrontierPoint& from, const FrontierPoint& to, double part) const {
    const auto more = static_cast<std::int64_t>(static_cast<double>(to.saved_bytes - from.saved_bytes) * part);
    return at({static_cast<double>(from.saved_bytes + more),
               part < 1 ? from.recompute_cost + part * (to.recompute_cost - from.recompute_cost) : to.recompute_cost});
  }

  void draw_points() {
    for (const bool corner : {false, true}) {  // corners above the others
      for (const ParetoPoint& point : pareto_.points) {
        const FrontierPoint& choice = point.choice;
        if (choice.corner != corner) continue;
        const ParetoPlace figures = place_of(pareto_, point);
        const SvgPoint place = at(figures);
        add("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
            corner ? "corner" : "between", place.x, place.y, corner ? 4.5 : 3, describe(figures));
      }
    }
  }

  std::string describe(const ParetoPlace& figures) const {
    const std::string bytes = show_bytes(static_cast<std::int64_t>(figures.bytes)),
                      cost = show_cost(figures.cost, pareto_.shown_unit());
    return is_by_peak() ? fmt::format("a peak of {}, {} a step", bytes, cost)
                        : fmt::format("{} saved, {} recomputed", bytes, cost);
  }

  void draw_pytorch() {
    std::vector<Mark> marks;
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      const PyTorchPoint& point = *answers_[i].point;
      const ParetoPlace figures = place_of(pareto_, point);
      const SvgPoint place = at(figures);
      add("<path class=\"pytorch\" d=\"M{:.1f} {:.1f}l6 6l-6 6l-6-6z\"><title>{}: {}</title></path>\n", place.x, place.y - 6,
          xml_text(answers_[i].settings), describe(figures));
      marks.push_back({place.x, place.y, std::to_string(i + 1)});
    }
    const std::vector<ChartLabel> labels = place_labels(marks, {kPlotLeft, kPlotTop - 14, kWidth, kPlotBottom});
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const ChartLabel& label = labels[i];
      if (label.is_apart) {
        add("<path class=\"leader\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", marks[i].x, marks[i].y, label.box.center_x(),
            label.box.center_y());
      }
      add("<text class=\"number\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", label.box.left, label.box.bottom - 2.5, marks[i].text);
    }
  }

  bool has(bool corner) const {
    return std::any_of(pareto_.points.begin(), pareto_.points.end(),
                       [&](const ParetoPoint& point) { return point.choice.corner == corner; });
  }

  std::size_t legend_lines() const { return std::size_t{has(true)} + std::size_t{has(false)} + answers_.size(); }

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
    if (has(false)) {
      add_line("<circle class=\"between\" r=\"3\"/>",
               is_by_peak() ? "no faster step was found within its peak" : "choice between the corners");
    }
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      add_line("<path class=\"pytorch\" d=\"M0 -6l6 6l-6 6l-6-6z\"/>",
               fmt::format("{}: PyTorch {}, {}", i + 1, pareto_.torch.version(),
                           xml_text(short_settings(answers_[i].settings))));
    }
  }

  const Pareto& pareto_;
  std::vector<SameAnswers> answers_;
  Axis bytes_, cost_;
  std::string out_;
};

}  // namespace

std::string pareto_svg(const Pareto& pareto) { return Chart(pareto).draw(); }

}  // namespace fxcut
