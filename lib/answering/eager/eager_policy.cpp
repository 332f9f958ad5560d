#include "eager/eager_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <unordered_map>

#include "diagnostic/diagnostic.h"
#include "eager/regions.h"
#include "eager/saved_owners.h"
#include "normalise/inline_checkpoints.h"
#include "policy/operator_classes.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

struct UnsaidRow {
  std::string_view name, sentence;
};

// In the order of the enumeration.
constexpr std::array<UnsaidRow, 9> kUnsaid = {{
    {"decomposed", "a compiler has decomposed the operator that eager calls"},
    {"in_backward", "only the backward computes it"},
    {"other_results", "PyTorch keeps all results of an operator or none, and the others have more bytes"},
    {"in_steps", "eager has no such result: on this device its dropout is several operators"},
    {"offloaded", "eager's checkpointing copies nothing to the host"},
    {"compressed", "eager's checkpointing keeps values as they are, not in fewer bits"},
    {"outside", "it is outside of the regions, where PyTorch saves what it always does"},
    {"not_listed", "torchtitan saves all calls of an operator or none, of products every second one, and should none that draws"},
    {"no_operator", "eager calls no operator of its own for it"},
}};

// Operators that inductor leaves as they are.
constexpr std::array kLeftWhole = {OperatorClass::Attention, OperatorClass::Matmul, OperatorClass::Convolution};

bool is_decomposed_graph(const JointGraph& joint) {
  const auto is_prims = [](const Node& node) { return node.is_call() && node.callee->space == "prims"; };
  return joint.compiler == kInductor || std::ranges::any_of(joint.graph.nodes, is_prims);
}

// By node, whether eager may call another operator for it.
std::vector<bool> find_decomposed(const JointGraph& joint, bool is_decomposed) {
  std::vector<bool> decomposed(joint.graph.size(), is_decomposed);
  for (const OperatorClass whole : kLeftWhole) {
    const std::vector<bool> are = calls_of(joint.graph, whole);
    for (std::size_t i = 0; i < are.size(); ++i) decomposed[i] = decomposed[i] && !are[i];
  }
  return decomposed;
}

class EagerPolicyMaker {
 public:
  EagerPolicyMaker(const JointGraph& joint, const Report& decision, const std::string& regions)
      : graph_(joint.graph), owners_(joint.graph), regions_(regions) {
    policy_.regions = regions;
    policy_.graph = joint.name;
    policy_.producer = joint.producer;
    policy_.is_decomposed = is_decomposed_graph(joint);
    policy_.calls = number_calls(graph_);
    decomposed_ = find_decomposed(joint, policy_.is_decomposed);
    for (EnteringValue& value : find_entering(graph_, policy_.calls, regions_, owners_)) {
      entering_.emplace(value.storage, std::move(value));
    }
    for (const SavedValue& value : decision.saved_values) add(value);
  }

  EagerPolicy take() {
    refuse_other_results();
    for (auto& [call, group] : groups_) policy_.kept.push_back(std::move(group.kept));
    note_entering();
    std::ranges::stable_sort(policy_.unsaid, {}, [&](const UnsaidValue& value) { return position_.at(value.name); });
    return std::move(policy_);
  }

 private:
  struct Group {
    KeptCall kept;
    std::vector<const SavedValue*> values;
  };

  // Why a value of that call cannot be said, as far as the value and the call tell.
  std::optional<Unsaid> obstacle(const SavedValue& value, const SavedOwner& owner) const {
    const std::size_t i = index_of(owner.call);
    const Node& call = graph_.nodes[i];
    if (!value.host_name.empty()) return Unsaid::Offloaded;
    if (value.compressed) return Unsaid::Compressed;
    if (decomposed_[i]) return Unsaid::Decomposed;
    if (!call.is_call() || !call.callee->is_overload() || call.callee->mutates) return Unsaid::NoOperator;
    if (!policy_.calls.by_node[i]) return Unsaid::InBackward;
    if (!regions_.of(policy_.calls.by_node[i]->module)) return Unsaid::Outside;
    if (is_dropout_in_steps(call) && owner.item != 0) return Unsaid::InSteps;
    return std::nullopt;
  }

  void add(const SavedValue& value) {
    position_.emplace(value.name, position_.size());
    policy_.held_bytes += value.held_bytes();
    if (!owners_.know(value.name)) return leave(value, Unsaid::Compressed);  // the sign of a ReLU's result
    const SavedOwner owner = owners_.of(value.name);
    if (owner.is_input) {
      policy_.input_bytes += value.held_bytes();
    } else if (const auto why = obstacle(value, owner)) {
      leave(value, *why);
    } else {
      Group& group = groups_[index_of(owner.call)];
      group.kept.call = *policy_.calls.by_node[index_of(owner.call)];
      group.kept.values.push_back(value.name);
      group.kept.saved_bytes += value.held_bytes();
      group.values.push_back(&value);
    }
  }

  void leave(const SavedValue& value, Unsaid why) {
    const std::optional<std::int64_t> storage = owners_.storage_of(value.name);
    if (storage && entering_.contains(*storage)) {
      policy_.input_bytes += value.held_bytes();
      return;
    }
    policy_.unsaid.push_back({value.name, value.op, value.provenance.module, value.held_bytes(), why});
  }

