#include "policy/requested_forms.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "policy/policy_subjects.h"
#include "quantize/quantized_dtypes.h"

namespace fxcut {
namespace {

struct Asked {
  std::uint32_t level = 0, rule = 0;
  const Dtype* dtype = nullptr;
  bool is_of_value = false;  // the rule matches the value itself
};

class Requests {
 public:
  Requests(Graph& graph, const std::vector<Level>& levels, const std::vector<NodeId>& same, const Settings& settings)
      : graph_(graph), levels_(levels), same_(same), asked_(graph.size()),
        usual_(find_dtype(find_quantized_dtype(settings.compress_dtype)->name)) {}

  RequestedForms run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const NodeId tuple = computing_node(graph_, node_id(i));
      if (tuple != node_id(i)) items_[tuple].push_back(node_id(i));
    }
    for (std::uint32_t level = 0; level < levels_.size(); ++level) {
      for (const FormVerdict& verdict : levels_[level].forms) take(level, verdict);
    }
    number_rules();
    for (std::size_t i = 0; i < graph_.size(); ++i) mark(node_id(i));
    return std::move(found_);
  }

 private:
  void take(std::uint32_t level, const FormVerdict& verdict) {
    const NodeId value = same_[index_of(verdict.node)];
    const Asked asked{level, verdict.rule, verdict.dtype ? verdict.dtype : usual_, value == verdict.node};
    ask(value, asked);
    const auto items = items_.find(value);
    if (items == items_.end()) return;
    for (const NodeId item : items->second) ask(item, {asked.level, asked.rule, asked.dtype, false});
  }

  void ask(NodeId value, const Asked& asked) {
    std::optional<Asked>& before = asked_[index_of(value)];
    const bool is_inner = !before || before->level != asked.level;
    if (is_inner || (asked.is_of_value && !before->is_of_value)) before = asked;
  }

  void number_rules() {
    for (const std::optional<Asked>& asked : asked_) {
      if (asked) positions_.emplace(std::pair(asked->level, asked->rule), 0);
    }
    for (auto& [rule, position] : positions_) {
      const PolicySource& source = levels_[rule.first].source;
      position = static_cast<std::uint32_t>(found_.rules.size());
      found_.rules.push_back(fmt::format("policy '{}', {}", source.policy, source.rules[rule.second]));
    }
  }

  void mark(NodeId id) {
    const std::optional<Asked>& asked = asked_[index_of(same_[index_of(id)])];
    if (!asked) return;
    graph_[id].meta.compress_to = asked->dtype;
    found_.rule_of.emplace(graph_[id].name, positions_.at({asked->level, asked->rule}));
  }

  Graph& graph_;
  const std::vector<Level>& levels_;
  const std::vector<NodeId>& same_;
  std::vector<std::optional<Asked>> asked_;  // by node, of values
  const Dtype* usual_;
  std::unordered_map<NodeId, std::vector<NodeId>> items_;  // by tuple
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> positions_;  // by level and rule, those that ask for a form
  RequestedForms found_;
};

}  // namespace

RequestedForms request_forms(Graph& graph, const std::vector<Level>& levels, const std::vector<NodeId>& same,
                             const Settings& settings) {
  return Requests(graph, levels, same, settings).run();
}

}  // namespace fxcut
