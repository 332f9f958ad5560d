#include "offload/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "classify/views_and_writes.h"
#include "diagnostic/diagnostic.h"
#include "graph/editing.h"
#include "offload/copies.h"

namespace fxcut {
namespace {

// The last user of the value or of a view of it; the node itself if there is none (PyTorch's
// _find_all_effective_users).
NodeId last_use(const Graph& graph, const Users& users, NodeId id) {
  NodeId last = id;
  std::set<NodeId> seen;
  std::vector<NodeId> open = {id};
  while (!open.empty()) {
    const NodeId used = open.back();
    open.pop_back();
    for (const NodeId user : users.of(used)) {
      if (graph[user].is_output() || !seen.insert(user).second) continue;
      last = std::max(last, user);
      if (graph[user].is_call() && graph[user].callee->is(Operator::View)) open.push_back(user);
    }
  }
  return last;
}

// For each value, and by its memory, the last call that writes there.
class LastWrites {
 public:
  explicit LastWrites(const Graph& graph) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (!writes(graph.nodes[i])) continue;
      for (const NodeId input : written_inputs(graph.nodes[i])) {
        of_value_[input] = node_id(i);
        if (const auto storage = graph[input].storage()) of_memory_[*storage] = node_id(i);
      }
    }
  }

  // The node itself if there is none.
  NodeId to(const Graph& graph, NodeId id) const {
    NodeId last = id;
    if (const auto found = of_value_.find(id); found != of_value_.end()) last = std::max(last, found->second);
    const auto storage = graph[id].storage();
    const auto found = storage ? of_memory_.find(*storage) : of_memory_.end();
    return found == of_memory_.end() ? last : std::max(last, found->second);
  }

 private:
  std::map<NodeId, NodeId> of_value_;
  std::map<std::int64_t, NodeId> of_memory_;
};

void require_tensor(const Node& node) {
  if (node.has_tensor()) return;
  throw Failure(ExitStatus::NoPartition, fmt::format("'{}' is to be offloaded, but its value is not a tensor", node.name),
                "drop its should_offload");
}

// PyTorch's pass reads the metadata of every output.
void require_nodes(const Graph& forward) {
  const std::vector<OutputLeaf> outputs = output_leaves(forward);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].node) continue;
    throw Failure(
        ExitStatus::NoPartition,
        fmt::format("output {} of the forward, in '{}', is a constant: offloading takes graphs that return nodes only",
                    i, forward.output().name),
        "leave the constant out of the forward's outputs, or set enable_activation_offloading to false");
  }
}

constexpr std::string_view kReloaded = "gpu_reload_";

std::string replace_all(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// A placeholder of the backward for an offloaded value, and the original value.
struct Arrival {
  NodeId placeholder;
  std::string value_name;
  Tensor original;
};

// Replaces the placeholder of each offloaded value by one for its copy.
std::vector<Arrival> replace_placeholders(Editing& editing, const Graph& forward,
                                    const std::vector<OffloadCandidate>& candidates, Namespace& names) {
  std::map<std::string_view, NodeId> copies;  // by name of the value
  for (const NodeId returned : forward.output().inputs) copies.emplace(forward[returned].name, returned);
  std::map<std::string_view, const OffloadCandidate*> chosen;
  for (const OffloadCandidate& candidate : candidates) {
    if (!candidate.host_name.empty()) chosen.emplace(candidate.name, &candidate);
  }
  std::vector<Arrival> arrivals;
  for (std::size_t i = 0; i < editing.graph.size(); ++i) {
    Node& placeholder = editing.graph.nodes[i];
    const auto found = placeholder.is_placeholder() ? chosen.find(placeholder.name) : chosen.end();
    if (found == chosen.end()) continue;
    const Node& copy = forward[copies.at(found->second->host_name)];
    arrivals.push_back({node_id(i), placeholder.name, placeholder.value->tensor});
    placeholder.target = copy.name;
    placeholder.name = names.create(copy.name);
    placeholder.value = copy.value;
    placeholder.has_new_value = true;
  }
  return arrivals;
}

}  // namespace

