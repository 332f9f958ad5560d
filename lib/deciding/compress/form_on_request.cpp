#include "compress/form_on_request.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "classify/integer_range.h"
#include "classify/views_and_writes.h"
#include "graph/value.h"
#include "quantize/cross_compressed.h"

namespace fxcut {
namespace {

bool is_rounded_float(const Tensor& tensor) {
  constexpr std::string_view kRounded[] = {"float32", "bfloat16", "float16", "float64"};
  return std::ranges::find(kRounded, tensor.dtype->name) != std::end(kRounded);
}

// With a scale of float32 for each row.
RequestedForm scaled(const Tensor& tensor, const Dtype& dtype) {
  const std::int64_t rows = num_elements(tensor) / tensor.shape[tensor.shape.size() - 1].hint;
  const std::int64_t scale_bytes = rows * find_dtype("float32")->size_bytes;
  return {Compression::Scaled, &dtype, num_elements(tensor) * dtype.size_bytes + scale_bytes, scale_bytes};
}

// Why a value is in no memory of the forward; nullopt if it is in some.
std::optional<NoForm> without_memory(const Node& node) {
  if (!node.is_call()) return NoForm::Input;
  if (!node.has_tensor()) return NoForm::NoTensor;
  return node.storage() ? std::nullopt : std::optional(NoForm::NoStorage);
}

}  // namespace

std::string_view phrase_for(NoForm reason) {
  constexpr std::string_view kPhrases[kNoForms] = {
      "an input of the step",
      "no tensor",
      "in memory of which the graph says nothing",
      "copied to the host",
      "returned to the forward's caller",
      "in memory that is written to",
      "of another dtype",
      "not smaller in that form",
      "in the memory of another saved value"};
  return kPhrases[static_cast<std::size_t>(reason)];
}

std::string_view name_of(NoForm reason) {
  constexpr std::string_view kNames[kNoForms] = {"input",    "no_tensor", "no_storage",  "to_host",
                                                 "returned", "written",   "other_dtype", "not_smaller", "shared"};
  return kNames[static_cast<std::size_t>(reason)];
}

FormsOnRequest::FormsOnRequest(const JointGraph& joint) : graph_(joint.graph) {
  for (const Node& node : graph_.nodes) {
    if (!node.is_call() || !writes(node)) continue;
    for (const NodeId input : written_inputs(node)) {
      if (const auto storage = graph_[input].storage()) written_.insert(*storage);
    }
  }
  const std::vector<OutputLeaf> outputs = output_leaves(graph_);
  for (std::size_t i = 0; i < std::min(joint.num_forward_outputs, outputs.size()); ++i) {
    const auto storage = outputs[i].node ? graph_[*outputs[i].node].storage() : std::nullopt;
    if (storage) returned_.insert(*storage);
  }
}

std::variant<RequestedForm, NoForm> FormsOnRequest::of_value(NodeId id, const Dtype& dtype) const {
  const Node& node = graph_[id];
  if (const auto reason = without_memory(node)) return *reason;
  if (written_.contains(*node.storage())) return NoForm::Written;
  return of_tensor(id, node.value->tensor, dtype);
}

std::variant<RequestedForm, NoForm> FormsOnRequest::of(NodeId id, const Dtype& dtype) const {
  const Node& node = graph_[id];
  if (const auto reason = without_memory(node)) return *reason;
  if (node.meta.should_offload) return NoForm::ToHost;
  if (returned_.contains(*node.storage())) return NoForm::Returned;
  return of_value(id, dtype);
}

std::variant<RequestedForm, NoForm> FormsOnRequest::of_tensor(NodeId id, const Tensor& tensor, const Dtype& dtype) const {
  if (fits_bits(tensor)) return RequestedForm{Compression::Bits, find_dtype("uint8"), element_bytes(tensor) / 8};
  if (const Dtype* narrow = tensor.dtype->name == "int64" ? narrowest_integer(graph_, id) : nullptr) {
    return RequestedForm{Compression::Cast, narrow, num_elements(tensor) * narrow->size_bytes};
  }
  if (!is_rounded_float(tensor)) return NoForm::OtherDtype;
  if (tensor.shape.empty() || num_elements(tensor) == 0) return NoForm::NotSmaller;
  const RequestedForm form = scaled(tensor, dtype);
  if (form.bytes >= element_bytes(tensor)) return NoForm::NotSmaller;
  return form;
}

}  // namespace fxcut
