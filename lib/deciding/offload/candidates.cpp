#include "offload/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>

#include "diagnostic/diagnostic.h"

namespace fxcut {

namespace {

// By OffloadRefusal.
constexpr struct {
  std::string_view name, sentence;
} kRefusalTexts[] = {
    {"none", ""},
    {"not_in_forward", "the forward does not compute it"},
    {"not_saved", "it is not saved: the backward does not use it"},
    {"forward_output", "it is an output of the forward, which its caller may read"},
    {"view", "it is a view, whose memory stays in use with its base"},
    {"item", "it is an item of a tuple: only single results are offloaded"},
    {"not_contiguous", "it is not contiguous: its copy would have other strides"},
    {"overwritten", "its copy would lack a write to its memory"},
    {"not_a_tensor", "it is not a tensor"},
};
static_assert(std::size(kRefusalTexts) == static_cast<std::size_t>(OffloadRefusal::NotATensor) + 1);

bool depends_on_data(const JointGraph& joint, const Sizes& sizes) {
  return std::any_of(sizes.begin(), sizes.end(), [&](const Size& size) {
    return size.expression &&
           std::any_of(size.expression->symbols.begin(), size.expression->symbols.end(),
                       [&](const std::string& symbol) { return is_unbacked(joint, symbol); });
  });
}

class Verdicts {
 public:
  Verdicts(const Graph& forward, const JointGraph& joint) : forward_(forward), joint_(joint) {
    const std::vector<OutputLeaf> outputs = output_leaves(forward);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].node) (i < joint.num_forward_outputs ? results_ : saved_).insert(*outputs[i].node);
    }
  }

  OffloadRefusal of(NodeId id) const {
    const Node& node = forward_[id];
    if (results_.contains(id) && node.meta.offload_request != OffloadRequest::Permitted) return OffloadRefusal::ForwardOutput;
    if (!saved_.contains(id)) return OffloadRefusal::NotSaved;
    if (node.meta.host_copy == HostCopy::Never) return OffloadRefusal::Overwritten;
    if (falls_back(node) && !node.has_tensor()) return OffloadRefusal::NotATensor;
    if (node.meta.offload_request != OffloadRequest::Marked) return OffloadRefusal::None;  // the rest is for PyTorch's compiler
    if (node.is_call() && node.callee->is(Operator::View)) return OffloadRefusal::View;
    if (node.calls("operator.getitem")) return OffloadRefusal::Item;
    if (!node.has_tensor() || is_contiguous(node.value->tensor)) return OffloadRefusal::None;
    require_known_strides(node);
    return OffloadRefusal::NotContiguous;
  }

 private:
  static bool falls_back(const Node& node) {
    const OffloadRequest request = node.meta.offload_request;
    return request == OffloadRequest::Preferred || request == OffloadRequest::Permitted;
  }

  // A tensor with data-dependent sizes may be empty or of one row at run time, and then it is contiguous.
  void require_known_strides(const Node& node) const {
    const Tensor& tensor = node.value->tensor;
    if (!depends_on_data(joint_, tensor.shape) && !depends_on_data(joint_, tensor.stride)) return;
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("'{}' is marked for offloading, but whether it is contiguous depends on data", node.name),
                  "drop its should_offload, or make it contiguous");
  }

  const Graph& forward_;
  const JointGraph& joint_;
  std::set<NodeId> results_, saved_;
};

}  // namespace

std::string_view name_of(OffloadRefusal refusal) { return kRefusalTexts[static_cast<std::size_t>(refusal)].name; }

std::string_view phrase_for(OffloadRefusal refusal) {
  return kRefusalTexts[static_cast<std::size_t>(refusal)].sentence;
}

std::vector<OffloadCandidate> find_offload_candidates(const Graph& forward, const JointGraph& joint) {
  const Verdicts verdicts(forward, joint);
  std::vector<OffloadCandidate> candidates;
  std::set<std::uint32_t> in_forward;
  for (std::size_t i = 0; i < forward.size(); ++i) {
    const Node& node = forward.nodes[i];
    if (node.meta.compression != Compression::None) in_forward.insert(node.origin);  // its form has the mark
    if (!node.meta.should_offload) continue;
    candidates.push_back({node.name, verdicts.of(node_id(i)), node.meta.offload_request, node_id(i), {}});
    in_forward.insert(node.origin);
  }
  for (const Node& node : joint.graph.nodes) {
    if (node.meta.should_offload && !in_forward.contains(node.origin)) {
      candidates.push_back({node.name, OffloadRefusal::NotInForward, node.meta.offload_request, NodeId{0}, {}});
    }
  }
  return candidates;
}

}  // namespace fxcut
