#include "offload/offload.h"

#include <algorithm>

#include "offload/copy_from_host.h"
#include "offload/copy_to_host.h"
#include "offload/prefetch.h"

namespace fxcut {

GraphPair offload(GraphPair graphs, std::vector<OffloadCandidate>& candidates, NamespacePair& names,
                  const Settings& settings, Release release) {
  const bool any = std::any_of(candidates.begin(), candidates.end(), [](const OffloadCandidate& candidate) {
    return candidate.refusal == OffloadRefusal::None;
  });
  if (!any) return graphs;
  const bool on_stream = settings.activation_offload_separate_stream;
  graphs.forward = copy_to_host(std::move(graphs.forward), candidates, names.forward, on_stream);
  require_plain_names(graphs.forward, candidates);
  graphs.backward = copy_from_host(std::move(graphs.backward), graphs.forward, candidates, names.backward, on_stream);
  if (on_stream && settings.activation_offload_sink_wait) graphs.forward = sink_waits(std::move(graphs.forward));
  if (on_stream && settings.activation_reload_prefetch) {
    graphs.backward = prefetch_reloads(std::move(graphs.backward), settings, release);
  }
  return graphs;
}

}  // namespace fxcut
