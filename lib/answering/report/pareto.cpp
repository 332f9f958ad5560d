#include "report/pareto.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/escaping.h"

namespace fxcut {
namespace {

// Leaves the columns of the other kind empty.
std::string step_fields(const Pareto& pareto, const std::optional<StepFigures>& step) {
  if (pareto.by == ParetoBy::SavedBytes) return "";
  return step ? fmt::format(",{},{}", step->peak_bytes, step->ms) : ",,";
}

std::string peak_field(const std::optional<Int128>& peak_bytes) { return peak_bytes ? fmt::format("{}", *peak_bytes) : ""; }

bool has_same_step(const PyTorchPoint& a, const PyTorchPoint& b) {
  if (!a.step || !b.step) return a.step.has_value() == b.step.has_value();
  return a.step->peak_bytes == b.step->peak_bytes && a.step->ms == b.step->ms;
}

bool names_only(const PyTorchPoint& point, const std::string& setting) {
  return point.settings.size() == 1 && point.settings.front().first == setting;
}

}  // namespace

const std::string& Pareto::shown_unit() const {
  static const std::string kMs = "ms";
  return by == ParetoBy::Peak ? kMs : cost_unit;
}

ParetoPlace place_of(const Pareto& pareto, const ParetoPoint& point) {
  if (pareto.by == ParetoBy::Peak) return {static_cast<double>(point.step->peak_bytes), point.step->ms};
  return {static_cast<double>(point.choice.saved_bytes), point.choice.recompute_cost};
}

ParetoPlace place_of(const Pareto& pareto, const PyTorchPoint& point) {
  if (pareto.by == ParetoBy::Peak) return {static_cast<double>(point.step->peak_bytes), point.step->ms};
  return {static_cast<double>(point.saved_bytes), point.recompute_cost};
}

std::optional<double> least_cost_beside(const Pareto& pareto, const PyTorchPoint& point) {
  if (pareto.by == ParetoBy::SavedBytes) return hull_cost(pareto.points, point.saved_bytes);
  std::optional<double> least;
  for (const ParetoPoint& one : pareto.points) {
    if (one.step->peak_bytes <= point.step->peak_bytes) least = std::min(least.value_or(one.step->ms), one.step->ms);
  }
  return least;
}

std::string show_settings(const PyTorchPoint& point) {
  std::string text;
  for (const auto& [name, value] : point.settings) {
    text += text.empty() ? "" : ", ";
    text += std::visit([&key = name](const auto& v) { return fmt::format("{}={}", key, v); }, value);
  }
  return text.empty() ? "defaults" : text;
}

std::string command_of(const Pareto& pareto, const ParetoPoint& point) {
  if (point.step) return fmt::format("{} --peak-bytes {}B", pareto.command, static_cast<std::int64_t>(point.step->peak_bytes));
  return fmt::format("{} --saved-bytes {}B", pareto.command, point.choice.saved_bytes);
}

std::string command_of(const Pareto& pareto, const PyTorchPoint& point) {
  std::string command = pareto.command;
  for (const auto& [name, value] : point.settings) {
    command += std::visit([&key = name](const auto& v) { return fmt::format(" --set {}={}", key, v); }, value);
  }
  return command;
}

std::vector<SameAnswers> same_answers(const Pareto& pareto) {
  std::vector<SameAnswers> answers;
  for (const PyTorchPoint& point : pareto.pytorch) {
    const auto same = std::find_if(answers.begin(), answers.end(), [&](const SameAnswers& answer) {
      const PyTorchPoint& first = *answer.point;
      return first.saved_bytes == point.saved_bytes && first.recompute_flops == point.recompute_flops &&
             first.recompute_cost == point.recompute_cost && first.peak_bytes == point.peak_bytes &&
             has_same_step(first, point);
    });
    const std::string settings = show_settings(point);
    if (same == answers.end()) {
      answers.push_back({&point, settings});
    } else if (point.settings.size() == 1 && names_only(*same->point, point.settings.front().first)) {
      same->settings += ", " + settings.substr(settings.find('=') + 1);
    } else {
      same->settings += "; " + settings;
    }
  }
  return answers;
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
  std::string text = "source,saved_bytes,recompute_flops,recompute_cost,cost_unit,peak_bytes,corner,price_per_byte,settings";
  text += pareto.by == ParetoBy::Peak ? ",step_peak_bytes,step_ms\n" : "\n";
  for (const ParetoPoint& point : pareto.points) {
    const FrontierPoint& choice = point.choice;
    text += fmt::format("frontier,{},{},{},{},{},{},{},{}\n", choice.saved_bytes, choice.recompute_flops,
                        choice.recompute_cost, csv_field(pareto.cost_unit), peak_field(point.peak_bytes), choice.corner,
                        choice.corner ? fmt::format("{}", choice.price_per_byte) : "", step_fields(pareto, point.step));
  }
  for (const PyTorchPoint& point : pareto.pytorch) {
    text += fmt::format("pytorch,{},{},{},{},{},,,{}{}\n", point.saved_bytes, point.recompute_flops, point.recompute_cost,
                        csv_field(pareto.cost_unit), peak_field(point.peak_bytes), csv_field(show_settings(point)),
                        step_fields(pareto, point.step));
  }
  return text;
}

}  // namespace fxcut
