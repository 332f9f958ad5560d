#include "offload/offload.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "offload/copy_from_host.h"
#include "offload/copy_to_host.h"
#include "offload/prefetch.h"

namespace fxcut {
namespace {

bool computes(const Graph& graph, const std::string& name) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const Node& node) { return node.is_call() && node.name == name; });
}

// Throws if a policy's MUST cannot be met. A value that the backward does not need is saved nowhere, so it is not an
// error.
void require_musts(const std::vector<OffloadCandidate>& candidates, const Graph& backward) {
  std::vector<Diagnostic> refusals;
  const auto refuse = [&](const OffloadCandidate& candidate, std::string_view why, const char* advice) {
    refusals.push_back({"", fmt::format("'{}' must be offloaded, but {}", candidate.name, why), advice});
  };
  for (const OffloadCandidate& candidate : candidates) {
    const bool is_must = candidate.request == OffloadRequest::Must || candidate.request == OffloadRequest::Permitted;
    if (!is_must || candidate.refusal == OffloadRefusal::None) continue;
    if (candidate.refusal != OffloadRefusal::NotSaved && candidate.refusal != OffloadRefusal::NotInForward) {
      refuse(candidate, phrase_for(candidate.refusal),
             "say PREFER_CPU_OFFLOAD to have it saved on its device where that is not possible");
    } else if (computes(backward, candidate.name)) {
      refuse(candidate, "the partitioner has the backward compute it",
             "the default partitioner takes for the forward what is tagged so (partitioner_tag); the min cut needs no tags");
    }
  }
  if (!refusals.empty()) throw Failure(ExitStatus::NoPartition, std::move(refusals));
}

}  // namespace

GraphPair offload(GraphPair graphs, std::vector<OffloadCandidate>& candidates, NamespacePair& names,
                  const Settings& settings, Release release) {
  const bool any = std::any_of(candidates.begin(), candidates.end(), [](const OffloadCandidate& candidate) {
    return candidate.refusal == OffloadRefusal::None;
  });
  require_musts(candidates, graphs.backward);
  if (!any) return graphs;
  const OffloadDialect dialect = dialect_of(settings);
  graphs.forward = copy_to_host(std::move(graphs.forward), candidates, names.forward, dialect);
  require_plain_names(graphs.forward, candidates);
  graphs.backward = copy_from_host(std::move(graphs.backward), graphs.forward, candidates, names.backward, dialect);
  if (dialect == OffloadDialect::Ao && settings.activation_offload_sink_wait) {
    graphs.forward = sink_waits(std::move(graphs.forward));
  }
  if (dialect == OffloadDialect::Ao && settings.activation_reload_prefetch) {
    graphs.backward = prefetch_reloads(std::move(graphs.backward), settings, release);
  }
  return graphs;
}

}  // namespace fxcut
