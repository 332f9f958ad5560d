#include "ranks/ranks_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "diagnostic/diagnostic.h"
#include "json/json_forms.h"
#include "text/printable.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_word_end(std::string_view text, std::size_t at) { return at == text.size() || !is_letter_or_digit(text[at]); }

std::size_t end_of_digits(std::string_view text, std::size_t begin) {
  return std::min(text.find_first_not_of("0123456789", begin), text.size());
}

struct Digits {
  std::size_t begin, end;
};

// The digits of the first word that is "rank", optionally "_" or "-", and a number.
std::optional<Digits> find_rank(std::string_view name) {
  constexpr std::string_view kWord = "rank";
  for (std::size_t at = name.find(kWord); at != name.npos; at = name.find(kWord, at + 1)) {
    std::size_t begin = at + kWord.size();
    if (begin < name.size() && (name[begin] == '_' || name[begin] == '-')) ++begin;
    const std::size_t end = end_of_digits(name, begin);
    const bool begins_a_word = at == 0 || !is_letter_or_digit(name[at - 1]);
    if (begins_a_word && end > begin && is_word_end(name, end)) return Digits{begin, end};
  }
  return std::nullopt;
}

// The part after the rank in the name of a TORCH_TRACE log, without its random part: "_a1b2c3d4".
std::string_view without_random_part(std::string_view before, std::string_view after) {
  constexpr std::size_t kRandomCharacters = 8;  // of tempfile, which PyTorch's trace uses
  if (!before.ends_with("torch_trace_rank_") || !after.starts_with('_')) return after;
  const std::string_view random = after.substr(1, after.find('/') - 1);
  const bool is_random = random.size() == kRandomCharacters && std::all_of(random.begin(), random.end(), [](char c) {
    return is_letter_or_digit(c) || c == '_';
  });
  return is_random ? after.substr(1 + kRandomCharacters) : after;
}

// Replaces each "/joint_rank_" with that number by "/joint_rank_*".
void forget_rank_of_records(std::string& set, std::string_view digits) {
  constexpr std::string_view kRecord = "/joint_rank_";
  for (std::size_t at = set.find(kRecord); at != set.npos; at = set.find(kRecord, at + 1)) {
    const std::size_t begin = at + kRecord.size(), end = end_of_digits(set, begin);
    if (is_word_end(set, end) && std::string_view(set).substr(begin, end - begin) == digits) {
      set.replace(begin, end - begin, "*");
    }
  }
}

using Json = nlohmann::ordered_json;

constexpr int kRanksVersion = 1;
constexpr std::size_t kMaxNamesShown = 5;

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
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMaxNamesShown));
  std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  if (names.size() > kMaxNamesShown) text += fmt::format(" and {} more", names.size() - kMaxNamesShown);
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

std::optional<RankName> parse_rank_name(std::string_view name) {
  const auto found = find_rank(name);
  if (!found) return std::nullopt;
  RankName result;
  const std::string_view digits = name.substr(found->begin, found->end - found->begin);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.rank);
  if (error != std::errc()) return std::nullopt;
  const std::string_view before = name.substr(0, found->begin);
  result.set = fmt::format("{}*{}", before, without_random_part(before, name.substr(found->end)));
  forget_rank_of_records(result.set, digits);
  return result;
}

std::vector<RankSet> rank_sets(const std::vector<std::string>& names) {
  std::vector<RankSet> sets;
  std::unordered_map<std::string, std::size_t> position_of;
  std::vector<std::map<std::uint64_t, std::size_t>> by_rank;  // of each set
  for (std::size_t item = 0; item < names.size(); ++item) {
    const auto name = parse_rank_name(names[item]);
    if (!name) {
      throw Failure(ExitStatus::Usage, fmt::format("the name '{}' contains no rank", names[item]),
                    "expected rank3 or rank_3 in it, such as rank3/step.json; a manifest can give other names");
    }
    const auto [found, is_new] = position_of.emplace(name->set, sets.size());
    if (is_new) {
      sets.push_back({name->set, {}});
      by_rank.emplace_back();
    }
    const auto [other, is_first] = by_rank[found->second].emplace(name->rank, item);
    if (!is_first) {
      throw Failure(ExitStatus::Usage,
                    fmt::format("'{}' and '{}' are the same graph of rank {} by their names", names[other->second],
                                names[item], name->rank),
                    "give each rank's graph its own name");
    }
  }
  for (std::size_t set = 0; set < sets.size(); ++set) {
    for (const auto& [rank, item] : by_rank[set]) sets[set].items.push_back(item);
  }
  return sets;
}

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
