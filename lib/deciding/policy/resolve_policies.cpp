#include "policy/resolve_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "diagnostic/diagnostic.h"
#include "graph/rebuild.h"
#include "policy/names.h"
#include "policy/policy_subjects.h"
#include "policy/policy_tags.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// A wrong stack of thousands of policies may have millions: more pairs of rules than these are not listed.
constexpr std::size_t kMaxConflicts = 100;

// Two MUSTs about one node.
struct Conflict {
  NodeId first{0};
  Verdict one, other;
  std::size_t nodes = 1;
};

using PairOfRules = std::array<std::uint32_t, 4>;  // source and rule of one, of the other

std::vector<RuleVerdict> verdicts_of_tags(const Graph& graph, const std::vector<bool>& is_subject) {
  std::vector<RuleVerdict> verdicts;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto& tag = graph.nodes[i].meta.recompute;
    if (is_subject[i] && tag) verdicts.push_back({node_id(i), *tag});
  }
  return verdicts;
}

int strength(const RuleVerdict& verdict) {
  return 4 * verdict.refuses + 2 * is_must(verdict.checkpoint_policy) + keeps(verdict.checkpoint_policy);
}

// By node as read, the node that represents it now, if any.
std::vector<std::optional<NodeId>> find_survivors(const JointGraph& joint, const std::vector<std::string>& as_read) {
  const Survivors survivors(joint);
  std::vector<std::optional<NodeId>> found;
  for (const std::string& name : as_read) found.push_back(survivors.of(name));
  return found;
}

// Verdicts on the graph as read, moved to the graph as it is now.
std::vector<RuleVerdict> on_survivors(const std::vector<RuleVerdict>& as_read,
                                  const std::vector<std::optional<NodeId>>& survivors) {
  std::vector<RuleVerdict> verdicts;
  for (RuleVerdict verdict : as_read) {
    const auto survivor = survivors[index_of(verdict.node)];
    if (!survivor) continue;
    verdict.node = *survivor;
    verdicts.push_back(verdict);
  }
  // The strongest of each node first, and of equally strong ones the first.
  std::stable_sort(verdicts.begin(), verdicts.end(), [](const RuleVerdict& a, const RuleVerdict& b) {
    return a.node != b.node ? a.node < b.node : strength(a) > strength(b);
  });
  const auto same_node = [](const RuleVerdict& a, const RuleVerdict& b) { return a.node == b.node; };
  verdicts.erase(std::unique(verdicts.begin(), verdicts.end(), same_node), verdicts.end());
  return verdicts;
}

std::vector<FormVerdict> on_survivors(const std::vector<FormVerdict>& as_read,
                                      const std::vector<std::optional<NodeId>>& survivors) {
  std::vector<FormVerdict> forms;
  for (FormVerdict verdict : as_read) {
    const auto survivor = survivors[index_of(verdict.node)];
    if (!survivor) continue;
    verdict.node = *survivor;
    forms.push_back(verdict);
  }
  std::ranges::stable_sort(forms, {}, &FormVerdict::node);  // of merged nodes the first counts
  return forms;
}

std::vector<PolicySource> all_sources(const std::vector<Level>& levels) {
  std::vector<PolicySource> sources = {{"the graph's tags", {"meta.recompute"}}};
  for (const Level& level : levels) sources.push_back(level.source);
  return sources;
}

// Applies the levels and lists the conflicts between them.
class Resolution {
 public:
  Resolution(const Graph& graph, const TaggedSubjects& subjects, const std::vector<PolicySource>& sources)
      : graph_(graph), same_(subjects.same), wholes_(subjects.wholes), sources_(sources), resolved_(graph.size()) {}

  void apply(std::uint32_t source, const std::vector<RuleVerdict>& verdicts) {
    std::vector<NodeId> decided;  // also the values below
    for (const RuleVerdict& verdict : verdicts) {
      add(verdict.node, {verdict.checkpoint_policy, source, verdict.rule});
      decided.push_back(verdict.node);
    }
    const std::vector<NodeId> values = pass_to_values(source, decided);
    decided.insert(decided.end(), values.begin(), values.end());
    std::sort(decided.begin(), decided.end());
    pass_to_wholes(source, decided);
  }

  // The resolved policies by node. Throws if any conflict.
  std::vector<ResolvedPolicy> take() {
    compare_with_tuples();
    if (!conflicts_.empty()) refuse_conflicts();
    return std::move(resolved_);
  }

