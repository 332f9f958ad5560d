#include "soundness/statistics_reads.h"

#include <algorithm>
#include <cstdint>

#include "classify/batch_norm.h"
#include "classify/purity.h"
#include "classify/views_and_writes.h"

namespace fxcut {
namespace {

// Whether the call takes a new running statistic out of a batch norm, its only input.
bool takes_running_statistic(const Graph& graph, const Node& node) {
  if (!node.calls("operator.getitem") || node.inputs.size() != 1 || node.arguments->positional.size() != 2) return false;
  const Argument& item = node.arguments->positional[1];
  const bool is_batch_statistic = item.kind == Argument::Kind::Int && item.integer >= 0 && item.integer < kFirstRunningItem;
  return only_updates_running_statistics(graph[node.inputs.front()]) && !is_batch_statistic;
}

bool is_among(const std::vector<std::uint32_t>& inputs, std::uint32_t input) { return std::ranges::count(inputs, input) > 0; }

}  // namespace

StatisticsReads::StatisticsReads(const Graph& graph, Readers readers) : graph_(graph), updates_are_read_(graph.size(), false) {
  const auto runs_in_forward = [&](const Node& node) {
    return readers == Readers::InBackward && (node.is_output() || (writes(node) && !must_be_in_backward(node)));
  };
  for (const Node& node : graph.nodes) {
    if (runs_in_forward(node)) continue;
    const bool takes_item = node.calls("operator.getitem");
    const auto unread = ignores_running_statistics(node) ? running_statistics(node) : std::vector<std::uint32_t>();
    for (std::uint32_t input = 0; input < node.inputs.size(); ++input) {
      if (is_among(unread, input)) continue;
      const Node& given = graph[node.inputs[input]];
      if (takes_running_statistic(graph, given)) updates_are_read_[index_of(given.inputs.front())] = true;
      else if (!takes_item) updates_are_read_[index_of(node.inputs[input])] = true;  // the whole tuple
    }
  }
}

std::vector<Found> StatisticsReads::needed(std::size_t node, std::vector<Found> found) const {
  const Node& call = graph_.nodes[node];
  if (ignores_running_statistics(call) || (only_updates_running_statistics(call) && !updates_are_read_[node])) {
    const std::vector<std::uint32_t> unread = running_statistics(call);
    std::erase_if(found, [&](const Found& one) { return is_among(unread, one.input); });
  }
  return found;
}

}  // namespace fxcut
