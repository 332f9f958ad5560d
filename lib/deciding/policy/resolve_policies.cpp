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

// A wrong stack may contradict itself at every node, and there a thousand times: more are not listed.
constexpr std::size_t kMostContradictions = 100;

std::vector<Opinion> opinions_of_tags(const Graph& graph, const std::vector<bool>& is_subject) {
  std::vector<Opinion> opinions;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto& tag = graph.nodes[i].meta.recompute;
    if (is_subject[i] && tag) opinions.push_back({node_id(i), *tag});
  }
  return opinions;
}

int strength(const Opinion& opinion) {
  return 4 * opinion.refuses + 2 * is_must(opinion.says) + keeps(opinion.says);
}

// By node as it was read, who stands for it now, if somebody does.
std::vector<std::optional<NodeId>> find_survivors(const JointGraph& joint, const std::vector<std::string>& as_read) {
  const Survivors survivors(joint);
  std::vector<std::optional<NodeId>> found;
  for (const std::string& name : as_read) found.push_back(survivors.of(name));
  return found;
}

// Opinions on the graph as it was read, on the graph as it is now.
std::vector<Opinion> on_survivors(const std::vector<Opinion>& as_read,
                                  const std::vector<std::optional<NodeId>>& survivors) {
  std::vector<Opinion> opinions;
  for (Opinion opinion : as_read) {
    const auto survivor = survivors[index_of(opinion.node)];
    if (!survivor) continue;
    opinion.node = *survivor;
    opinions.push_back(opinion);
  }
  // The strongest of each node first, and of equally strong ones the first.
  std::stable_sort(opinions.begin(), opinions.end(), [](const Opinion& a, const Opinion& b) {
    return a.node != b.node ? a.node < b.node : strength(a) > strength(b);
  });
  const auto same_node = [](const Opinion& a, const Opinion& b) { return a.node == b.node; };
  opinions.erase(std::unique(opinions.begin(), opinions.end(), same_node), opinions.end());
  return opinions;
}

std::vector<Speaker> all_speakers(const std::vector<Level>& levels) {
  std::vector<Speaker> speakers = {{"the graph's tags", {"meta.recompute"}}};
  for (const Level& level : levels) speakers.push_back(level.speaker);
  return speakers;
}

// Goes through the levels, and lists what contradicts each other.
class Resolution {
 public:
  Resolution(const Graph& graph, const TaggedSubjects& subjects, const std::vector<Speaker>& speakers)
      : graph_(graph), same_(subjects.same), wholes_(subjects.wholes), speakers_(speakers), standings_(graph.size()) {}

  void hear(std::uint32_t speaker, const std::vector<Opinion>& opinions) {
    std::vector<NodeId> heard_of;  // and told, below
    for (const Opinion& opinion : opinions) {
      meet(opinion.node, {opinion.says, speaker, opinion.rule});
      heard_of.push_back(opinion.node);
    }
    const std::vector<NodeId> told = tell_values(speaker, heard_of);
    heard_of.insert(heard_of.end(), told.begin(), told.end());
    std::sort(heard_of.begin(), heard_of.end());
    tell_wholes(speaker, heard_of);
  }

  // What stands in the end. Throws where something contradicts.
  std::vector<Standing> take() {
    compare_with_tuples();
    if (!contradictions_.empty()) throw Failure(ExitStatus::NoPartition, std::move(contradictions_));
    return std::move(standings_);
  }

 private:
  Standing& at(NodeId id) { return standings_[index_of(id)]; }

  void meet(NodeId id, const Saying& own) {
    Standing& standing = at(id);
    if (standing.is_must() && !is_must(own.says)) {  // a MUST stands against any PREFER
      standing.overrode.push_back(own);
      return;
    }
    if (standing.stands) standing.overrode.push_back(*standing.stands);
    standing.stands = own;
    if (is_must(own.says)) compare_with_musts(id, own);
  }