 private:
  ResolvedPolicy& at(NodeId id) { return resolved_[index_of(id)]; }

  void add(NodeId id, const Verdict& own) {
    ResolvedPolicy& resolved = at(id);
    if (resolved.is_must() && !is_must(own.checkpoint_policy)) {  // a MUST overrides any PREFER
      resolved.overrode.push_back(own);
      return;
    }
    if (resolved.winner) resolved.overrode.push_back(*resolved.winner);
    resolved.winner = own;
    if (is_must(own.checkpoint_policy)) compare_with_musts(id, own);
  }

  // All MUSTs before it are among what it overrode.
  void compare_with_musts(NodeId id, const Verdict& own) {
    std::uint8_t& matched = musts_[index_of(id)];
    const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(own.checkpoint_policy));
    const bool is_in_conflict = (matched & ~bit) != 0;
    matched |= bit;
    if (!is_in_conflict) return;
    for (const Verdict& before : at(id).overrode) {
      if (is_must(before.checkpoint_policy) && before.checkpoint_policy != own.checkpoint_policy) add_conflict(id, before, own);
    }
  }

  // Each pair of rules is in conflict once, about its first node; the others are counted.
  void add_conflict(NodeId id, const Verdict& one, const Verdict& other) {
    const PairOfRules pair{one.source, one.rule, other.source, other.rule};
    const auto found = conflict_of_.find(pair);
    if (found != conflict_of_.end()) {
      ++conflicts_[found->second].nodes;
    } else if (conflicts_.size() == kMaxConflicts) {
      are_all_listed_ = false;
    } else {
      conflict_of_.emplace(pair, conflicts_.size());
      conflicts_.push_back({id, one, other});
    }
  }

  Diagnostic describe(const Conflict& conflict) const {
    const std::string others = conflict.nodes > 1 ? " and " + show_count(conflict.nodes - 1, "other node") : "";
    return {"",
            fmt::format("policies conflict on '{}'{}: {}, but {}", graph_[conflict.first].name, others,
                        fxcut::describe(conflict.one, sources_), fxcut::describe(conflict.other, sources_)),
            "make one of them a PREFER, or narrow its match"};
  }

  [[noreturn]] void refuse_conflicts() const {
    std::vector<Diagnostic> mistakes;
    for (const Conflict& conflict : conflicts_) mistakes.push_back(describe(conflict));
    if (!are_all_listed_) mistakes.push_back({"", "more rules conflict, which are not listed", ""});
    throw Failure(ExitStatus::NoPartition, std::move(mistakes));
  }

  bool is_of(const ResolvedPolicy& resolved, std::uint32_t source) const {
    return resolved.winner && resolved.winner->source == source;
  }

  // A level that keeps a name or a view keeps the value. Returns the values that this decides.
  std::vector<NodeId> pass_to_values(std::uint32_t source, const std::vector<NodeId>& decided) {
    std::vector<NodeId> values;
    for (const NodeId id : decided) {
      const ResolvedPolicy& own = at(id);
      const NodeId value = same_[index_of(id)];
      if (!is_of(own, source) || value == id || !own.keeps()) continue;
      const bool is_decided = is_of(at(value), source) && at(value).is(own.winner->checkpoint_policy);
      // 'otherwise' does not include inputs
      const bool is_meant = graph_[value].is_call() || rule_of(*own.winner, sources_) != kOtherwise;
      if (is_decided || !is_meant) continue;
      add(value, *own.winner);
      values.push_back(value);
    }
    return values;
  }

  // Saving a part keeps the memory of its whole, so the whole is saved; offloading copies the part only.
  void pass_to_wholes(std::uint32_t source, const std::vector<NodeId>& decided) {
    for (const NodeId id : decided) {
      const ResolvedPolicy& own = at(id);
      const NodeId whole = wholes_[index_of(id)];
      const bool is_part = same_[index_of(id)] == id && whole != id;
      if (!is_part || !is_of(own, source) || !own.is(CheckpointPolicy::MustSave)) continue;
      if (!is_of(at(whole), source) || !at(whole).keeps()) add(whole, *own.winner);
    }
  }

  // A tuple and its items are computed together: MUSTs that differ are in conflict.
  void compare_with_tuples() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const ResolvedPolicy& own = resolved_[i];
      const NodeId computed_by = computing_node(graph_, node_id(i));
      if (!own.is_must() || same_[i] != node_id(i) || computed_by == node_id(i)) continue;
      const ResolvedPolicy& tuple = at(computed_by);
      if (tuple.is_must() && tuple.keeps() != own.keeps()) add_conflict(computed_by, *tuple.winner, *own.winner);
    }
  }

  const Graph& graph_;
  const std::vector<NodeId>& same_;
  const std::vector<NodeId>& wholes_;
  const std::vector<PolicySource>& sources_;
  std::vector<ResolvedPolicy> resolved_;
  std::vector<std::uint8_t> musts_ = std::vector<std::uint8_t>(resolved_.size());  // by node, a bit for each of its policies
  std::vector<Conflict> conflicts_;  // in the order of the first nodes
  std::map<PairOfRules, std::size_t> conflict_of_;
  bool are_all_listed_ = true;
};

}  // namespace

