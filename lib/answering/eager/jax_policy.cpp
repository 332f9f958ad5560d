#include "eager/jax_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>

#include "diagnostic/diagnostic.h"
#include "eager/eager_calls.h"
#include "eager/saved_owners.h"
#include "normalise/inline_checkpoints.h"
#include "text/comma_list.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// "layers.up" of "layers.0.up".
std::string without_numbers(const std::string& module) {
  std::string name;
  for (const std::string& part : split_at('.', module)) {
    const bool is_number = std::ranges::all_of(part, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!is_number) name += (name.empty() ? "" : ".") + part;
  }
  return name;
}

// "addmm" of "aten.addmm.default", and "addmm_1" of the second.
std::string named_call(const Node& call, std::size_t number) {
  const std::string& packet = call.callee->packet;
  const std::string base = packet.substr(packet.rfind('.') + 1);
  return number == 0 ? base : base + "_" + std::to_string(number);
}

std::string joined(const std::string& module, const std::string& call) { return module.empty() ? call : module + "." + call; }

// The calls of a name without numbers: in which modules they are, and in which saved.
struct Alike {
  std::set<std::string> modules, saved;
};

class Naming {
 public:
  Naming(const Graph& graph, const Report& decision) : graph_(graph), calls_(number_calls(graph)), owners_(graph) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (calls_.by_node[i]) alike_[stem_of(i)].modules.insert(calls_.by_node[i]->module);
    }
    for (const SavedValue& value : decision.saved_values) {
      const SavedOwner owner = owners_.of(value.name);
      if (is_named(owner)) alike_[stem_of(index_of(owner.call))].saved.insert(calls_.by_node[index_of(owner.call)]->module);
    }
    for (const NameUse& use : decision.names) given_.emplace(use.saved_as, use.name);
  }

  bool is_input(const SavedValue& value) const { return owners_.of(value.name).is_input; }
  bool is_of_forward(const SavedValue& value) const { return is_named(owners_.of(value.name)); }

  JaxName name_of(const SavedValue& value) const {
    JaxName named;
    named.is_offloaded = !value.host_name.empty();
    named.first = value;
    const std::size_t call = index_of(owners_.of(value.name).call);
    const Alike& alike = alike_.at(stem_of(call));
    named.modules = alike.saved.size();
    named.of = alike.modules.size();
    const auto given = given_.find(value.name);
    named.has_it = given != given_.end();
    if (named.has_it) {
      named.name = given->second;
    } else if (named.modules == named.of) {
      named.name = stem_of(call);
    } else {
      named.name = joined(calls_.by_node[call]->module, named_call(graph_.nodes[call], calls_.by_node[call]->number));
    }
    return named;
  }

 private:
  bool is_named(const SavedOwner& owner) const { return calls_.by_node[index_of(owner.call)].has_value(); }

  std::string stem_of(std::size_t call) const {
    const EagerCall& counted = *calls_.by_node[call];
    return joined(without_numbers(counted.module), named_call(graph_.nodes[call], counted.number));
  }

  const Graph& graph_;
  EagerCalls calls_;
  SavedOwners owners_;
  std::map<std::string, Alike> alike_;  // by name without numbers
  std::map<std::string, std::string> given_;  // by saved value: its checkpoint name
};

using Positions = std::map<std::pair<std::string, bool>, std::size_t>;  // by name, and whether it is offloaded

void add_name(JaxName named, const SavedValue& value, std::vector<JaxName>& names, Positions& positions) {
  const auto [position, is_new] = positions.try_emplace({named.name, named.is_offloaded}, names.size());
  if (is_new) names.push_back(std::move(named));
  JaxName& known = names[position->second];
  known.values.push_back(value.name);
  known.size_bytes += value.kept_bytes;
}

}  // namespace

std::int64_t JaxNames::named_bytes() const {
  return std::accumulate(names.begin(), names.end(), std::int64_t{0},
                         [](std::int64_t sum, const JaxName& named) { return sum + named.size_bytes; });
}

JaxNames jax_names(JointGraph joint, const Report& decision) {
  if (const auto& compressed = decision.totals.compressed) {
    throw Failure(ExitStatus::Usage,
                  fmt::format("the decision saves {} in fewer bits, and a name has JAX save a value as it is",
                              show_count(compressed->values, "value")),
                  "decide without compress and activation_quantization_aten_pass");
  }
  if (decision.settings.compress != Compress::None) {  // it may save the sign of a ReLU's result, which is in no graph of JAX's
    throw Failure(ExitStatus::Usage, "the decision was made with compress, and a name has JAX save a value as it is",
                  "decide without compress");
  }
  joint = inline_checkpoints(std::move(joint));
  const Naming naming(joint.graph, decision);
  JaxNames names;
  Positions positions;
  names.graph = joint.name;
  names.producer = joint.producer;
  for (const SavedValue& value : decision.saved_values) {
    names.held_bytes += value.kept_bytes;
    if (naming.is_input(value)) {
      names.input_bytes += value.kept_bytes;
    } else if (naming.is_of_forward(value)) {
      add_name(naming.name_of(value), value, names.names, positions);
    } else {
      names.unsaid.push_back(value);
      names.unsaid_bytes += value.kept_bytes;
    }
  }
  return names;
}

std::string unsaid_in_short(const JaxNames& names) {
  if (names.unsaid.empty()) return {};
  return fmt::format("{}, {}, cannot be named: only the backward computes {}; the policy lists {}",
                     show_count(names.unsaid.size(), "saved value"), show_bytes(names.unsaid_bytes),
                     names.unsaid.size() == 1 ? "it" : "them", names.unsaid.size() == 1 ? "it" : "them");
}

}  // namespace fxcut
