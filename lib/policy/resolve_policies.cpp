#include "policy/resolve_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "graph/survivors.h"
#include "policy/names.h"
#include "policy/policy_subjects.h"
#include "policy/policy_tags.h"

namespace fxcut {
namespace {

Level level_of_tags(const Graph& graph, const std::vector<bool>& is_subject) {
  Level level{"the graph's tags", std::vector<std::optional<Opinion>>(graph.size()), false};
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto& tag = graph.nodes[i].meta.recompute;
    if (is_subject[i] && tag) level.opinions[i] = Opinion{*tag, "meta.recompute"};
  }
  return level;
}

int strength(const Opinion& opinion) {
  return 4 * opinion.refuses + 2 * is_must(opinion.says) + keeps(opinion.says);
}

// A level on the graph as it was read, on the graph as it is now.
Level on_survivors(const Level& as_read, const std::vector<std::string>& nodes_as_read, const JointGraph& joint,
                   const Survivors& survivors) {
  Level level{as_read.policy, std::vector<std::optional<Opinion>>(joint.graph.size()), as_read.is_permission};
  for (std::size_t i = 0; i < nodes_as_read.size(); ++i) {
    const auto& opinion = as_read.opinions[i];
    const auto survivor = opinion ? survivors.of(nodes_as_read[i]) : std::nullopt;
    if (!survivor) continue;
    auto& standing = level.opinions[index_of(*survivor)];
    if (!standing || strength(*opinion) > strength(*standing)) standing = opinion;
  }
  return level;
}

// Goes through the levels, and lists what contradicts each other.
class Resolution {
 public:
  Resolution(const Graph& graph, const TaggedSubjects& subjects)
      : graph_(graph), same_(subjects.same), wholes_(subjects.wholes), standings_(graph.size()) {}

  void hear(const Level& level) {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (level.opinions[i]) meet(node_id(i), level, *level.opinions[i]);
    }
    tell_values(level);
    tell_wholes(level);
  }

  // What stands in the end. Throws where something contradicts.
  std::vector<Standing> take() {
    compare_with_tuples();
    if (!contradictions_.empty()) throw Failure(ExitStatus::NoPartition, std::move(contradictions_));
    return std::move(standings_);
  }

 private:
  void meet(NodeId id, const Level& level, const Opinion& opinion) {
    Standing& standing = standings_[index_of(id)];
    const Standing own{opinion.says, &level, opinion.rule, {}, {}};
    if (standing.level && is_must(standing.policy) && !is_must(opinion.says)) {  // a MUST stands against any PREFER
      standing.overrode.push_back(own.describe());
      return;
    }
    if (is_must(opinion.says)) {
      for (const auto& [policy, said_before] : standing.musts) {
        if (policy != opinion.says) contradict(id, said_before, own.describe());
      }
      standing.musts.emplace_back(opinion.says, own.describe());
    }
    if (standing.level) standing.overrode.push_back(standing.describe());
    standing.policy = opinion.says;
    standing.level = &level;
    standing.rule = opinion.rule;
  }

  void contradict(NodeId id, const std::string& one, const std::string& other) {
    contradictions_.push_back(
        {"", fmt::format("policies contradict each other about '{}': {}, but {}", graph_[id].name, one, other),
         "make one of them a PREFER, or narrow its match"});
  }

  // Who wants a name or a view kept wants the value kept, so the value hears of it, from the level that says so.
  void tell_values(const Level& level) {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Standing& own = standings_[i];
      const NodeId value = same_[i];
      if (own.level != &level || value == node_id(i) || !keeps(own.policy)) continue;
      const Standing& of_value = standings_[index_of(value)];
      const bool is_said = of_value.level == &level && of_value.policy == own.policy;
      const bool is_meant = graph_[value].is_call() || own.rule != kOtherwise;  // 'otherwise' speaks of no input
      if (!is_said && is_meant) meet(value, level, {own.policy, own.rule});
    }
  }

  // Who has a part saved has the memory of the whole kept, so the whole is saved; to the host a part goes by itself.
  void tell_wholes(const Level& level) {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Standing& own = standings_[i];
      const bool is_part = same_[i] == node_id(i) && wholes_[i] != node_id(i);
      if (!is_part || own.level != &level || own.policy != CheckpointPolicy::MustSave) continue;
      const Standing& of_whole = standings_[index_of(wholes_[i])];
      if (of_whole.level != &level || !keeps(of_whole.policy)) meet(wholes_[i], level, {own.policy, own.rule});
    }
  }

  // A tuple and its items share their fate: MUSTs that differ contradict each other.
  void compare_with_tuples() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Standing& own = standings_[i];
      const NodeId computed_by = computing_node(graph_, node_id(i));
      if (!own.level || !is_must(own.policy) || same_[i] != node_id(i) || computed_by == node_id(i)) continue;
      const Standing& tuple = standings_[index_of(computed_by)];
      if (!tuple.level || !is_must(tuple.policy) || keeps(tuple.policy) == keeps(own.policy)) continue;
      contradict(computed_by, tuple.describe(), own.describe());
    }
  }

  const Graph& graph_;
  const std::vector<NodeId>& same_;
  const std::vector<NodeId>& wholes_;
  std::vector<Standing> standings_;
  std::vector<Diagnostic> contradictions_;
};

}  // namespace

PolicyOutcome apply_policies(JointGraph& joint, const Consultation& said, const Settings& settings) {
  Graph& graph = joint.graph;
  if (settings.ignore_tags) {
    for (Node& node : graph.nodes) node.meta.recompute.reset();
  }
  if (said.levels.empty()) return {};
  if (!settings.enable_activation_offloading) {  // PyTorch's marks hold only then
    for (Node& node : graph.nodes) node.meta.should_offload = false;
  }
  TaggedSubjects subjects{find_subjects(graph), naming_operators(settings), {}, {}};
  subjects.same = same_values(graph, subjects.naming_operators);
  subjects.wholes = whole_values(graph, subjects.same, subjects.naming_operators);
  const Survivors survivors(joint);
  std::vector<Level> levels = {level_of_tags(graph, subjects.is_subject)};
  for (const Level& as_read : said.levels) levels.push_back(on_survivors(as_read, said.nodes, joint, survivors));
  Resolution resolution(graph, subjects);
  for (const Level& level : levels) resolution.hear(level);
  return tag_nodes(joint, subjects, resolution.take());
}

}  // namespace fxcut
