#include "classify/views.h"

#include <algorithm>

namespace fxcut {
namespace {

bool shares_storage(const Node& input, const Tensor& tensor) {
  return input.has_tensor() && tensor.storage && input.value->tensor.storage == tensor.storage;
}

}  // namespace

bool waits_for_argument(const Node& call) {
  return call.calls("ao.wait_tensor.default") || call.calls("_c10d_functional.wait_tensor.default");
}

bool computes_nothing(const Graph& graph, const Node& call) {
  if (call.callee->mutates) return false;
  if (call.callee->is(Operator::View) || call.calls("operator.getitem") || waits_for_argument(call)) return true;
  return call.has_tensor() && std::any_of(call.inputs.begin(), call.inputs.end(), [&](NodeId input) {
           return shares_storage(graph[input], call.value->tensor);
         });
}

}  // namespace fxcut
