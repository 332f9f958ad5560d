// The schemas list what the program knows: every ban and every refusal that can be a reason, every fate, every release,
// every setting with its default; of policies every decision, element type and policy of JAX's.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

#include "cost/bans.h"
#include "explain/explanation.h"
#include "json_graph.h"
#include "offload/candidates.h"
#include "policy/jax_policies.h"
#include "policy/match_rows.h"
#include "policy/resolve_policies.h"
#include "policy/setting_rows.h"
#include "quantize/quantized_dtypes.h"
#include "release/release.h"

namespace fxcut {
namespace {

using namespace nlohmann::literals;

Json read_schema(const std::string& name) {
  std::ifstream file(std::string(FXCUT_SCHEMAS) + "/" + name);
  return Json::parse(file);
}

std::set<std::string> every_ban() {
  std::set<std::string> names;
  for (int ban = static_cast<int>(Ban::None) + 1; ban <= static_cast<int>(Ban::Overwritten); ++ban) {
    names.emplace(name_of(static_cast<Ban>(ban)));
  }
  return names;
}

std::set<std::string> every_offload_refusal() {
  std::set<std::string> names;
  for (int refusal = static_cast<int>(OffloadRefusal::None) + 1;
       refusal <= static_cast<int>(OffloadRefusal::NotATensor); ++refusal) {
    names.emplace(name_of(static_cast<OffloadRefusal>(refusal)));
  }
  return names;
}

std::vector<std::string> every_setting() {
  std::vector<std::string> names;
  for (const SettingRow& row : setting_rows()) names.emplace_back(row.name);
  return names;
}

TEST(Schemas, ListEveryBanAsAReasonToSave) {
  const Json bans = read_schema("report.schema.json").at("$defs").at("ban").at("enum");
  EXPECT_EQ(bans.get<std::set<std::string>>(), every_ban());
}

TEST(Schemas, ListEveryRefusalToOffload) {
  const Json why = read_schema("report.schema.json").at("$defs").at("offload_refusal").at("properties").at("why");
  const Json reasons = why.at("properties").at("reason").at("enum");
  EXPECT_EQ(reasons.get<std::set<std::string>>(), every_offload_refusal());
}

std::vector<std::string> listed_in_policies(const Json::json_pointer& place) {
  return read_schema("policy.schema.json").at("$defs").at(place).get<std::vector<std::string>>();
}

TEST(Schemas, ListEveryFate) {
  std::vector<std::string> fates;
  for (int fate = 0; fate <= static_cast<int>(NodeOutcome::Result); ++fate) {
    fates.emplace_back(name_of(static_cast<NodeOutcome>(fate)));
  }
  const Json listed = read_schema("explain.schema.json").at("$defs").at("fate").at("enum");
  EXPECT_EQ(listed.get<std::vector<std::string>>(), fates);
}

TEST(Schemas, ListEveryConditionOfARule) {
  std::set<std::string> keys = {"every"};
  for_each_match_row([&](const auto& row) { keys.emplace(row.key); });
  std::set<std::string> listed;
  const Json members = read_schema("policy.schema.json").at("$defs").at("match").at("properties");
  for (const auto& [key, member] : members.items()) listed.insert(key);
  EXPECT_EQ(listed, keys);
}

TEST(Schemas, ListEveryClassOfOperators) {
  std::vector<std::string> names;
  for (const auto& [name, operators] : kOperatorClasses) {
    names.emplace_back(name);
    EXPECT_EQ(name_of(operators), name);
  }
  EXPECT_EQ(listed_in_policies("/match/properties/class/enum"_json_pointer), names);
}

TEST(Schemas, ListEveryCheckpointPolicy) {
  std::vector<std::string> names;
  for (int policy = 0; policy <= static_cast<int>(CheckpointPolicy::PreferCpuOffload); ++policy) {
    names.emplace_back(name_of(static_cast<CheckpointPolicy>(policy)));
  }
  EXPECT_EQ(listed_in_policies("/checkpoint_policy/enum"_json_pointer), names);
}

TEST(Schemas, ListEveryDtypeThatIsRounded) {
  const std::vector<std::string> listed = listed_in_policies("/rounded_dtype/enum"_json_pointer);
  for (const QuantizedDtype& dtype : quantized_dtypes()) {
    for (const std::string& name : {std::string(dtype.name), "torch." + std::string(dtype.name)}) {
      EXPECT_NE(std::ranges::find(listed, name), listed.end()) << name;
    }
  }
  for (const std::string& name : listed) EXPECT_NE(find_quantized_dtype(name), nullptr) << name;
}

TEST(Schemas, ListEveryPolicyOfJax) {
  const auto& names = jax_policy_names();
  EXPECT_EQ(listed_in_policies("/jax_policy/properties/jax/enum"_json_pointer),
            std::vector<std::string>(names.begin(), names.end()));
}

TEST(Schemas, ListEveryBuiltInPolicy) {
  EXPECT_EQ(listed_in_policies("/builtin_policy/properties/builtin/enum"_json_pointer),
            (std::vector<std::string>{must_save_all().name, recompute_all().name}));
}

TEST(Schemas, ListEveryElementType) {
  const auto names = dtype_names();
  EXPECT_EQ(listed_in_policies("/dtype/enum"_json_pointer), std::vector<std::string>(names.begin(), names.end()));
}

TEST(Schemas, TakeEveryRelease) {
  const Json in_settings = read_schema("config.schema.json").at("properties").at("torch_version").at("anyOf");
  const std::regex settings(in_settings.at(1).at("pattern").get<std::string>());
  for (const char* name : {"report", "explain", "pareto"}) {
    const Json property = read_schema(std::string(name) + ".schema.json").at("properties").at("torch_version");
    const std::regex pattern(property.at("pattern").get<std::string>());
    for (const Release& release : known_releases()) {
      EXPECT_TRUE(std::regex_match(release.version(), pattern)) << name;
      EXPECT_TRUE(std::regex_match(release.version() + ".0", settings));
    }
    EXPECT_FALSE(std::regex_match("producer", pattern)) << name;
  }
}

TEST(Schemas, ListEveryWordOfASetting) {
  const Json properties = read_schema("config.schema.json").at("properties");
  std::size_t lists = 0;
  for (const SettingRow& row : setting_rows()) {
    if (row.known.empty()) continue;
    const std::set<std::string> words(row.known.begin(), row.known.end());
    const Json& described = properties.at(std::string(row.name));
    ++lists;
    if (described.contains("enum")) {
      EXPECT_EQ(described.at("enum").get<std::set<std::string>>(), words) << row.name;
      continue;
    }
    const std::string any = fmt::format("({})", fmt::join(row.known, "|"));  // of a list separated by commas
    EXPECT_EQ(described.at("pattern").get<std::string>(), fmt::format("^$|^{0}(,{0})*$", any)) << row.name;
  }
  EXPECT_GE(lists, 7U);
}

TEST(Schemas, DescribeEverySettingWithItsDefault) {
  const Json properties = read_schema("config.schema.json").at("properties");
  std::vector<std::string> described;
  for (const auto& [name, property] : properties.items()) described.push_back(name);
  EXPECT_EQ(described, every_setting());
  for (const SettingRow& row : setting_rows()) {
    const Json documented = properties.at(std::string(row.name)).at("default");
    std::visit([&](const auto& value) { EXPECT_EQ(documented, Json(value)) << row.name; }, row.get(Settings{}));
  }
}

TEST(Schemas, ListNoSettingValueThatIsRefused) {
  const Json properties = read_schema("config.schema.json").at("properties");
  for (const auto& [name, property] : properties.items()) {
    if (!property.contains("enum")) continue;
    for (const Json& value : property["enum"]) {
      Settings settings;
      const SettingValue given = value.is_boolean()  ? SettingValue(value.get<bool>())
                                 : value.is_number() ? SettingValue(value.get<double>())
                                                     : SettingValue(value.get<std::string>());
      EXPECT_NO_THROW(set_setting(settings, name, given, "")) << name << " = " << value;
    }
  }
}

TEST(Schemas, SayThatAReportHasEverySettingThatAlwaysMatters) {
  const Json settings = read_schema("report.schema.json").at("properties").at("settings");
  std::vector<std::string> always;
  for (const SettingRow& row : setting_rows()) {
    if (!row.matters) always.emplace_back(row.name);
  }
  EXPECT_EQ(settings.at("required").get<std::vector<std::string>>(), always);
}

}  // namespace
}  // namespace fxcut