  // All MUSTs before it are among what it overrode.
  void compare_with_musts(NodeId id, const Saying& own) {
    std::uint8_t& said = musts_[index_of(id)];
    const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(own.says));
    const bool is_contradicted = (said & ~bit) != 0;
    said |= bit;
    if (!is_contradicted) return;
    for (const Saying& before : at(id).overrode) {
      if (is_must(before.says) && before.says != own.says) contradict(id, before, own);
    }
  }

  void contradict(NodeId id, const Saying& one, const Saying& other) {
    if (contradictions_.size() > kMostContradictions) return;
    if (contradictions_.size() == kMostContradictions) {
      contradictions_.push_back({"", "policies contradict each other in more places, which are not listed", ""});
      return;
    }
    contradictions_.push_back(
        {"",
         fmt::format("policies contradict each other about '{}': {}, but {}", graph_[id].name,
                     describe(one, speakers_), describe(other, speakers_)),
         "make one of them a PREFER, or narrow its match"});
  }

  bool is_of(const Standing& standing, std::uint32_t speaker) const {
    return standing.stands && standing.stands->speaker == speaker;
  }

  // Who wants a name or a view kept wants the value kept, so the value hears of it, from the level that says so. Returns
  // the values that do.
  std::vector<NodeId> tell_values(std::uint32_t speaker, const std::vector<NodeId>& heard_of) {
    std::vector<NodeId> told;
    for (const NodeId id : heard_of) {
      const Standing& own = at(id);
      const NodeId value = same_[index_of(id)];
      if (!is_of(own, speaker) || value == id || !own.keeps()) continue;
      const bool is_said = is_of(at(value), speaker) && at(value).says(own.stands->says);
      // 'otherwise' speaks of no input
      const bool is_meant = graph_[value].is_call() || rule_of(*own.stands, speakers_) != kOtherwise;
      if (is_said || !is_meant) continue;
      meet(value, *own.stands);
      told.push_back(value);
    }
    return told;
  }

  // Who has a part saved has the memory of the whole kept, so the whole is saved; to the host a part goes by itself.
  void tell_wholes(std::uint32_t speaker, const std::vector<NodeId>& heard_of) {
    for (const NodeId id : heard_of) {
      const Standing& own = at(id);
      const NodeId whole = wholes_[index_of(id)];
      const bool is_part = same_[index_of(id)] == id && whole != id;
      if (!is_part || !is_of(own, speaker) || !own.says(CheckpointPolicy::MustSave)) continue;
      if (!is_of(at(whole), speaker) || !at(whole).keeps()) meet(whole, *own.stands);
    }
  }

  // A tuple and its items share their fate: MUSTs that differ contradict each other.
  void compare_with_tuples() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Standing& own = standings_[i];
      const NodeId computed_by = computing_node(graph_, node_id(i));
      if (!own.is_must() || same_[i] != node_id(i) || computed_by == node_id(i)) continue;
      const Standing& tuple = at(computed_by);
      if (tuple.is_must() && tuple.keeps() != own.keeps()) contradict(computed_by, *tuple.stands, *own.stands);
    }
  }

  const Graph& graph_;
  const std::vector<NodeId>& same_;
  const std::vector<NodeId>& wholes_;
  const std::vector<Speaker>& speakers_;
  std::vector<Standing> standings_;
  std::vector<std::uint8_t> musts_ = std::vector<std::uint8_t>(standings_.size());  // by node, a bit for each that was said
  std::vector<Diagnostic> contradictions_;
};

}  // namespace

void PolicyReasons::add(const std::string& node, const Saying& stands, std::vector<Saying> overrode) {
  of_.emplace(node, Kept{stands, std::move(overrode), ""});
}

void PolicyReasons::add_follower(const std::string& node, const Saying& stands, std::string of) {
  of_.emplace(node, Kept{stands, {}, std::move(of)});
}

std::optional<PolicyReason> PolicyReasons::of(const std::string& node) const {
  const auto found = of_.find(node);
  if (found == of_.end()) return std::nullopt;
  const auto& [stands, overrode, follows] = found->second;
  const std::string& rule = rule_of(stands, speakers_);
  PolicyReason reason{speakers_[stands.speaker].policy,
                      follows.empty() ? rule : fmt::format("{}: {}", follows, rule),
                      stands.says,
                      {}};
  for (const Saying& other : overrode) reason.overrode.push_back(describe(other, speakers_));
  return reason;
}

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
  std::vector<Speaker> speakers = all_speakers(said.levels);
  Resolution resolution(graph, subjects, speakers);
  std::uint32_t speaker = 0;
  resolution.hear(speaker, opinions_of_tags(graph, subjects.is_subject));
  const auto survivors = find_survivors(joint, said.nodes);
  for (const Level& level : said.levels) resolution.hear(++speaker, on_survivors(level.opinions, survivors));
  return tag_nodes(joint, subjects, std::move(speakers), resolution.take());
}

}  // namespace fxcut
