// The values that --compress auto may round, by classes of operators and by measured errors.
#include "compress/may_be_rounded.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

const std::string kTwo = R"(
  primals_1 = placeholder : f32[4, 4]
  tangents_1 = placeholder : f32[4, 4]
  a = aten.mm.default(primals_1, primals_1) : f32[4, 4]@2
  v = aten.view.default(a, [16]) : f32[16]@2
  s = aten.sin.default(v) : f32[16]
  grad = my.grad.default(tangents_1, v, s) : f32[4, 4]
  return s | grad)";

// "a s": the calls that may be rounded.
std::string rounded_by(const Settings& settings) {
  const JointGraph joint = joint_graph(kTwo);
  const std::vector<bool> may = may_be_rounded(joint.graph, settings);
  std::string text;
  for (std::size_t i = 0; i < may.size(); ++i) {
    if (may[i] && joint.graph.nodes[i].is_call()) text += (text.empty() ? "" : " ") + joint.graph.nodes[i].name;
  }
  return text;
}

Settings with_errors(double most, MeasuredErrors errors) {
  Settings settings;
  settings.compress_error = most;
  settings.compress_errors = std::make_shared<const MeasuredErrors>(std::move(errors));
  return settings;
}

MeasuredErrors errors_of(std::map<std::string, MeasuredError> by_node) { return {"two", "float8_e4m3fn", std::move(by_node)}; }

TEST(MayBeRounded, AllUnlessLimited) { EXPECT_EQ(rounded_by({}), "a v s grad"); }

TEST(MayBeRounded, TheValuesOfAClassAndTheirViews) {
  Settings settings;
  settings.compress_classes = "attention,matmul";
  EXPECT_EQ(rounded_by(settings), "a v");
}

TEST(MayBeRounded, ValuesThatChangeByAtMostTheLimit) {
  const MeasuredErrors errors = errors_of({{"a", {"aten.mm.default", 0.02}}, {"s", {"aten.sin.default", 0.03}}});
  EXPECT_EQ(rounded_by(with_errors(0.02, errors)), "a") << "what was not measured is not rounded either";
  EXPECT_EQ(rounded_by(with_errors(0.03, errors)), "a s");
}

TEST(MayBeRounded, ValuesThatAreNotFiniteAreNotRounded) {
  EXPECT_EQ(rounded_by(with_errors(1, errors_of({{"a", {"aten.mm.default", std::nullopt}}}))), "");
}

std::vector<std::string> refusals(const MeasuredErrors& errors, const Settings& settings = {}) {
  std::vector<std::string> messages;
  try {
    require_errors_of_graph(errors, joint_graph(kTwo).graph, settings);
  } catch (const Failure& failure) {
    for (const Diagnostic& one : failure.diagnostics()) messages.push_back(one.message);
  }
  return messages;
}

TEST(MayBeRounded, ErrorsOfAnotherGraphAreRefused) {
  EXPECT_EQ(refusals(errors_of({{"a", {"aten.mm.default", 0.02}}})), std::vector<std::string>());
  const std::vector<std::string> both = {
      "compress_errors of 'two': 'a' is aten.mm.default in the graph, and aten.sin.default in the file",
      "compress_errors of 'two': the graph has no node 'b'"};
  EXPECT_EQ(refusals(errors_of({{"a", {"aten.sin.default", 0.02}}, {"b", {"aten.mm.default", 0.1}}})), both);
}

TEST(MayBeRounded, ErrorsOfAnotherDtypeAreRefused) {
  Settings settings;
  settings.compress_dtype = "torch.float8_e5m2";
  EXPECT_EQ(refusals(errors_of({}), settings),
            std::vector<std::string>{"compress_errors: the errors are those of rounding to float8_e4m3fn, but compress_dtype is "
                                     "float8_e5m2"});
}

}  // namespace
}  // namespace fxcut