void PolicyReasons::add(const std::string& node, const Verdict& winner, std::vector<Verdict> overrode) {
  of_.emplace(node, Kept{winner, std::move(overrode), ""});
}

void PolicyReasons::add_follower(const std::string& node, const Verdict& winner, std::string of, std::vector<Verdict> overrode) {
  of_.emplace(node, Kept{winner, std::move(overrode), std::move(of)});
}

std::optional<PolicyReason> PolicyReasons::of(const std::string& node) const {
  const auto found = of_.find(node);
  if (found == of_.end()) return std::nullopt;
  const auto& [winner, overrode, follows] = found->second;
  const std::string& rule = rule_of(winner, sources_);
  PolicyReason reason{sources_[winner.source].policy,
                      follows.empty() ? rule : fmt::format("{}: {}", follows, rule),
                      winner.checkpoint_policy,
                      {}};
  for (const Verdict& other : overrode) reason.overrode.push_back(describe(other, sources_));
  return reason;
}

namespace {

std::vector<Level> forms_on_survivors(const std::vector<Level>& levels, const std::vector<std::optional<NodeId>>& survivors) {
  std::vector<Level> forms;
  for (const Level& level : levels) forms.push_back({level.source, {}, on_survivors(level.forms, survivors)});
  return forms;
}

// Whether the policies leave it to the partitioner what is saved.
bool asks_for_forms_only(const MatchedPolicies& matched) {
  return std::ranges::all_of(matched.levels, [](const Level& level) { return level.verdicts.empty(); }) &&
         std::ranges::any_of(matched.levels, [](const Level& level) { return !level.forms.empty(); });
}

PolicyOutcome only_request_forms(JointGraph& joint, const MatchedPolicies& matched, const Settings& settings) {
  const std::vector<NodeId> same = same_values(joint.graph, naming_operators(settings));
  PolicyOutcome outcome;
  outcome.forms = request_forms(joint.graph, forms_on_survivors(matched.levels, find_survivors(joint, matched.nodes)), same,
                                settings);
  return outcome;
}

}  // namespace

PolicyOutcome apply_policies(JointGraph& joint, const MatchedPolicies& matched, const Settings& settings) {
  Graph& graph = joint.graph;
  if (settings.ignore_tags) {
    for (Node& node : graph.nodes) node.meta.recompute.reset();
  }
  if (matched.levels.empty()) return {};
  if (!settings.enable_activation_offloading) {  // PyTorch's marks hold only then
    for (Node& node : graph.nodes) node.meta.should_offload = false;
  }
  if (asks_for_forms_only(matched)) return only_request_forms(joint, matched, settings);
  TaggedSubjects subjects{find_subjects(graph), naming_operators(settings), {}, {}};
  subjects.same = same_values(graph, subjects.naming_operators);
  subjects.wholes = whole_values(graph, subjects.same, subjects.naming_operators);
  std::vector<PolicySource> sources = all_sources(matched.levels);
  Resolution resolution(graph, subjects, sources);
  std::uint32_t source = 0;
  resolution.apply(source, verdicts_of_tags(graph, subjects.is_subject));
  const auto survivors = find_survivors(joint, matched.nodes);
  for (const Level& level : matched.levels) resolution.apply(++source, on_survivors(level.verdicts, survivors));
  std::vector<ResolvedPolicy> resolved = resolution.take();  // tells conflicts by `sources`, which move next
  PolicyOutcome outcome = tag_nodes(joint, subjects, std::move(sources), std::move(resolved));
  outcome.forms = request_forms(graph, forms_on_survivors(matched.levels, survivors), subjects.same, settings);
  return outcome;
}

}  // namespace fxcut
