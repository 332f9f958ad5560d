#include "finish/run_again.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "graph/nodes_by_name.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

class Repeating {
 public:
  Repeating(const Graph& backward, const Graph& joint, Namespace& names)
      : backward_(backward), joint_(joint), names_(names), rebuild_(backward), by_name_(nodes_by_name(backward)) {
    for (const Node& node : joint.nodes) names_.reserve(node.name);
  }

  void plan(const RecomputedAgain& one) {
    const auto value = find(one.value), before = find(one.before);
    if (value && before) before_[*before].push_back({one, *value});
  }

  Graph run() {
    for (std::size_t i = 0; i < backward_.size(); ++i) {
      if (const auto planned = before_.find(node_id(i)); planned != before_.end()) {
        for (const auto& [one, value] : planned->second) add(one, value);
      }
      rebuild_.copy(node_id(i));
    }
    return rebuild_.take();
  }

  std::vector<RunAgain> take_added() { return std::move(added_); }

 private:
  // The joint graph's call in the backward.
  std::optional<NodeId> find(NodeId id) const {
    const auto found = by_name_.find(joint_[id].name);
    if (found == by_name_.end() || !backward_[found->second].is_call()) return std::nullopt;
    return found->second;
  }

  void add(const RecomputedAgain& one, NodeId value) {
    Node copy = rebuild_.translated(value);
    if (rebuild_(value) == kNoNode || std::ranges::find(copy.inputs, kNoNode) != copy.inputs.end()) {
      throw Failure(ExitStatus::NoPartition,
                    fmt::format("'{}' cannot be recomputed again before '{}': the backward has not computed it there",
                                joint_[one.value].name, joint_[one.before].name),
                    "name a later node");
    }
    copy.name = names_.create(fmt::format("{}{}", copy.name, kRecomputedSuffix));
    copy.is_recomputed_copy = true;
    added_.push_back({copy.name, one.value, one.before});
    rebuild_.substitute(value, rebuild_.append(std::move(copy)));
  }

  struct Planned {
    RecomputedAgain one;
    NodeId value;  // in the backward
  };

  const Graph& backward_;
  const Graph& joint_;
  Namespace& names_;
  Rebuild rebuild_;
  NodesByName by_name_;  // of the backward
  std::map<NodeId, std::vector<Planned>> before_;
  std::vector<RunAgain> added_;
};

}  // namespace

std::vector<RunAgain> run_again(Graph& backward, const Graph& joint, const std::vector<RecomputedAgain>& again,
                                Namespace& names) {
  if (again.empty()) return {};
  Repeating repeating(backward, joint, names);
  for (const RecomputedAgain& one : again) repeating.plan(one);
  Graph result = repeating.run();
  std::vector<RunAgain> added = repeating.take_added();
  backward = std::move(result);
  return added;
}

}  // namespace fxcut
