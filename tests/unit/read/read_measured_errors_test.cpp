// The errors of rounded values from a file.
#include "read/read_measured_errors.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

MeasuredErrors read_errors(const std::string& text) { return read_measured_errors(*Document::parse(text, "errors.json")); }

std::string errors_with(const std::string& values) {
  return R"({"format": "fxcut-compression-errors", "version": 1, "graph": "g", "dtype": "float8_e4m3fn", "values": [)" + values +
         "]}";
}

std::vector<std::string> mistakes_in_errors(const std::string& text) {
  std::vector<std::string> messages;
  try {
    read_errors(text);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::BadInput);
    for (const Diagnostic& one : failure.diagnostics()) messages.push_back(one.message);
  }
  return messages;
}

using Messages = std::vector<std::string>;

TEST(ReadMeasuredErrors, TakesNamesOperatorsAndErrors) {
  const MeasuredErrors errors = read_errors(errors_with(R"({"name": "mm", "operator": "aten.mm.default", "error": 0.5},
      {"name": "exp", "operator": "aten.exp.default", "error": null, "cosine": 0.9})"));
  EXPECT_EQ(errors.graph, "g");
  EXPECT_EQ(errors.dtype, "float8_e4m3fn");
  ASSERT_EQ(errors.by_node.size(), 2u);
  EXPECT_EQ(errors.by_node.at("mm").op, "aten.mm.default");
  EXPECT_EQ(errors.by_node.at("mm").error, 0.5);
  EXPECT_EQ(errors.by_node.at("exp").error, std::nullopt);
}

TEST(ReadMeasuredErrors, AnotherFormatIsRefused) {
  EXPECT_EQ(mistakes_in_errors(R"({"format": "fxcut-report", "version": 1, "graph": "g", "dtype": "float16", "values": []})"),
            Messages{"expected \"fxcut-compression-errors\""});
}

TEST(ReadMeasuredErrors, ErrorsAreAtLeastZeroAndEachNodeHasOne) {
  const std::string twice = R"({"name": "a", "operator": "my.a", "error": 1}, {"name": "a", "operator": "my.a", "error": -1})";
  EXPECT_EQ(mistakes_in_errors(errors_with(twice)), (Messages{"expected a number of 0 or more, or null", "'a' is there twice"}));
}

}  // namespace
}  // namespace fxcut
