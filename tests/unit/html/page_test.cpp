// The page of a partition: its data, and that no text of the graph is anything but text in it.
#include "html/page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <utility>

#include "graph_text.h"
#include "html/template.h"
#include "partition/partition.h"
#include "text/palette.h"

namespace fxcut {
namespace {

const std::string kStep = R"(
  primals_1 = placeholder : f32[4, 4]{4, 1}@1 static
  tangents_1 = placeholder : f32[4, 4]{4, 1}@3
  mm = aten.mm.default(primals_1, primals_1) : f32[4, 4]{4, 1}@4 module=layers.0
  sin = aten.sin.default(mm) : f32[4, 4]{4, 1}@5 module=layers.0
  grad = aten.mul.Tensor(tangents_1, sin) : f32[4, 4]{4, 1}@8
  return sin | grad)";

PageData data_of(JointGraph joint, const Settings& settings = {}) {
  const Partition result = partition(std::move(joint), settings);
  return page_data({{result}});
}

PageData data_of(const std::string& text, const Settings& settings = {}) {
  return data_of(joint_graph(text), settings);
}

JointGraph named(const std::string& name, const std::string& text) {
  JointGraph joint = joint_graph(text);
  joint.name = name;
  return joint;
}

const PageDecision& made(const PageData& data) { return data.decisions.front(); }

const std::string& name_of(const PageData& data, std::size_t node) {
  return data.texts.names.texts()[made(data).nodes.at(node).name];
}

const PageNode& node(const PageData& data, std::string_view name, std::string_view op) {
  for (const PageNode& candidate : made(data).nodes) {
    if (data.texts.names.texts()[candidate.name] == name && data.texts.operators.texts()[candidate.op] == op) return candidate;
  }
  throw std::runtime_error("no such node");
}

Settings saving_nothing() {
  Settings settings;
  settings.activation_memory_budget = 0;
  return settings;
}

TEST(PageData, NodesSayWhatBecameOfThem) {
  const PageData data = data_of(kStep, saving_nothing());
  EXPECT_EQ(node(data, "primals_1", "placeholder").state, PageState::Saved);
  EXPECT_EQ(node(data, "mm", "aten.mm.default").state, PageState::Recomputed);
  EXPECT_EQ(node(data, "grad", "aten.mul.Tensor").state, PageState::Plain);
  EXPECT_EQ(data.texts.modules.texts()[node(data, "mm", "aten.mm.default").module], "layers.0");
}

TEST(PageData, ASavedValueLeadsFromTheForwardToTheBackward) {
  const PageData data = data_of(kStep, saving_nothing());
  const PageDecision& decision = made(data);
  ASSERT_EQ(decision.saved.size(), 1u);
  const PageSaved& saved = decision.saved[0];
  ASSERT_TRUE(saved.forward_node && saved.backward_node);
  EXPECT_LT(*saved.forward_node, decision.forward_nodes);
  EXPECT_EQ(name_of(data, *saved.forward_node), "primals_1");
  EXPECT_GE(*saved.backward_node, decision.forward_nodes);
  EXPECT_EQ(name_of(data, *saved.backward_node), "primals_1");
}

TEST(PageData, InputsStandOnTheirOwnSideAndOnce) {
  const PageData data = data_of(kStep, saving_nothing());
  const PageDecision& decision = made(data);
  for (std::size_t i = 0; i < decision.nodes.size(); ++i) {
    for (const std::size_t input : decision.nodes[i].inputs) {
      EXPECT_LT(input, i);
      EXPECT_EQ(input < decision.forward_nodes, i < decision.forward_nodes);
    }
  }
  EXPECT_EQ(node(data, "mm", "aten.mm.default").inputs.size(), 1u);
}

TEST(PageData, StepsAreTheNodesThatRun) {
  const PageData data = data_of(kStep);
  const PageCurve& curve = made(data).curves.back();
  EXPECT_EQ(name_of(data, curve.steps.front()), "mm");
  EXPECT_EQ(name_of(data, curve.steps[curve.forward_steps - 1]), "output");
  EXPECT_EQ(name_of(data, curve.steps.back()), "output");
  EXPECT_EQ(curve.forward_steps, 3u);
  ASSERT_EQ(curve.phases.size(), 2u);
  EXPECT_EQ(curve.phases.front().name, "forward");
  EXPECT_EQ(curve.phases.back().name, "backward");
  EXPECT_EQ(curve.phases.back().first_step, curve.forward_steps);
}

Settings compiled() {
  Settings settings;
  settings.memory_of = MemoryOf::Compiled;
  return settings;
}

TEST(PageData, TheCurveOfCompiledCodeIsFirst) {
  const Partition result = partition(joint_graph(kStep), compiled());
  const PageData data = page_data({{result}});
  ASSERT_EQ(made(data).curves.size(), 2u);
  const PageCurve &code = made(data).curves.front(), &operators = made(data).curves.back();
  EXPECT_TRUE(code.peak_bytes == result.report.memory.compiled->peak_bytes);
  EXPECT_TRUE(operators.peak_bytes == result.report.memory.peak_bytes);
  EXPECT_LT(code.steps.size(), operators.steps.size()) << "a kernel computes several operators, and nothing is an output's";
}

TEST(PageData, ASavedValueOfTheCodeHasOneAllocation) {
  std::string step = kStep;
  step.replace(step.find("return sin"), 10, "loss = aten.sum.default(sin) : f32[]@6\n  return loss");
  const PageData data = data_of(step, compiled());
  const PageCurve& code = made(data).curves.front();
  std::size_t carried = 0;
  for (const PageAllocation& one : code.allocations) {
    if (one.kind != MemoryKind::Saved) continue;
    ++carried;
    EXPECT_LT(one.first_step, code.forward_steps);
    ASSERT_TRUE(one.last_step);
    EXPECT_GE(*one.last_step, code.forward_steps);
    EXPECT_LT(one.node, made(data).forward_nodes) << "it is the forward's node, which has a module";
  }
  EXPECT_EQ(carried, made(data).saved.size());
}

TEST(PageData, HasSeveralDecisionsToPickFrom) {
  const Partition first = partition(joint_graph(kStep), {}), second = partition(joint_graph(kStep), saving_nothing());
  const PageData data = page_data({{first, "", "fxcut partition a.json"}, {second, "+1.0 ms", "fxcut partition b.json"}});
  ASSERT_EQ(data.decisions.size(), 2u);
  EXPECT_EQ(data.decisions[0].more_time, "");
  EXPECT_EQ(data.decisions[0].held, "64 B");
  EXPECT_EQ(data.decisions[1].held, "0 B");
  EXPECT_EQ(data.decisions[1].command, "fxcut partition b.json");
  EXPECT_NE(data.decisions[0].nodes.size(), data.decisions[1].nodes.size());
}

const std::string kHostile = R"(
  primals_1 = placeholder : f32[4]
  tangents_1 = placeholder : f32[4]
  sin = aten.sin.default(primals_1) : f32[4] module="</script><script>alert(2)</script>"
  grad = aten.mul.Tensor(tangents_1, sin) : f32[4] module="<!--"
  return sin | grad)";

