#include "cli/topic_list.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "policy/setting_rows.h"
#include "release/release.h"

namespace fxcut {
namespace {

TopicBlock definition(std::string term, std::string text) {
  return {TopicBlock::Kind::Definition, 0, std::move(text), std::move(term)};
}

void add_settings(TopicText& topic) {
  const Settings defaults;
  for (const SettingRow& row : setting_rows()) {
    std::string value = std::visit([](const auto& v) { return fmt::format("{}", v); }, row.get(defaults));
    if (value.empty()) value = "\"\"";
    topic.blocks.push_back(
        definition(fmt::format("{} = {}", row.name, value), fmt::format("{}: {}", row.expects, row.meaning)));
  }
}

std::string all_releases() {
  std::string versions;
  for (const Release& release : known_releases()) versions += (versions.empty() ? "" : ", ") + release.version();
  return versions;
}

void add_changes(TopicText& topic) {
  topic.blocks.push_back(definition("known releases", all_releases()));
  for (const ChangeRow& row : changes()) {
    const std::string until = row.in.until ? fmt::format(", until {}", row.in.until->version()) : "";
    topic.blocks.push_back(definition(fmt::format("since {}{}: {}", row.in.since.version(), until, row.what),
                                      fmt::format("because {}", row.why)));
  }
}

TopicText complete(TopicText topic) {
  if (topic.name == "settings") add_settings(topic);
  if (topic.name == "releases") add_changes(topic);
  return topic;
}

}  // namespace

std::vector<TopicText> topics() {
  std::vector<TopicText> all;
  for (const std::string_view source : topic_sources()) all.push_back(complete(read_topic(source)));
  return all;
}

std::optional<TopicText> find_topic(std::string_view name) {
  for (TopicText& topic : topics()) {
    if (topic.name == name) return std::move(topic);
  }
  return std::nullopt;
}

}  // namespace fxcut
