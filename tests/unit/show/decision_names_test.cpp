// Decisions by the names of nodes, from a report.
#include "show/decision_names.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "report/show_report.h"
#include "unit/without_excerpts.h"

namespace fxcut {
namespace {

TEST(Decision, NamesWhatIsSavedAndWhatIsRecomputed) {
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

TEST(Decision, ReadsOnlyNamesFromAFile) {
  constexpr std::string_view kLists = R"("saved_opaques": [], "saved_symbols": [], "recomputed_values": [])";
  const auto refusal = [&](const std::string& saved) -> std::string {
    try {
      read_decision_names(*Document::parse(R"({"format": "fxcut-report", "saved_values": )" + saved + ", " +
                                               std::string(kLists) + "}",
                                           "report.json"));
    } catch (const Failure& failure) {
      return without_excerpts(failure);
    }
    return "";
  };
  EXPECT_EQ(refusal(R"([{"name": "x"}, {"name": "y", "offloaded": true}])"), "");
  EXPECT_EQ(refusal(R"([{"name": 1}])"),
            "fxcut: report.json:1:54: /saved_values/0/name: error: expected a string, found an integer");
}

}  // namespace
}  // namespace fxcut
