// The page of a partition: its data, and that no text of the graph is anything but text in it.
#include "html/page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <utility>

#include "graph_text.h"
#include "html/template.h"
#include "pipeline/pipeline.h"
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
  return page_data(result.report, result.graphs, result.running(), result.memory);
}

PageData data_of(const std::string& text, const Settings& settings = {}) {
  return data_of(joint_graph(text), settings);
}

JointGraph named(const std::string& name, const std::string& text) {
  JointGraph joint = joint_graph(text);
  joint.name = name;
  return joint;
}

const PageNode& node(const PageData& data, std::string_view name, std::string_view op) {
  for (const PageNode& candidate : data.nodes) {
    if (candidate.name == name && data.operators.texts()[candidate.op] == op) return candidate;
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
  EXPECT_EQ(data.modules.texts()[node(data, "mm", "aten.mm.default").module], "layers.0");
}

TEST(PageData, ASavedValueLeadsFromTheForwardToTheBackward) {
  const PageData data = data_of(kStep, saving_nothing());
  ASSERT_EQ(data.saved.size(), 1u);
  ASSERT_TRUE(data.saved[0].forward_node && data.saved[0].backward_node);
  EXPECT_LT(*data.saved[0].forward_node, data.forward_nodes);
  EXPECT_EQ(data.nodes[*data.saved[0].forward_node].name, "primals_1");
  EXPECT_GE(*data.saved[0].backward_node, data.forward_nodes);
  EXPECT_EQ(data.nodes[*data.saved[0].backward_node].name, "primals_1");
}

TEST(PageData, InputsStandOnTheirOwnSideAndOnce) {
  const PageData data = data_of(kStep, saving_nothing());
  for (std::size_t i = 0; i < data.nodes.size(); ++i) {
    for (const std::size_t input : data.nodes[i].inputs) {
      EXPECT_LT(input, i);
      EXPECT_EQ(input < data.forward_nodes, i < data.forward_nodes);
    }
  }
  EXPECT_EQ(node(data, "mm", "aten.mm.default").inputs.size(), 1u);
}

TEST(PageData, StepsAreTheNodesThatRun) {
  const PageData data = data_of(kStep);
  ASSERT_EQ(data.steps.size(), data.step_bytes.size());
  EXPECT_EQ(data.nodes[data.steps.front()].name, "mm");
  EXPECT_EQ(data.nodes[data.steps[data.forward_steps - 1]].name, "output");
  EXPECT_EQ(data.nodes[data.steps.back()].name, "output");
  EXPECT_EQ(data.forward_steps, 3u);
  ASSERT_EQ(data.phases.size(), 2u);
  EXPECT_EQ(data.phases.front().name, "forward");
  EXPECT_EQ(data.phases.back().name, "backward");
  EXPECT_EQ(data.phases.back().first_step, data.forward_steps);
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
