#include "ranks/rank_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include "diagnostic/diagnostic.h"

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

// Of the first word that is "rank", optionally "_" or "-", and a number.
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

// What follows the rank in the name of a TORCH_TRACE log, without the random part: "_a1b2c3d4".
std::string_view without_random_part(std::string_view before, std::string_view after) {
  constexpr std::size_t kRandomCharacters = 8;  // of tempfile, which PyTorch's trace uses
  if (!before.ends_with("torch_trace_rank_") || !after.starts_with('_')) return after;
  const std::string_view random = after.substr(1, after.find('/') - 1);
  const bool is_random = random.size() == kRandomCharacters && std::all_of(random.begin(), random.end(), [](char c) {
    return is_letter_or_digit(c) || c == '_';
  });
  return is_random ? after.substr(1 + kRandomCharacters) : after;
}

// "/joint_rank_*" for each "/joint_rank_" with that number.
void forget_rank_of_records(std::string& set, std::string_view digits) {
  constexpr std::string_view kRecord = "/joint_rank_";
  for (std::size_t at = set.find(kRecord); at != set.npos; at = set.find(kRecord, at + 1)) {
    const std::size_t begin = at + kRecord.size(), end = end_of_digits(set, begin);
    if (is_word_end(set, end) && std::string_view(set).substr(begin, end - begin) == digits) {
      set.replace(begin, end - begin, "*");
    }
  }
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

}  // namespace fxcut