Graph copy_to_host(Graph graph, std::vector<OffloadCandidate>& candidates, Namespace& names, OffloadDialect dialect) {
  require_nodes(graph);
  const Users users(graph);
  const LastWrites writes(graph);
  std::map<NodeId, OffloadCandidate*> chosen;
  for (OffloadCandidate& candidate : candidates) {
    if (candidate.refusal == OffloadRefusal::None) chosen.emplace(candidate.forward, &candidate);
  }
  Editing editing(std::move(graph));
  std::map<NodeId, NodeId> copies;  // by value
  for (const NodeId returned : std::vector<NodeId>(editing.graph[editing.output].inputs)) {
    const auto found = chosen.find(returned);
    if (found == chosen.end() || copies.contains(returned)) continue;
    require_tensor(editing.graph[returned]);
    NodeId after = last_use(editing.graph, users, returned);
    if (editing.graph[returned].meta.host_copy == HostCopy::AfterLastWrite) {
      after = std::max(after, writes.to(editing.graph, returned));
    }
    const std::string name = fmt::format("{}{}", kOnHost, editing.graph[returned].name);
    const NodeId copy = add_copy_to_host(editing, dialect, returned, after, name, names);
    found->second->host_name = editing.graph[copy].name;
    copies.emplace(returned, copy);
  }
  auto& outputs = editing.graph[editing.output].inputs;
  for (auto returned = outputs.rbegin(); returned != outputs.rend(); ++returned) {
    const auto copy = copies.find(*returned);
    if (copy == copies.end()) continue;
    *returned = copy->second;
    // If the value is also an output of the forward, only its saved copy, after the outputs, is replaced.
    if (chosen.at(copy->first)->request == OffloadRequest::Permitted) copies.erase(copy);
  }
  return editing.take();
}

void require_plain_names(const Graph& forward, const std::vector<OffloadCandidate>& candidates) {
  std::map<std::string_view, std::string_view> value_of_copy;
  for (const OffloadCandidate& candidate : candidates) {
    if (!candidate.host_name.empty()) value_of_copy.emplace(candidate.host_name, candidate.name);
  }
  for (const NodeId returned : forward.output().inputs) {
    const std::string& name = forward[returned].name;
    if (name.find(kOnHost) == std::string::npos) continue;
    const auto copy = value_of_copy.find(name);
    const std::string_view value = copy == value_of_copy.end() ? name : copy->second;
    const bool is_plain = copy != value_of_copy.end() && value.find(kOnHost) == std::string_view::npos &&
                          name == fmt::format("{}{}", kOnHost, value);
    if (is_plain) continue;
    throw Failure(
        ExitStatus::NoPartition,
        fmt::format("'{}' cannot cross to the backward while values are offloaded: PyTorch treats names with {} in "
                    "them as those of copies in host memory, and finds the values by them",
                    value, kOnHost),
        fmt::format("rename the nodes of the joint graph that have {} in their names", kOnHost));
  }
}

Graph sink_waits(Graph graph) {
  NodeOrder order(graph.size());
  const NodeId output = node_id(graph.size() - 1);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto copy = node_argument(graph.nodes[i], 0);
    if (graph.nodes[i].calls(kWaitTensor) && copy && graph[*copy].calls(kOffload)) {
      order.put_before(output, node_id(i));
    }
  }
  return select_nodes(std::move(graph), order.sequence());
}

Graph copy_from_host(Graph graph, const Graph& forward, const std::vector<OffloadCandidate>& candidates,
                     Namespace& names, OffloadDialect dialect, Release release) {
  const Users users(graph);
  Editing editing(std::move(graph));
  for (const Arrival& arrival : replace_placeholders(editing, forward, candidates, names)) {
    const auto takers = users.of(arrival.placeholder);
    if (takers.empty() && dialect == OffloadDialect::Ao) {
      throw Failure(ExitStatus::NoPartition,
                    fmt::format("'{}' is offloaded, but the backward does not use it", arrival.value_name),
                    "drop its should_offload");
    }
    const NodeId first_use = takers.empty() ? editing.output : takers.front();
    const std::string name = replace_all(editing.graph[arrival.placeholder].name, kOnHost, kReloaded);
    const NodeId reloaded =
        add_copy_from_host(editing, dialect, arrival.placeholder, arrival.original, first_use, name, names, release);
    for (const NodeId user : takers) {
      std::vector<NodeId>& inputs = editing.graph[user].inputs;
      std::replace(inputs.begin(), inputs.end(), arrival.placeholder, reloaded);
    }
  }
  return editing.take();
}

}  // namespace fxcut
