// The schemas list what the program knows: every ban that can be a reason, and every setting with its default.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "cost/bans.h"
#include "json_graph.h"
#include "policy/settings.h"

namespace fxcut {
namespace {

Json read_schema(const std::string& name) {
  std::ifstream file(std::string(FXCUT_SCHEMAS) + "/" + name);
  return Json::parse(file);
}

std::set<std::string> every_ban() {
  std::set<std::string> names;
  for (int ban = static_cast<int>(Ban::None) + 1; !name_of(static_cast<Ban>(ban)).empty(); ++ban) {
    names.emplace(name_of(static_cast<Ban>(ban)));
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

TEST(Schemas, SayThatAReportHasEverySetting) {
  const Json settings = read_schema("report.schema.json").at("properties").at("settings");
  EXPECT_EQ(settings.at("required").get<std::vector<std::string>>(), every_setting());
}

}  // namespace
}  // namespace fxcut
