// Changes that make results stale.
#include "batch/item_result.h"
#include "cost/device_profile.h"
#include "policy/setting_rows.h"

#include <gtest/gtest.h>

#include <set>

namespace fxcut {
namespace {

std::string key_of(std::string_view graph, const Instructions& instructions, std::string_view version) {
  WorkItem item;
  item.instructions = std::make_shared<const Instructions>(instructions);
  return item_key(graph, item, version);
}

TEST(ItemKey, DependsOnAllThatDecides) {
  Instructions instructions;
  const std::string key = key_of("graph", instructions, "1");
  EXPECT_EQ(key.size(), 32);
  EXPECT_EQ(key_of("graph", Instructions(), "1"), key);
  EXPECT_NE(key_of("graph ", instructions, "1"), key);
  EXPECT_NE(key_of("graph", instructions, "2"), key);
  std::set<std::string> keys = {key};
  for (const SettingRow& row : setting_rows()) {
    Instructions changed;
    std::vector<SettingValue> values = {true, false, std::int64_t{7}, 0.25};
    for (const char* const text : {"12GiB", "2.13", "x", "float16"}) values.emplace_back(std::string(text));
    for (const std::string_view word : row.known) values.emplace_back(std::string(word));
    for (const SettingValue& value : values) {
      if (row.set(changed.settings, value) && row.get(changed.settings) != row.get(Settings())) break;
    }
    EXPECT_TRUE(keys.insert(key_of("graph", changed, "1")).second) << row.name;
  }
  instructions.policies.push_back({"all", RuleList{}});
  EXPECT_NE(key_of("graph", instructions, "1"), key);
}

TEST(ItemKey, DependsOnTheTimesOfElements) {
  Instructions instructions;
  DeviceProfile device;
  instructions.settings.own_device = std::make_shared<const DeviceProfile>(device);
  const std::string key = key_of("graph", instructions, "1");
  device.elements.load_bool_ns = 4;
  instructions.settings.own_device = std::make_shared<const DeviceProfile>(device);
  EXPECT_NE(key_of("graph", instructions, "1"), key);
}

TEST(ItemKey, DependsOnTheRankWhoseDecisionIsTaken) {
  WorkItem item;
  item.instructions = std::make_shared<const Instructions>();
  const std::string own = item_key("graph", item, "1");
  RankChoice choice;
  choice.saved = {1};
  item.adopted = std::make_shared<const RankChoice>(choice);
  const std::string one = item_key("graph", item, "1");
  choice.saved = {2};
  item.adopted = std::make_shared<const RankChoice>(choice);
  EXPECT_NE(one, own);
  EXPECT_NE(item_key("graph", item, "1"), one);
}

}  // namespace
}  // namespace fxcut
