// The trade-off in each of its forms.
#include "report/pareto.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "text/palette.h"

namespace fxcut {
namespace {

ParetoPoint corner(std::int64_t saved_bytes, std::int64_t flops, double price_per_byte) {
  return {{.saved_bytes = saved_bytes,
           .recompute_flops = flops,
           .recompute_cost = static_cast<double>(flops),
           .corner = true,
           .price_per_byte = price_per_byte},
          {}};
}

ParetoPoint between(std::int64_t saved_bytes, std::int64_t flops) {
  ParetoPoint point = corner(saved_bytes, flops, 0);
  point.choice.corner = false;
  return point;
}

// Two corners and a point between them; PyTorch's defaults, which save more than all, and a budget.
Pareto small() {
  Pareto pareto;
  pareto.graph = "mlp";
  pareto.torch = Release{13};
  pareto.points = {corner(1000, 4000, 4), between(1500, 2200), corner(2000, 0, 0.5)};
  pareto.pytorch = {{{}, 2500, 0, 0, {}},
                    {{{"activation_memory_budget", 0.5}, {"recompute_views", true}}, 1500, 3000, 3000, {}}};
  return pareto;
}

TEST(HullCost, LiesOnTheLineBetweenTheCorners) {
  const auto points = small().points;
  EXPECT_EQ(hull_cost(points, 1000), 4000);
  EXPECT_EQ(hull_cost(points, 1500), 2000) << "not what the point there costs";
  EXPECT_EQ(hull_cost(points, 2000), 0);
  EXPECT_EQ(hull_cost(points, 9000), 0);
  EXPECT_EQ(hull_cost(points, 999), std::nullopt);
  EXPECT_EQ(hull_cost({}, 999), std::nullopt);
}

TEST(ParetoTable, ListsThePointsAndPyTorchsDistanceFromThem) {
  EXPECT_EQ(pareto_table(small()),
            "mlp: what saving less costs, in recomputed operations (flops)\n"
            "\n"
            " SAVED  RECOMPUTED         PRICE\n"
            "1.0 kB   4.0 kFLOP  4.0 MFLOP/MB  corner\n"
            "1.5 kB   2.2 kFLOP\n"
            "2.0 kB      0 FLOP  500 kFLOP/MB  corner\n"
            "\n"
            "PyTorch 2.13\n"
            " SAVED  RECOMPUTED  ABOVE HULL  SETTINGS\n"
            "2.5 kB      0 FLOP        +0 %  defaults\n"
            "1.5 kB   3.0 kFLOP       +50 %  activation_memory_budget=0.5, recompute_views=true\n");
}

TEST(ParetoTable, TellsRecomputationInTheEstimatorsUnitAndPeaksWhereThereAreSome) {
  Pareto pareto;
  pareto.estimator = "roofline";
  pareto.cost_unit = "ms";
  pareto.points = {corner(1000, 4000, 1e-6)};
  pareto.points[0].choice.recompute_cost = 1.5;
  pareto.points[0].peak_bytes = 7000;
  EXPECT_EQ(pareto_table(pareto),
            "graph: what saving less costs, in recomputing time (roofline)\n"
            "\n"
            " SAVED  RECOMPUTED    PEAK      PRICE\n"
            "1.0 kB      1.5 ms  7.0 kB  1.0 ms/MB  corner\n");
}

TEST(ParetoTable, TellsWhatIsBelowAllAndWhatTheHullHasForNothing) {
  Pareto pareto = small();
  pareto.pytorch[0].saved_bytes = 10;
  pareto.pytorch[1].saved_bytes = 2000;
  const std::string table = pareto_table(pareto);
  EXPECT_NE(table.find("  10 B      0 FLOP   below all  defaults\n"), std::string::npos) << table;
  EXPECT_NE(table.find("2.0 kB   3.0 kFLOP  +3.0 kFLOP  activation"), std::string::npos) << table;
}

TEST(ParetoCsv, IsALineAPoint) {
  Pareto pareto = small();
  pareto.points[1].peak_bytes = 7000;
  EXPECT_EQ(pareto_csv(pareto),
            "source,saved_bytes,recompute_flops,recompute_cost,cost_unit,peak_bytes,corner,price_per_byte,settings\n"
            "frontier,1000,4000,4000,FLOP,,true,4,\n"
            "frontier,1500,2200,2200,FLOP,7000,false,,\n"
            "frontier,2000,0,0,FLOP,,true,0.5,\n"
            "pytorch,2500,0,0,FLOP,,,,defaults\n"
            "pytorch,1500,3000,3000,FLOP,,,,\"activation_memory_budget=0.5, recompute_views=true\"\n");
}

TEST(ParetoJson, SaysWhatThePointsSay) {
  Pareto pareto = small();
  pareto.points[1].peak_bytes = 7000;
  const auto json = nlohmann::json::parse(pareto_json(pareto));
  EXPECT_EQ(json.at("graph"), "mlp");
  EXPECT_EQ(json.at("torch_version"), "2.13");
  EXPECT_EQ(json.at("cost_unit"), "FLOP");
  ASSERT_EQ(json.at("points").size(), 3u);
  EXPECT_EQ(json.at("points")[0], (nlohmann::json{{"saved_bytes", 1000},
                                                  {"recompute_flops", 4000},
                                                  {"recompute_cost", 4000.0},
                                                  {"corner", true},
                                                  {"price_per_byte", 4.0}}));
  EXPECT_EQ(json.at("points")[1].at("peak_bytes"), 7000);
  EXPECT_FALSE(json.at("points")[1].contains("price_per_byte"));
  EXPECT_EQ(json.at("pytorch")[0].at("settings"), nlohmann::json::object());
  EXPECT_EQ(json.at("pytorch")[1].at("settings"),
            (nlohmann::json{{"activation_memory_budget", 0.5}, {"recompute_views", true}}));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(ParetoSvg, HasAMarkForEachPointAndALineThroughTheCorners) {
  const std::string svg = pareto_svg(small());
  EXPECT_EQ(count(svg, "<circle class=\"corner\" cx="), 2u);
  EXPECT_EQ(count(svg, "<circle class=\"between\" cx="), 1u);
  EXPECT_EQ(count(svg, "<path class=\"pytorch\" d=\"M"), 2u + 2u) << "marks and legend";
  // From 1 kB, 4 kFLOP to 2 kB, nothing: the axes reach from 1 to 2.6 kB and from 0 to 4 kFLOP.
  EXPECT_NE(svg.find("<path class=\"hull\" d=\"M84.0 78.0L550.2 462.0\"/>"), std::string::npos) << svg;
  EXPECT_NE(
      svg.find("<title>activation_memory_budget=0.5, recompute_views=true: 1.5 kB saved, 3.0 kFLOP recomputed</title>"),
      std::string::npos);
}

TEST(ParetoSvg, EscapesWhatItShows) {
  Pareto pareto = small();
  pareto.graph = "a<b>&\"c\"\x01";
  pareto.pytorch[0].settings = {{"naming_operators", std::string("a&b")}};
  const std::string svg = pareto_svg(pareto);
  EXPECT_NE(svg.find("aria-label=\"a&lt;b&gt;&amp;&quot;c&quot;\xEF\xBF\xBD: memory"), std::string::npos);
  EXPECT_NE(svg.find("naming_operators=a&amp;b"), std::string::npos);
}

// Three budgets with the same answer, and the defaults.
Pareto with_same_answers() {
  Pareto pareto = small();
  pareto.pytorch[1].settings = {{"activation_memory_budget", 0.5}};
  for (const double budget : {0.25, 0.125}) {
    pareto.pytorch.push_back(pareto.pytorch[1]);
    pareto.pytorch.back().settings = {{"activation_memory_budget", budget}};
  }
  return pareto;
}

TEST(SameAnswers, AreOneWithTheSettingsOfAll) {
  Pareto pareto = with_same_answers();
  pareto.pytorch[3].peak_bytes = 7000;
  ASSERT_EQ(same_answers(pareto).size(), 3u) << "another peak is another answer";
  EXPECT_EQ(same_answers(pareto)[1].settings, "activation_memory_budget=0.5, 0.25");
  pareto.pytorch[3] = pareto.pytorch[0];
  pareto.pytorch[3].settings = {{"recompute_views", true}};
  ASSERT_EQ(same_answers(pareto).size(), 2u);
  EXPECT_EQ(same_answers(pareto)[0].settings, "defaults; recompute_views=true");
}

TEST(ParetoTable, ShowsWhatLooksTheSameOnce) {
  Pareto pareto = with_same_answers();
  pareto.points = {corner(1000, 4000, 4), between(1001, 3999), corner(1002, 3998, 2), between(1500, 2200), corner(2000, 0, 0.5)};
  const std::string table = pareto_table(pareto);
  EXPECT_NE(table.find("PRICE\n1.0 kB   4.0 kFLOP  4.0 MFLOP/MB  corner\n1.5 kB"), std::string::npos) << table;
  EXPECT_NE(table.find("2 more between or like these"), std::string::npos) << table;
  EXPECT_NE(table.find("  activation_memory_budget=0.5, 0.25, 0.125\n"), std::string::npos) << table;
}

TEST(ParetoSvg, PyTorchsAnswersThatAreTheSameHaveOneMark) {
  const std::string svg = pareto_svg(with_same_answers());
  EXPECT_EQ(count(svg, "<path class=\"pytorch\" d=\"M"), 2u + 2u) << "marks and legend";
  EXPECT_NE(svg.find("2: PyTorch 2.13, activation_memory_budget=0.5, 0.25, 0.125</text>"), std::string::npos) << svg;
}

TEST(ParetoSvg, ALogarithmicAxisBendsTheHullAndHasZeroAtItsEnd) {
  Pareto pareto = small();
  pareto.points = {corner(1000, 40'000'000, 4), corner(1500, 700, 2), corner(2000, 0, 0.5)};
  const std::string svg = pareto_svg(pareto);
  EXPECT_NE(svg.find("in FLOP, logarithmic (estimator flops)"), std::string::npos) << svg;
  for (const std::string_view label : {">0</text>", ">100 FLOP</text>", ">10 kFLOP</text>", ">100 MFLOP</text>"}) {
    EXPECT_NE(svg.find(label), std::string::npos) << label;
  }
  const std::size_t path = svg.find("class=\"hull\" d=\"");
  EXPECT_EQ(count(svg.substr(path, svg.find("/>", path) - path), "L"), 64u);
  EXPECT_NE(svg.find("<circle class=\"corner\" cx=\"550.2\" cy=\"462.0\""), std::string::npos) << "no cost is at the bottom";
}

// Peaks of 10 and 20 GB, and PyTorch's of 15, with steps of 120, 100 and 115 ms.
Pareto by_peak() {
  Pareto pareto;
  pareto.graph = "mlp";
  pareto.torch = Release{13};
  pareto.by = ParetoBy::Peak;
  pareto.is_compiled = true;
  pareto.device = "h100";
  const auto point = [](std::int64_t saved_bytes, Int128 peak_bytes, double ms) {
    ParetoPoint one = between(saved_bytes, 7);
    one.step = StepFigures{peak_bytes, ms};
    return one;
  };
  pareto.points = {point(4'000'000'000, 10'000'000'000, 120), point(9'000'000'000, 20'000'000'000, 100)};
  pareto.pytorch = {{{}, 8'000'000'000, 5, 5, {}, StepFigures{15'000'000'000, 115}}};
  return pareto;
}

TEST(ParetoByPeak, TellsWhatEachPeakCosts) {
  EXPECT_EQ(pareto_table(by_peak()),
            "mlp: what a lower peak costs, in the time of a step\n"
            "\n"
            "COMPILED   SAVED      TIME\n"
            " 10.0 GB  4.0 GB  +20.0 ms  +20.0 %\n"
            " 20.0 GB  9.0 GB     +0 ns   +0.0 %\n"
            "(longer than the fastest, a step of 100 ms estimated for h100)\n"
            "\n"
            "PyTorch 2.13\n"
            "COMPILED   SAVED      TIME            ABOVE  SETTINGS\n"
            " 15.0 GB  8.0 GB  +15.0 ms  +15.0 %  -4.2 %  defaults\n");
}

TEST(ParetoByPeak, TheLeastCostBesideAPointIsThatOfTheFastestStepWithinItsPeak) {
  Pareto pareto = by_peak();
  PyTorchPoint& point = pareto.pytorch.front();
  EXPECT_EQ(least_cost_beside(pareto, point), 120);
  point.step->peak_bytes = 20'000'000'000;
  EXPECT_EQ(least_cost_beside(pareto, point), 100);
  point.step->peak_bytes = 9'999'999'999;
  EXPECT_EQ(least_cost_beside(pareto, point), std::nullopt);
}

TEST(ParetoByPeak, OtherFormsHaveTheStepsToo) {
  EXPECT_EQ(
      pareto_csv(by_peak()),
      "source,saved_bytes,recompute_flops,recompute_cost,cost_unit,peak_bytes,corner,price_per_byte,settings,step_peak_bytes,"
      "step_ms\n"
      "frontier,4000000000,7,7,FLOP,,false,,,10000000000,120\n"
      "frontier,9000000000,7,7,FLOP,,false,,,20000000000,100\n"
      "pytorch,8000000000,5,5,FLOP,,,,defaults,15000000000,115\n");
  const auto json = nlohmann::json::parse(pareto_json(by_peak()));
  EXPECT_EQ(json["by"], "peak");
  EXPECT_EQ(json["step_peak_of"], "compiled");
  EXPECT_EQ(json["points"][0]["step_peak_bytes"], 10'000'000'000);
  EXPECT_EQ(json["pytorch"][0]["step_ms"], 115);
}

TEST(ParetoByPeak, TheChartFallsInSteps) {
  const std::string svg = pareto_svg(by_peak());
  EXPECT_NE(svg.find("time of the step in ms (estimated for h100), against the peak of inductor's code"), std::string::npos)
      << svg;
  const std::size_t path = svg.find("class=\"hull\" d=\"M");
  ASSERT_NE(path, std::string::npos);
  const std::string drawn = svg.substr(path, svg.find("/>", path) - path);
  EXPECT_EQ(count(drawn, "H"), 1u);
  EXPECT_EQ(count(drawn, "V"), 1u);
}

TEST(ParetoSvg, HasTheColoursOfThePalette) {
  const std::string svg = pareto_svg(small());
  std::set<std::string> known;
  for (const Paint& one : kPalette) {
    for (const Colours& colours : {one.light, one.dark}) known.insert({std::string(colours.line), std::string(colours.fill)});
  }
  std::size_t found = 0;
  for (std::size_t at = svg.find('#'); at != std::string::npos; at = svg.find('#', at + 1), ++found) {
    EXPECT_TRUE(known.contains(svg.substr(at, 7))) << svg.substr(at, 7);
  }
  EXPECT_GT(found, 10u);
}

TEST(ParetoSvg, ShortensLongSettingsInTheLegendOnly) {
  Pareto pareto = small();
  const std::string name(60, 'x');
  pareto.pytorch[0].settings = {{name, true}, {name, false}};
  const std::string svg = pareto_svg(pareto);
  EXPECT_NE(svg.find(name + "=true, ...</text>"), std::string::npos);
  EXPECT_NE(svg.find(name + "=true, " + name + "=false: 2.5 kB"), std::string::npos);
}

TEST(ParetoSvg, IsAnEmptyChartWithoutPoints) {
  const std::string svg = pareto_svg({});
  EXPECT_EQ(count(svg, "class=\"hull\""), 0u);
  EXPECT_EQ(count(svg, "<circle"), 0u);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace fxcut
