// An index of the policies' subjects by the conditions of rules. With thousands of rules and a large graph, each rule
// is compared only with the nodes that its most selective condition leaves, such as a name, a module or a size, so that
// the work grows with the number of selected nodes and not with rules times nodes. A pattern is compared only with
// texts that begin with its prefix; a pattern that begins with a wildcard, or is a regular expression, once with each
// text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/graph.h"
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
  enum class Part { Node, Name, Op, Region, Dtype, Bytes, Module, Kind };
  static constexpr Part kParts[] = {Part::Node,  Part::Name,  Part::Op,     Part::Region,
                                    Part::Dtype, Part::Bytes, Part::Module, Part::Kind};

  template <typename Key>
  using NodesBy = std::map<Key, std::vector<NodeId>>;

  // Nodes in several lists.
  struct Lists {
    std::vector<const std::vector<NodeId>*> lists;
    std::size_t count = 0;

    std::vector<NodeId> merged() const;
  };

  static bool is_given(const PolicyMatch& match, Part part);
  NodeKind kind_of(NodeId id) const;
  bool is_of(NodeKind kind, NodeId id);
  bool holds(const PolicyMatch& match, Part part, NodeId id);
  // The nodes that match one part, if fewer than `limit` and found among as many keys.
  std::optional<Lists> find(const PolicyMatch& match, Part part, std::size_t limit);

  template <typename Key>
  static std::optional<Lists> gather(const NodesBy<Key>& nodes, const Key& first, std::size_t limit,
                                     const auto& is_in_range, const auto& is_wanted);
  static std::optional<Lists> gather(const NodesBy<std::string_view>& nodes, const Pattern& pattern, std::size_t limit,
                                     bool (Pattern::*matches)(std::string_view) const);
  // `keys_of(id, add)` calls `add` with each key of a node.
  template <typename Key>
  const NodesBy<Key>& once(std::optional<NodesBy<Key>>& nodes, const auto& keys_of);

  const NodesBy<std::string_view>& by_node();
  const NodesBy<std::string_view>& by_name();
  const NodesBy<std::string_view>& by_operator();
  const NodesBy<std::string_view>& by_module();
  const NodesBy<std::string_view>& by_dtype();
  const NodesBy<std::int64_t>& by_region();
  const NodesBy<std::int64_t>& by_bytes();

  const Graph& graph_;
  const PolicySubjects& subjects_;
  std::vector<NodeId> all_;  // the subjects in order
  std::optional<NodesBy<std::string_view>> nodes_, names_, operators_, modules_, dtypes_;  // each computed on first use
  std::optional<NodesBy<std::int64_t>> regions_, bytes_;
  std::optional<std::vector<bool>> gathered_;            // by node, likewise
};

}  // namespace fxcut
