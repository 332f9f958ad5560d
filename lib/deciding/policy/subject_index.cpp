#include "policy/subject_index.h"

#include <algorithm>
#include <limits>

namespace fxcut {

SubjectIndex::SubjectIndex(const Graph& graph, const PolicySubjects& subjects) : graph_(graph), subjects_(subjects) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (subjects.is_subject[i]) all_.push_back(node_id(i));
  }
}

Selection SubjectIndex::select(const PolicyMatch& match) {
  Lists left{{&all_}, all_.size()};
  std::string_view holds_already;
  for_each_match_row([&](const auto& row) {
    const auto& given = match.*row.member;
    if (!given) return;
    if (auto fewer = find(row, match, left.count)) {
      left = std::move(*fewer);
      holds_already = row.key;
    }
  });
  std::vector<NodeId> nodes = left.merged();
  for_each_match_row([&](const auto& row) {
    const auto& given = match.*row.member;
    if (given && row.key != holds_already) std::erase_if(nodes, [&](NodeId id) { return !holds(row, *given, id); });
  });
  Selection selection{{}, nodes.size()};
  const auto every = static_cast<std::size_t>(match.every);
  for (std::size_t n = every; n <= nodes.size(); n += every) selection.nodes.push_back(nodes[n - 1]);
  return selection;
}

std::vector<NodeId> SubjectIndex::Lists::merged() const {
  std::vector<NodeId> nodes;
  nodes.reserve(count);
  for (const auto* list : lists) nodes.insert(nodes.end(), list->begin(), list->end());
  if (lists.size() > 1) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  return nodes;
}

bool SubjectIndex::holds(const TextRow& row, const Pattern& pattern, NodeId id) const {
  bool found = false;
  row.texts(graph_, subjects_, id, [&](std::string_view text) { found = found || (pattern.*row.matches)(text); });
  return found;
}

bool SubjectIndex::holds(const NumberRow& row, std::int64_t number, NodeId id) const {
  const std::optional<std::int64_t> own = row.number(graph_[id]);
  if (!own) return false;
  if (row.bound == NumberRow::Bound::Equal) return *own == number;
  return row.bound == NumberRow::Bound::Least ? *own >= number : *own <= number;
}

template <typename Word, typename Words>
bool SubjectIndex::holds(const WordRow<Word, Words>& row, Word word, NodeId id) {
  const auto [nodes, is_new] = words_.try_emplace({row.key, static_cast<std::size_t>(word)});
  if (is_new) nodes->second = row.nodes(graph_, subjects_, word);
  return nodes->second[index_of(id)];
}

template <typename Key>
std::optional<SubjectIndex::Lists> SubjectIndex::gather(const NodesBy<Key>& nodes, const Key& first, std::size_t limit,
                                                        const auto& is_in_range, const auto& is_wanted) {
  Lists found;
  std::size_t looked_at = 0;
  for (auto at = nodes.lower_bound(first); at != nodes.end() && is_in_range(at->first); ++at) {
    if (++looked_at > limit) return std::nullopt;
    if (!is_wanted(at->first)) continue;
    found.lists.push_back(&at->second);
    found.count += at->second.size();
    if (found.count >= limit) return std::nullopt;
  }
  return found;
}

std::optional<SubjectIndex::Lists> SubjectIndex::find(const TextRow& row, const PolicyMatch& match, std::size_t limit) {
  const Pattern& pattern = *(match.*row.member);
  const auto& nodes = once(texts_[position_in(kTextRows, row)],
                           [&](NodeId id, const auto& add) { row.texts(graph_, subjects_, id, add); });
  const std::string_view beginning = pattern.beginning();
  return gather(
      nodes, beginning, limit, [&](std::string_view text) { return text.starts_with(beginning); },
      [&](std::string_view text) { return (pattern.*row.matches)(text); });
}

std::optional<SubjectIndex::Lists> SubjectIndex::find(const NumberRow& row, const PolicyMatch& match, std::size_t limit) {
  const auto& nodes = once(numbers_[position_in(kNumberRows, row)], [&](NodeId id, const auto& add) {
    if (const auto own = row.number(graph_[id])) add(*own);
  });
  std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  for (const NumberRow& other : kNumberRows) {
    const auto& given = match.*other.member;
    if (!given || other.number != row.number) continue;
    if (other.bound != NumberRow::Bound::Most) least = std::max(least, *given);
    if (other.bound != NumberRow::Bound::Least) most = std::min(most, *given);
  }
  return gather(
      nodes, least, limit, [&](std::int64_t own) { return own <= most; }, [](std::int64_t) { return true; });
}

template <typename Key>
const SubjectIndex::NodesBy<Key>& SubjectIndex::once(std::optional<NodesBy<Key>>& nodes, const auto& keys_of) {
  if (nodes) return *nodes;
  nodes.emplace();
  for (const NodeId id : all_) {
    keys_of(id, [&](const Key& key) {
      std::vector<NodeId>& list = (*nodes)[key];
      if (list.empty() || list.back() != id) list.push_back(id);  // a value may have a name twice
    });
  }
  return *nodes;
}

}  // namespace fxcut
