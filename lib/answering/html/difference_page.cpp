#include "html/difference_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "diagnostic/diagnostic.h"
#include "html/template.h"
#include "json/json_forms.h"
#include "report/report.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

Json figures_json(const std::vector<FigureChange>& figures) {
  return json_list(figures, [](const FigureChange& figure) {
    return Json{{"name", figure.name},
                {"title", figure.title},
                {"unit", figure.unit},
                {"before", json_number(figure.before)},
                {"after", json_number(figure.after)},
                {"main", figure.is_main}};
  });
}

Json change_json(const ValueChange& change) {
  const ComparedValue& value = change.value();
  return {{"kind", name_of(change.kind)},
          {"name", value.name},
          {"operator", value.op},
          {"extent", value.extent},
          {"module", value.provenance.module},
          {"place", show_place(value.provenance)},
          {"bytes", json_number(change.bytes)},
          {"flops", json_number(change.flops)},
          {"note", note_of(change)}};
}

Json curve_json(const std::optional<CurveOfSteps>& curve) {
  if (!curve) return nullptr;
  return {{"forward_steps", curve->forward_steps},
          {"bytes", json_list(curve->bytes, [](Int128 bytes) { return json_number(bytes); })}};
}

// The number that ends at `end`, which then is before the comma in front of it; nullopt if there is none.
std::optional<std::int64_t> take_last_number(std::string_view& line) {
  const std::size_t comma = line.rfind(',');
  if (comma == line.npos) return std::nullopt;
  const std::string_view digits = line.substr(comma + 1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  line = line.substr(0, comma);
  return number;
}

}  // namespace

CurveOfSteps read_memory_curve(std::string_view csv, const std::string& file) {
  CurveOfSteps curve;
  std::size_t number = 0;
  while (!csv.empty()) {
    const std::size_t end = std::min(csv.find('\n'), csv.size());
    std::string_view line = csv.substr(0, end);
    csv.remove_prefix(std::min(end + 1, csv.size()));
    if (number++ == 0) continue;  // the columns' names
    const std::string_view side = line.substr(std::min(line.find(',') + 1, line.size()));
    const bool is_forward = side.starts_with("forward,");
    const bool is_later = side.starts_with("backward,") || side.starts_with("optimizer,");
    const auto bytes_after = take_last_number(line), bytes = take_last_number(line);
    if (!bytes || !bytes_after || (!is_forward && !is_later)) {
      throw Failure(ExitStatus::BadInput,
                    {{file, fmt::format("line {} is not a step of a memory curve", number),
                      "write it anew: 'fxcut partition GRAPH.json --output-dir DIR --memory-curve --force'"}});
    }
    if (is_forward && curve.forward_steps == curve.bytes.size()) ++curve.forward_steps;
    curve.bytes.push_back(*bytes);
  }
  return curve;
}

std::string difference_page(const Difference& difference, const Sides& sides, const Curves& curves) {
  const auto changes = [](const std::vector<ValueChange>& all) { return json_list(all, change_json); };
  const std::string graph = difference.graph_after.empty() ? difference.graph_before : difference.graph_after;
  const std::string name = graph.empty() ? "graph" : graph;
  const auto setting_json = [](const SettingChange& setting) {
    return Json{{"name", setting.name}, {"before", setting.before}, {"after", setting.after}};
  };
  const Json data = {{"title", name},
                     {"what", difference.what},
                     {"same", difference.is_same()},
                     {"before", sides.before},
                     {"after", sides.after},
                     {"figures", figures_json(difference.figures)},
                     {"settings", json_list(difference.settings, setting_json)},
                     {"changes",
                      {{"saved", changes(difference.saved)},
                       {"recomputed", changes(difference.recomputed)},
                       {"at_peak", changes(difference.at_peak)},
                       {"nodes", changes(difference.nodes)}}},
                     {"curves", {curve_json(curves[0]), curve_json(curves[1])}}};
  return filled_in(difference_template(), name + ": two decisions", data_text(data));
}

}  // namespace fxcut