TEST(Page, TextsOfTheGraphEndNoElement) {
  const PageData data = data_of(named("</title><img src=x onerror=alert(1)>", kHostile));
  EXPECT_EQ(page_json(data).find('<'), std::string::npos);
  const auto json = nlohmann::json::parse(page_json(data));
  EXPECT_EQ(json["title"], "</title><img src=x onerror=alert(1)>");
  const std::string page = html_page(data);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("alert(2)</script>"), std::string::npos);
  EXPECT_NE(page.find("<title>&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt; - fxcut</title>"), std::string::npos);
}

const std::string_view kTemplates[] = {page_template(), difference_template(), pareto_template(), batch_template()};

TEST(Pages, HaveNoColoursBesideThoseOfThePalette) {
  const std::regex colour("#[0-9a-fA-F]{6}\\b|\\b(rgb|hsl)\\((?!0 0 0 /)");
  for (const std::string_view page : kTemplates) {
    std::cmatch found;
    EXPECT_FALSE(std::regex_search(page.begin(), page.end(), found, colour)) << found.str();
    const std::regex variable("var\\(--([a-z]+?)(-fill)?\\)");
    for (auto used = std::cregex_iterator(page.begin(), page.end(), variable); used != std::cregex_iterator(); ++used) {
      const std::string name = (*used)[1];
      const bool is_paint = std::any_of(kPalette.begin(), kPalette.end(), [&](const Paint& one) { return one.name == name; });
      EXPECT_TRUE(is_paint || name == "focus" || name == "mono" || name == "tint") << name;
    }
  }
}

TEST(Page, TheMarksAreFilledInOnceEach) {
  const PageData data = data_of(named("@DATA@@TITLE@", kStep));
  const std::string page = html_page(data);
  EXPECT_NE(page.find("<title>@DATA@@TITLE@ - fxcut</title>"), std::string::npos);
  EXPECT_NE(page.find("\"title\":\"@DATA@@TITLE@\""), std::string::npos);
}

TEST(Pages, RefersToNothingElsewhere) {
  for (const std::string_view page : kTemplates) {
    for (const std::string_view reference : {"src=\"", "rel=\"stylesheet", "@import", "url(http", "https://", "fetch("}) {
      EXPECT_EQ(page.find(reference), std::string_view::npos) << reference;
    }
  }
}

}  // namespace
}  // namespace fxcut
