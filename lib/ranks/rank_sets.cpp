#include "ranks/rank_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <regex>
#include <unordered_map>

#include "diagnostic/diagnostic.h"

namespace fxcut {

std::optional<RankName> parse_rank_name(std::string_view name) {
  static const std::regex pattern("(^|[^A-Za-z0-9])(rank[_-]?)([0-9]+)(?![A-Za-z0-9])");
  static const std::regex random_part("(torch_trace_rank_\\*)_[A-Za-z0-9_]{8}(?=/|$)");
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_search(name.begin(), name.end(), found, pattern)) return std::nullopt;
  RankName result;
  const std::string digits = found[3].str();
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.rank);
  if (error != std::errc()) return std::nullopt;
  result.set = found.prefix().str() + found[1].str() + found[2].str() + "*" + found.suffix().str();
  result.set = std::regex_replace(result.set, random_part, "$1");
  const std::regex again("(/joint_rank_)" + digits + "(?![A-Za-z0-9])");
  result.set = std::regex_replace(result.set, again, "$1*");
  return result;
}

std::vector<RankSet> rank_sets(const std::vector<std::string>& names) {
  std::vector<RankSet> sets;
  std::unordered_map<std::string, std::size_t> position_of;
  std::vector<std::map<std::uint64_t, std::size_t>> by_rank;  // of each set
  for (std::size_t item = 0; item < names.size(); ++item) {
    const auto name = parse_rank_name(names[item]);
    if (!name) {
      throw Failure(ExitStatus::Usage, fmt::format("the name '{}' says no rank", names[item]),
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
                    "give each rank's graph a name of its own");
    }
  }
  for (std::size_t set = 0; set < sets.size(); ++set) {
    for (const auto& [rank, item] : by_rank[set]) sets[set].items.push_back(item);
  }
  return sets;
}

}  // namespace fxcut
