// An index of the policies' subjects by the conditions of rules. With thousands of rules and a large graph, each rule
// is compared only with the nodes that its most selective condition leaves, such as a name, a module or a size, so that
// the work grows with the number of selected nodes and not with rules times nodes. A pattern is compared only with
// texts that begin with its prefix; a pattern that begins with a wildcard, or is a regular expression, once with each
// text.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "policy/match_rows.h"
#include "policy/policy_stack.h"
#include "policy/policy_subjects.h"

namespace fxcut {

struct Selection {
  std::vector<NodeId> nodes;      // selected, in order
  std::size_t but_for_every = 0;  // the number of nodes that match without `every`
};

class SubjectIndex {
 public:
  // Both must outlive this.
  SubjectIndex(const Graph& graph, const PolicySubjects& subjects);

  // The nodes that match. A rule on names selects the nodes that compute the named values.
  Selection select(const PolicyMatch& match);

 private:
  template <typename Key>
  using NodesBy = std::map<Key, std::vector<NodeId>>;

  // Nodes in several lists.
  struct Lists {
    std::vector<const std::vector<NodeId>*> lists;
    std::size_t count = 0;

    std::vector<NodeId> merged() const;
  };

  // Whether the node meets the condition.
  bool holds(const TextRow& row, const Pattern& pattern, NodeId id) const;
  bool holds(const NumberRow& row, std::int64_t number, NodeId id) const;
  template <typename Word, typename Words>
  bool holds(const WordRow<Word, Words>& row, Word word, NodeId id);

  // The nodes that meet it, if fewer than `limit` and found among as many keys.
  std::optional<Lists> find(const TextRow& row, const PolicyMatch& match, std::size_t limit);
  std::optional<Lists> find(const NumberRow& row, const PolicyMatch& match, std::size_t limit);  // and other bounds of the number
  template <typename Word, typename Words>
  std::optional<Lists> find(const WordRow<Word, Words>&, const PolicyMatch&, std::size_t) { return std::nullopt; }

  template <typename Key>
  static std::optional<Lists> gather(const NodesBy<Key>& nodes, const Key& first, std::size_t limit,
                                     const auto& is_in_range, const auto& is_wanted);
  // `keys_of(id, add)` calls `add` with each key of a node.
  template <typename Key>
  const NodesBy<Key>& once(std::optional<NodesBy<Key>>& nodes, const auto& keys_of);

  const Graph& graph_;
  const PolicySubjects& subjects_;
  std::vector<NodeId> all_;  // the subjects in order
  // By row, each computed on first use.
  std::array<std::optional<NodesBy<std::string_view>>, std::tuple_size_v<decltype(kTextRows)>> texts_;
  std::array<std::optional<NodesBy<std::int64_t>>, std::tuple_size_v<decltype(kNumberRows)>> numbers_;
  std::map<std::pair<std::string_view, std::size_t>, std::vector<bool>> words_;  // by the row's key and its word
};

}  // namespace fxcut
