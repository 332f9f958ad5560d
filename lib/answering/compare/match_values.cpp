#include "compare/match_values.h"

#include <deque>
#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "report/report.h"

namespace fxcut {
namespace {

using Values = std::vector<ComparedValue>;
using Key = std::string (*)(const ComparedValue&);

// Separates the parts of a key; it does not occur in names.
constexpr char kEnd = '\x1f';

template <typename... Parts>
std::string join(const Parts&... parts) {
  std::string key;
  (fmt::format_to(std::back_inserter(key), "{}{}", parts, kEnd), ...);
  return key;
}

std::string line_of(const ComparedValue& value) {
  const Provenance& p = value.provenance;
  return join(p.source_file, p.source_line, p.source_function);
}

std::string by_line(const ComparedValue& v) {
  return join(v.op, v.extent, v.provenance.module, line_of(v), v.provenance.checkpoint_name);
}

std::string by_module(const ComparedValue& v) {
  return join(v.op, v.extent, v.provenance.module, v.provenance.checkpoint_name);
}

std::string by_place(const ComparedValue& v) {
  if (show_place(v.provenance).empty()) return "";
  return join(v.op, v.provenance.module, line_of(v), v.provenance.checkpoint_name);
}

std::string by_name(const ComparedValue& v) { return join(v.op, v.name); }
std::string by_name_alone(const ComparedValue& v) { return join(v.name); }  // an empty name is one as well

void pair_by(const Values& before, const Values& after, Key key, Matching& matching) {
  const auto with_name = [key](const ComparedValue& value) {
    const std::string text = key(value);
    return text.empty() ? text : join(text, value.name);
  };
  matching.pair_equal([&](std::size_t i) { return with_name(before[i]); }, [&](std::size_t i) { return with_name(after[i]); });
  matching.pair_equal([&](std::size_t i) { return key(before[i]); }, [&](std::size_t i) { return key(after[i]); });
}

std::unordered_set<std::string_view> modules_of(const Values& values) {
  std::unordered_set<std::string_view> modules;
  for (const ComparedValue& value : values) modules.insert(value.provenance.module);
  return modules;
}

// Values in modules that the other side does not have.
void pair_renamed(const Values& before, const Values& after, Matching& matching) {
  const auto key_of = [](const ComparedValue& value, const std::unordered_set<std::string_view>& others) {
    return others.contains(value.provenance.module) ? "" : join(value.op, value.extent);
  };
  const auto modules_before = modules_of(before), modules_after = modules_of(after);
  matching.pair_equal([&](std::size_t i) { return key_of(before[i], modules_after); },
                      [&](std::size_t i) { return key_of(after[i], modules_before); });
}

}  // namespace

void Matching::pair(std::size_t before, std::size_t after) {
  after_of_[before] = after;
  before_of_[after] = before;
}

void Matching::pair_equal(const KeyOf& key_of_before, const KeyOf& key_of_after) {
  std::unordered_map<std::string, std::deque<std::size_t>> waiting;
  for (std::size_t i = 0; i < before_of_.size(); ++i) {
    if (before_of_[i] != kNone) continue;
    std::string key = key_of_after(i);
    if (!key.empty()) waiting[std::move(key)].push_back(i);
  }
  if (waiting.empty()) return;
  for (std::size_t i = 0; i < after_of_.size(); ++i) {
    if (after_of_[i] != kNone) continue;
    const auto found = waiting.find(key_of_before(i));
    if (found == waiting.end() || found->second.empty()) continue;
    pair(i, found->second.front());
    found->second.pop_front();
  }
}

void match_places(const Values& before, const Values& after, Matching& matching) {
  for (const Key key : {by_line, by_module, by_place, by_name}) pair_by(before, after, key, matching);
}

void match_values(const Values& before, const Values& after, Matching& matching) {
  match_places(before, after, matching);
  pair_renamed(before, after, matching);
}

void match_names(const Values& before, const Values& after, Matching& matching) {
  pair_by(before, after, by_name_alone, matching);
}

}  // namespace fxcut
