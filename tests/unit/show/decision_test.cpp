// Decisions by the names of nodes, from a report.
#include "show/decision.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "pipeline/pipeline.h"
#include "report/report_json.h"

namespace fxcut {
namespace {

std::string refusal(const std::string& text) {
  try {
    read_decision_names(*Document::parse(text, "report.json"));
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

TEST(Decision, OfAReportAndOfItsFileAreTheSame) {
  const Report report = partition(joint_graph("primals_1 = placeholder : f32[64, 64]\n"
                                              "tangents_1 = placeholder : f32[64, 64]\n"
                                              "mm = aten.mm.default(primals_1, primals_1) : f32[64, 64]\n"
                                              "sin = aten.sin.default(mm) : f32[64, 64]\n"
                                              "cos = aten.cos.default(mm) : f32[64, 64]\n"
                                              "exp = aten.exp.default(cos) : f32[64, 64]\n"
                                              "mul = aten.mul.Tensor(tangents_1, exp) : f32[64, 64]\n"
                                              "add = aten.add.Tensor(mul, cos) : f32[64, 64]\n"
                                              "return sin | add"),
                                  Settings())
                            .report;
  const DecisionNames direct = decision_names(report);
  const DecisionNames read = read_decision_names(*Document::parse(report_json(report), "report.json"));
  EXPECT_EQ(direct.saved, (std::unordered_set<std::string>{"mm"}));
  EXPECT_EQ(read.saved, direct.saved);
  EXPECT_EQ(read.offloaded, direct.offloaded);
  EXPECT_EQ(read.recomputed, direct.recomputed);
}

TEST(Decision, WhatIsNoReportIsRefused) {
  EXPECT_EQ(refusal("{}"),
            "fxcut: report.json:1: top level: error: no report: expected \"format\": \"fxcut-report\"\n"
            "  write one with 'fxcut partition --json'");
  EXPECT_EQ(refusal("{\"format\": \"fxcut-report\", \"saved_values\": [{\"name\": 1}], \"saved_opaques\": [],\n"
                    "\"saved_symbols\": []}"),
            "fxcut: report.json:1: /saved_values/0: error: each of 'saved_values' has a 'name', a string\n"
            "fxcut: report.json:1: top level: error: a report has a list 'recomputed_values'");
}

}  // namespace
}  // namespace fxcut
