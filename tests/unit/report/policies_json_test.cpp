// Policies as JSON, which a report keeps.
#include "report/policies_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "read/read_policy.h"

namespace fxcut {
namespace {

TEST(PoliciesJson, AStackIsReadAsItWasWritten) {
  constexpr std::string_view kText = R"({"version": 1, "policies": [
      {"name": "base", "rules": [
        {"match": {"kind": "activation", "class": "cheap", "node": "mm_1", "name": "q", "op": {"regex": "aten\\..*"},
                   "module": "layers.*", "dtype": "float32", "min_bytes": 16, "max_bytes": 64, "ac_graph_id": 0, "every": 3},
         "policy": "PREFER_CPU_OFFLOAD"},
        {"match": {}, "policy": "MUST_SAVE"}], "otherwise": "PREFER_RECOMPUTE"},
      {"name": "nothing", "rules": []},
      {"name": "mine", "jax": "save_and_offload_only_these_names", "save": ["a"], "offload": ["b"]},
      {"name": "both", "jax": "save_from_both_policies",
       "policies": [{"jax": "save_only_these_names", "names": ["a", "b"]}, {"jax": "dots_saveable"}]}]})";
  const auto json = policies_json(read_policies(*Document::parse(std::string(kText), "policy.json")));
  EXPECT_EQ(json, nlohmann::ordered_json::parse(kText)) << json.dump(1);
}

TEST(PoliciesJson, BuiltInPoliciesKeepTheirMeaning) {
  const auto json = policies_json({must_save_all(), recompute_all()});
  const PolicyStack again = read_policies(*Document::parse(json.dump(), "policy.json"));
  ASSERT_EQ(again.size(), 2U);
  EXPECT_EQ(again[0].name, must_save_all().name);
  EXPECT_EQ(std::get<RuleList>(again[0].content).otherwise, std::get<RuleList>(must_save_all().content).otherwise);
  EXPECT_EQ(std::get<RuleList>(again[1].content).otherwise, std::get<RuleList>(recompute_all().content).otherwise);
}

}  // namespace
}  // namespace fxcut
