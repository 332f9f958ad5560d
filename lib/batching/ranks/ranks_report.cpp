#include "ranks/ranks_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "json/json_forms.h"
#include "text/printable.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kRanksVersion = 1;
constexpr std::size_t kMostNames = 5;  // of values, in the text

// The names of the values that `a` saves and `b` does not.
std::vector<std::string> saved_only_by(const RankChoice& a, const RankChoice& b) {
  const std::unordered_set<std::uint32_t> in_b(b.saved.begin(), b.saved.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < a.saved.size(); ++i) {
    if (!in_b.contains(a.saved[i])) names.push_back(a.saved_names[i]);
  }
  return names;
}

// Members of a set, by their places in it, whose graphs have one structure.
using Alike = std::vector<std::size_t>;

std::vector<Alike> by_structure(const std::vector<const RankChoice*>& members) {
  std::vector<Alike> groups;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!members[i]) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Alike& group) {
      return members[group.front()]->structure == members[i]->structure;
    });
    (same == groups.end() ? groups.emplace_back() : *same).push_back(i);
  }
  return groups;
}

Json row_json(const RankRow& row) {
  if (!row.is_decided) return {{"name", row.name}, {"status", "failed"}};
  return {{"name", row.name},
          {"status", "decided"},
          {"structure", row.structure},
          {"takes", row.takes},
          {"own_bytes", row.own_bytes},
          {"own_largest_bytes", row.largest_bytes},
          {"taken_bytes", row.taken_bytes},
          {"only_own_saves", row.only_own},
          {"only_taken_saves", row.only_taken}};
}

std::string some_names(const std::vector<std::string>& names) {
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMostNames));
  std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

std::string row_text(const RankRow& row) {
  std::string text = fmt::format("  {} uses the decision of {}: {} saved instead of {}\n", printable(row.name),
                                 printable(row.takes), show_bytes(row.taken_bytes), show_bytes(row.own_bytes));
  if (!row.only_own.empty()) text += fmt::format("    no longer saved: {}\n", printable(some_names(row.only_own)));
  if (!row.only_taken.empty()) text += fmt::format("    newly saved: {}\n", printable(some_names(row.only_taken)));
  return text;
}

}  // namespace

RankSetReport agree_in_set(const RankSet& set, const std::vector<std::string>& names,
                           const std::vector<std::optional<RankChoice>>& choices,
                           std::vector<std::optional<std::size_t>>& adopted) {
  RankSetReport report{set.name, 0, {}};
  std::vector<const RankChoice*> members;
  for (const std::size_t item : set.items) {
    report.ranks.emplace_back().name = names[item];
    members.push_back(choices[item] ? &*choices[item] : nullptr);
  }
  for (const Alike& group : by_structure(members)) {
    std::vector<const RankChoice*> ranks;
    for (const std::size_t member : group) ranks.push_back(members[member]);
    const CommonDecision common = agree(ranks);
    const std::size_t picked = group[common.picked];
    for (std::size_t i = 0; i < group.size(); ++i) {
      const RankChoice& own = *ranks[i];
      RankRow& row = report.ranks[group[i]];
      row.structure = report.structures;
      row.is_decided = true;
      row.takes = row.name;
      row.own_bytes = row.taken_bytes = saved_bytes(own, own);
      row.largest_bytes = common.largest_bytes[i];
      if (!common.decides_otherwise[i]) continue;
      adopted[set.items[group[i]]] = set.items[picked];
      row.takes = report.ranks[picked].name;
      row.taken_bytes = saved_bytes(*members[picked], own);
      row.only_own = saved_only_by(own, *members[picked]);
      row.only_taken = saved_only_by(*members[picked], own);
    }
    ++report.structures;
  }
  return report;
}

std::string ranks_json(const std::vector<RankSetReport>& sets, std::string_view version) {
  const auto set_json = [](const RankSetReport& set) {
    return Json{{"name", set.name}, {"structures", set.structures}, {"ranks", json_list(set.ranks, row_json)}};
  };
  const Json json = {{"format", "fxcut-ranks"},
                     {"version", kRanksVersion},
                     {"program", version},
                     {"sets", json_list(sets, set_json)}};
  return json_file(json);
}

std::string ranks_text(const std::vector<RankSetReport>& sets) {
  std::string text;
  for (const RankSetReport& set : sets) {
    std::string rows;
    for (const RankRow& row : set.ranks) rows += row.takes == row.name || !row.is_decided ? "" : row_text(row);
    if (set.structures > 1) {
      rows += fmt::format("  {} structures: each keeps its own decisions; 'fxcut diff' shows the differences\n",
                          set.structures);
    }
    if (!rows.empty()) text += fmt::format("{}: of {} ranks\n{}", printable(set.name), set.ranks.size(), rows);
  }
  return text;
}

}  // namespace fxcut