  void refuse_other_results() {
    for (auto& [call, group] : groups_) {
      const bool has_others = !is_dropout_in_steps(graph_.nodes[call]);
      if (has_others) group.kept.more_bytes = owners_.other_bytes(node_id(call), group.kept.values);
    }
    std::erase_if(groups_, [&](const auto& entry) {
      const Group& group = entry.second;
      if (group.kept.more_bytes <= group.kept.saved_bytes) return false;
      for (const SavedValue* value : group.values) leave(*value, Unsaid::OtherResults);
      return true;
    });
  }

  // The inputs of regions that neither the decision holds nor a call that is kept.
  void note_entering() {
    for (const std::string& name : std::views::keys(position_)) {
      if (const auto storage = owners_.storage_of(name)) entering_.erase(*storage);
    }
    for (auto& [storage, value] : entering_) {
      const auto call = index_of(owners_.of(value.name).call);
      if (!groups_.contains(call)) policy_.entering.push_back(std::move(value));
    }
    const auto place = [&](const EnteringValue& value) { return std::pair(owners_.of(value.name).call, value.storage); };
    std::ranges::sort(policy_.entering, {}, place);
  }

  const Graph& graph_;
  SavedOwners owners_;
  Regions regions_;
  EagerPolicy policy_;
  std::vector<bool> decomposed_;
  std::map<std::size_t, Group> groups_;  // by the position of the call
  std::unordered_map<std::int64_t, EnteringValue> entering_;  // by storage
  std::unordered_map<std::string, std::size_t> position_;  // of a saved value in the report
};

template <typename Row>
std::int64_t sum_of(const std::vector<Row>& rows, std::int64_t Row::* bytes) {
  const auto add = [&](std::int64_t sum, const Row& row) { return sum + row.*bytes; };
  return std::accumulate(rows.begin(), rows.end(), std::int64_t{0}, add);
}

void refuse_empty_regions(const EagerPolicy& policy) {
  constexpr std::size_t kShownModules = 3;
  if (policy.regions.empty() || Regions(policy.regions).have_any(policy.calls)) return;
  std::set<std::string> modules;
  for (const auto& [call, count] : policy.calls.counts) modules.insert(call.first);
  std::string some;
  for (const std::string& module : modules | std::views::drop(modules.contains("") ? 1 : 0) | std::views::take(kShownModules)) {
    some += (some.empty() ? "" : ", ") + module;
  }
  throw Failure(ExitStatus::Usage,
                fmt::format("no module of the graph is named {}, as those are whose calls are regions", policy.regions),
                some.empty() ? "the graph names no modules; --as torch without --regions needs none"
                             : "its modules are such as " + some);
}

}  // namespace

std::string_view name_of(Unsaid why) { return kUnsaid[static_cast<std::size_t>(why)].name; }
std::string_view sentence_on(Unsaid why) { return kUnsaid[static_cast<std::size_t>(why)].sentence; }

std::int64_t EagerPolicy::kept_bytes() const { return sum_of(kept, &KeptCall::saved_bytes); }
std::int64_t EagerPolicy::more_bytes() const { return sum_of(kept, &KeptCall::more_bytes); }
std::int64_t EagerPolicy::unsaid_bytes() const { return sum_of(unsaid, &UnsaidValue::size_bytes); }
std::int64_t EagerPolicy::entering_bytes() const { return sum_of(entering, &EnteringValue::size_bytes); }

EagerPolicy eager_policy(JointGraph joint, const Report& decision, const std::string& regions) {
  joint = inline_checkpoints(std::move(joint));
  EagerPolicy policy = EagerPolicyMaker(joint, decision, regions).take();
  refuse_empty_regions(policy);
  return policy;
}

std::vector<UnsaidForReason> unsaid_by_reason(const EagerPolicy& policy) {
  std::vector<UnsaidForReason> reasons;
  for (std::size_t row = 0; row < kUnsaid.size(); ++row) {
    UnsaidForReason unsaid{static_cast<Unsaid>(row), 0, {}};
    for (const UnsaidValue& value : policy.unsaid) {
      if (value.why != unsaid.why) continue;
      unsaid.size_bytes += value.size_bytes;
      unsaid.values.push_back(&value);
    }
    if (!unsaid.values.empty()) reasons.push_back(std::move(unsaid));
  }
  return reasons;
}

std::string unsaid_in_short(const EagerPolicy& policy) {
  if (policy.unsaid.empty()) return {};
  const std::string text =
      fmt::format("{}, {}, cannot be said to eager PyTorch; the policy lists {}", show_count(policy.unsaid.size(), "saved value"),
                  show_bytes(policy.unsaid_bytes()), policy.unsaid.size() == 1 ? "it" : "them");
  if (!policy.is_decomposed) return text;
  return text + "\n  the graph is a compiler's: fxcut.capture_with(backend=\"aot_eager\") captures what eager PyTorch runs";
}

}  // namespace fxcut
