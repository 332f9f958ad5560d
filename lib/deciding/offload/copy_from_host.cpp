#include "offload/copy_from_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "classify/host_copies.h"
#include "diagnostic/diagnostic.h"
#include "graph/editing.h"
#include "offload/copies.h"
#include "offload/copy_to_host.h"

namespace fxcut {
namespace {

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

Graph copy_from_host(Graph graph, const Graph& forward, const std::vector<OffloadCandidate>& candidates,
                     Namespace& names, OffloadDialect dialect) {
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
        add_copy_from_host(editing, dialect, arrival.placeholder, arrival.original, first_use, name, names);
    for (const NodeId user : takers) {
      std::vector<NodeId>& inputs = editing.graph[user].inputs;
      std::replace(inputs.begin(), inputs.end(), arrival.placeholder, reloaded);
    }
  }
  return editing.take();
}

}  // namespace fxcut
