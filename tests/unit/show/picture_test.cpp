// The picture of a graph, and its text for Graphviz.
#include "show/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "show/open_modules.h"
#include "show/picture_dot.h"
#include "text/palette.h"
#include "text/printable.h"

namespace fxcut {
namespace {

// `layers` modules in a row, each of `calls` calls that take the one before.
JointGraph chain(int layers, int calls, const std::string& path = "layers.{}") {
  std::string text = "x = placeholder : f32[4]\n";
  std::string last = "x";
  for (int layer = 0; layer < layers; ++layer) {
    std::string module = path;
    if (const auto hole = module.find("{}"); hole != std::string::npos) module.replace(hole, 2, std::to_string(layer));
    for (int call = 0; call < calls; ++call) {
      const std::string name = "n" + std::to_string(layer) + "_" + std::to_string(call) + "x";
      text += name + " = aten.sin.default(" + last + ") : f32[4]" + (module.empty() ? "" : " module=" + module) + "\n";
      last = name;
    }
  }
  return joint_graph(text + "return " + last);
}

Picture picture_of(const JointGraph& joint, const PictureLimits& limits) {
  return plan_picture(joint, GraphForm::Forward, node_states(joint, GraphForm::Forward, std::nullopt), limits);
}

std::size_t count_of(const Picture& picture, Box::Kind kind) {
  return static_cast<std::size_t>(std::count_if(picture.boxes.begin(), picture.boxes.end(),
                                                [&](const Box& box) { return box.kind == kind; }));
}

TEST(Picture, ShowsEachNodeOfASmallGraph) {
  const Picture picture = picture_of(chain(3, 2), {});
  EXPECT_EQ(count_of(picture, Box::Kind::Node), 7u);
  EXPECT_EQ(count_of(picture, Box::Kind::Outputs), 1u);
  EXPECT_EQ(picture.arrows.size(), 7u);
}

TEST(Picture, FoldsLayersOfALargeOne) {
  const Picture picture = picture_of(chain(50, 4), {20, ""});
  // The first layer has the graph's input; the others are alike, and each goes on to the next.
  EXPECT_EQ(count_of(picture, Box::Kind::Node), 9u);
  std::size_t nodes = 0;
  for (const Box& box : picture.boxes) nodes += box.kind == Box::Kind::Outputs ? 0 : box.nodes;
  EXPECT_EQ(nodes, 200u);
  EXPECT_EQ(std::count_if(picture.arrows.begin(), picture.arrows.end(), [](const Arrow& a) { return a.to_next_layer; }),
            1);
}

TEST(Picture, AModuleThatDoesNotFitIsOneBox) {
  const Picture picture = picture_of(chain(3, 30, "a{}"), {8, ""});
  EXPECT_EQ(count_of(picture, Box::Kind::Module), 3u);
  EXPECT_EQ(count_of(picture, Box::Kind::Node), 0u);
}

TEST(Picture, NodesWithoutModulesAreSeveralToABox) {
  const Picture picture = picture_of(chain(1, 1000, ""), {100, ""});
  EXPECT_LE(count_of(picture, Box::Kind::Nodes), kMaxNodeBoxes);
  EXPECT_GE(count_of(picture, Box::Kind::Nodes), kMaxNodeBoxes / 2);
}

TEST(Picture, TooManyModulesAreSeveralToABox) {
  const Picture picture = picture_of(chain(1000, 1, "m{}"), {100, ""});
  EXPECT_LE(count_of(picture, Box::Kind::Modules), kMaxModuleBoxes);
  std::size_t modules = 0;
  for (const Box& box : picture.boxes) modules += box.modules;
  EXPECT_EQ(modules, 1000u);
}

TEST(Picture, TheModuleAskedForIsOpen) {
  const Picture picture = picture_of(chain(50, 30), {20, "layers.7"});
  EXPECT_EQ(count_of(picture, Box::Kind::Node), 30u);
}

TEST(Picture, AModuleThatIsNotThereIsRefused) {
  try {
    picture_of(chain(3, 2), {100, "layer.1"});
    FAIL() << "expected a failure";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::Usage);
    EXPECT_STREQ(failure.what(),
                 "fxcut: error: --module layer.1: no node of the graph is of that module\n  did you mean 'layers.1'?");
  }
}

TEST(Draw, SaysWhatBecomesOfValues) {
  const JointGraph joint = joint_graph(
      "primals_1 = placeholder : f32[4]\n"
      "tangents_1 = placeholder : f32[4]\n"
      "sin = aten.sin.default(primals_1) : f32[4] module=act\n"
      "mul = aten.mul.Tensor(tangents_1, sin) : f32[4] module=act\n"
      "return sin | mul");
  const std::string dot = draw_dot(joint, GraphForm::Joint, DecisionNames{{"sin"}, {}, {}}, {});
  for (const char* part : {"digraph fxcut {", "<b>forward</b>", "<b>backward</b>", "<b>act</b>", ">saved</td>",
                           "<b>sin</b><br/><font point-size=\"9\" color=\"#59636e\">aten.sin</font>",
                           "float32[4], 16 B", "<b>1 gradient</b>", "constraint=false, penwidth=1.4"}) {
    EXPECT_NE(dot.find(part), std::string::npos) << part << "\n" << dot;
  }
}

TEST(Draw, EscapesNames) {
  const JointGraph joint = joint_graph("x = placeholder\na = aten.sin.default(x) module=\"<b>&\"\nreturn a");
  EXPECT_NE(draw_dot(joint, GraphForm::Forward, std::nullopt, {}).find("<b>&lt;b&gt;&amp;</b>"), std::string::npos);
}

TEST(PictureDot, ShortensLongNames) {
  const std::string name(500, 'n'), module = std::string(300, 'm') + "\\\"<";
  JointGraph joint = joint_graph("x = placeholder : f32[4]\nsin = aten.sin.default(x) : f32[4] module=a\nreturn sin");
  joint.graph.nodes[1].name = name;
  Provenance provenance = *joint.graph.nodes[1].provenance;
  provenance.module = module;
  joint.graph.nodes[1].provenance = std::make_shared<const Provenance>(provenance);
  const std::string dot = draw_dot(joint, GraphForm::Forward, std::nullopt, {});
  EXPECT_NE(dot.find("<b>" + shortened(name) + "</b>"), std::string::npos) << dot;
  EXPECT_NE(dot.find(", tooltip=\"" + name + "\"]"), std::string::npos);
  EXPECT_NE(dot.find("; tooltip=\"" + std::string(300, 'm') + "\\\\&quot;&lt;\"; "), std::string::npos);
  EXPECT_EQ(dot.find("tooltip"), dot.find("tooltip=\"mmm")) << "that of the graph is not there";
  joint.name = std::string(200, 'g');
  EXPECT_NE(draw_dot(joint, GraphForm::Forward, std::nullopt, {}).find("  tooltip=\"ggg"), std::string::npos);
}

// A step with a parameter, two saved values in one storage, and a recomputed one.
const std::string kSharing = R"(
  primals_1 = placeholder : f32[4, 4]{4, 1}@1 static
  tangents_1 = placeholder : f32[4, 4]{4, 1}@3
  mm = aten.mm.default(primals_1, primals_1) : f32[4, 4]{4, 1}@4 module=layers.0
  sin = aten.sin.default(mm) : f32[4, 4]{4, 1}@5 module=layers.0
  grad = aten.mul.Tensor(tangents_1, sin) : f32[4, 4]{4, 1}@8
  more = aten.mm.default(grad, primals_1) : f32[4, 4]{4, 1}@9
  return sin | more)";

