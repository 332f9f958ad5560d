#include "offload/offload.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "offload/copy_from_host.h"
#include "offload/copy_to_host.h"
#include "offload/prefetch.h"

namespace fxcut {
namespace {

// A policy's MUST is no wish. What the backward does not need at all is not kept anywhere, so nothing is amiss.
void require_what_must_be(const std::vector<OffloadCandidate>& candidates) {
  std::vector<Diagnostic> refusals;
  for (const OffloadCandidate& candidate : candidates) {
    const bool is_needed = candidate.refusal != OffloadRefusal::NotSaved && candidate.refusal != OffloadRefusal::NotInForward;
    if (!candidate.is_must || candidate.refusal == OffloadRefusal::None || !is_needed) continue;
    refusals.push_back({"", fmt::format("'{}' must be offloaded, but {}", candidate.name, sentence_for(candidate.refusal)),
                        "say PREFER_CPU_OFFLOAD to have it saved on its device where that is not possible"});
  }
  if (!refusals.empty()) throw Failure(ExitStatus::NoPartition, std::move(refusals));
}

}  // namespace

GraphPair offload(GraphPair graphs, std::vector<OffloadCandidate>& candidates, NamespacePair& names,
                  const Settings& settings, Release release) {
  const bool any = std::any_of(candidates.begin(), candidates.end(), [](const OffloadCandidate& candidate) {
    return candidate.refusal == OffloadRefusal::None;
  });
  require_what_must_be(candidates);
  if (!any) return graphs;
  const OffloadDialect dialect = dialect_of(settings);
  graphs.forward = copy_to_host(std::move(graphs.forward), candidates, names.forward, dialect);
  require_plain_names(graphs.forward, candidates);
  graphs.backward = copy_from_host(std::move(graphs.backward), graphs.forward, candidates, names.backward, dialect);
  if (dialect == OffloadDialect::Ao && settings.activation_offload_sink_wait) graphs.forward = sink_waits(std::move(graphs.forward));
  if (dialect == OffloadDialect::Ao && settings.activation_reload_prefetch) {
    graphs.backward = prefetch_reloads(std::move(graphs.backward), settings, release);
  }
  return graphs;
}

}  // namespace fxcut
