// Settings from a file.
#include "read/read_settings.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "unit/without_excerpts.h"

namespace fxcut {
namespace {

Settings read_config(std::string_view text) {
  Settings settings;
  read_settings(Document::parse(std::string(text), "config.json")->root(), settings);
  return settings;
}

Failure refusal_of_settings(std::string_view text) {
  try {
    read_config(text);
    return Failure(ExitStatus::Done, "read");
  } catch (const Failure& failure) {
    return failure;
  }
}

TEST(ReadSettings, EachKindOfValue) {
  const Settings settings = read_config(R"({"recompute_views": true, "max_dist_from_bw": 7, "activation_memory_budget": 0.0,
                                     "cut_side": "nearest_forward"})");
  EXPECT_TRUE(settings.recompute_views);
  EXPECT_EQ(settings.max_dist_from_bw, 7);
  EXPECT_EQ(settings.activation_memory_budget, 0);
  EXPECT_EQ(settings.cut_side, CutSide::NearestForward);
  EXPECT_TRUE(settings.cse) << "the rest is left as it was";
}

TEST(ReadSettings, MistakesNameTheirPlace) {
  EXPECT_EQ(without_excerpts(refusal_of_settings("{\n\"recompute_vews\": true}")),
               "fxcut: config.json:2:1: /recompute_vews: error: unknown setting 'recompute_vews'\n  did you mean "
               "'recompute_views'?");
  EXPECT_EQ(without_excerpts(refusal_of_settings(R"({"cse": null})")),
            "fxcut: config.json:1:9: /cse: error: setting 'cse' is null; expected true or false");
  EXPECT_EQ(without_excerpts(refusal_of_settings(R"({"naming_operators": ["a", "b"]})")),
            "fxcut: config.json:1:22: /naming_operators: error: setting 'naming_operators' is an array; expected operators, "
            "separated by commas");
  EXPECT_EQ(refusal_of_settings(R"({"cse": null})").status(), ExitStatus::Usage);
}

TEST(ReadSettings, ADocumentThatIsNoObjectIsRefused) {
  EXPECT_EQ(refusal_of_settings("[]").status(), ExitStatus::BadInput);
  EXPECT_NE(std::string(refusal_of_settings("[]").what()).find("expected an object, found an array"), std::string::npos);
}

}  // namespace
}  // namespace fxcut