TEST(Picture, HasTheFiguresOfTheReport) {
  for (const double budget : {1.0, 0.0}) {
    Settings settings;
    settings.activation_memory_budget = budget;
    const Report report = partition(joint_graph(kSharing), settings).report;
    const JointGraph joint = joint_graph(kSharing);
    const std::vector<DrawnNode> shown = node_states(joint, GraphForm::Joint, decision_names(report));
    for (const std::size_t boxes : {100u, 2u}) {
      Int128 saved = 0, held = 0;
      std::size_t values = 0, recomputed = 0;
      for (const Box& box : plan_picture(joint, GraphForm::Joint, shown, {boxes, ""}).boxes) {
        saved += box.saved_bytes;
        held += box.held_bytes;
        values += box.by_state[static_cast<std::size_t>(NodeState::Saved)];
        recomputed += box.by_state[static_cast<std::size_t>(NodeState::Recomputed)];
      }
      EXPECT_EQ(saved, report.totals.saved_bytes);
      EXPECT_EQ(held, report.totals.saved_bytes_not_static);
      EXPECT_EQ(values, report.totals.saved_values);
      EXPECT_EQ(recomputed, report.totals.recomputed_operators);
    }
  }
}

TEST(Picture, HasTheBackwardOnTheRight) {
  const Report report = partition(joint_graph(kSharing), {}).report;
  const std::string dot = draw_dot(joint_graph(kSharing), GraphForm::Joint, decision_names(report), {});
  EXPECT_NE(dot.find("{ rank=same; forward_top -> backward_top [style=invis] }"), std::string::npos) << dot;
  EXPECT_EQ(draw_dot(chain(2, 2), GraphForm::Forward, std::nullopt, {}).find("rank=same"), std::string::npos);
}

TEST(Picture, HasTheColoursOfThePalette) {
  const Report report = partition(joint_graph(kSharing), {}).report;
  const std::string dot = draw_dot(joint_graph(kSharing), GraphForm::Joint, decision_names(report), {});
  std::set<std::string_view> known;
  for (const Paint& one : kPalette) known.insert({one.light.line, one.light.fill});
  std::size_t found = 0;
  for (std::size_t at = dot.find("\"#"); at != std::string::npos; at = dot.find("\"#", at + 1), ++found) {
    EXPECT_TRUE(known.contains(std::string_view(dot).substr(at + 1, 7))) << dot.substr(at, 9);
  }
  EXPECT_GT(found, 10u);
  EXPECT_NE(dot.find(paint(PaintOf::Saved).light.fill), std::string::npos);
}

}  // namespace
}  // namespace fxcut
