#include "report/optimizer_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cost/size.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

struct OptimizerRow {
  std::string_view name;
  int states_per_element;
};

// Source: torch/optim of 2.13, the tensors that each keeps of a parameter's size: exp_avg and exp_avg_sq of Adam, the
// momentum_buffer of SGD, sum of Adagrad, square_avg of RMSprop.
constexpr std::array<OptimizerRow, 7> kOptimizers = {
    {{"none", 0}, {"sgd", 0}, {"sgd_momentum", 1}, {"adam", 2}, {"adamw", 2}, {"adagrad", 1}, {"rmsprop", 1}}};

constexpr std::array<std::string_view, 4> kStateDtypes = {"float32", "bfloat16", "float16", "float64"};

template <typename Names>
Failure unknown(std::string_view what, std::string_view text, const Names& names) {
  return Failure(ExitStatus::Usage, fmt::format("--optimizer: unknown {} '{}'", what, text), did_you_mean_or_known(text, names));
}

std::vector<const Node*> primals_of(const Graph& forward) {
  std::vector<const Node*> primals;
  for (const Node& node : forward.nodes) {
    if (node.is_placeholder() && node.origin != kNoOrigin) primals.push_back(&node);
  }
  return primals;
}

bool is_floating(const Tensor& tensor) { return tensor.dtype->name.find("float") != std::string_view::npos; }

}  // namespace

std::vector<std::string_view> optimizer_names() {
  std::vector<std::string_view> names;
  for (const OptimizerRow& row : kOptimizers) names.push_back(row.name);
  return names;
}

std::vector<std::string_view> state_dtypes() { return {kStateDtypes.begin(), kStateDtypes.end()}; }

Optimizer parse_optimizer(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string_view dtype = colon == std::string_view::npos ? kStateDtypes.front() : text.substr(colon + 1);
  const auto row = std::find_if(kOptimizers.begin(), kOptimizers.end(), [&](const auto& one) { return one.name == name; });
  if (row == kOptimizers.end()) throw unknown("optimizer", name, optimizer_names());
  if (std::find(kStateDtypes.begin(), kStateDtypes.end(), dtype) == kStateDtypes.end()) {
    throw unknown("dtype", dtype, state_dtypes());
  }
  return {std::string(name), row->states_per_element, find_dtype(dtype)};
}

OptimizerStates states_of(const Optimizer& optimizer, const GraphPair& graphs) {
  const std::vector<const Node*> primals = primals_of(graphs.forward);
  const std::vector<OutputLeaf> gradients = output_leaves(graphs.backward);
  const bool are_paired = gradients.size() == primals.size();
  std::int64_t elements = 0;
  for (std::size_t i = 0; i < primals.size(); ++i) {
    const Node& primal = *primals[i];
    const bool is_trained = primal.meta.static_lifetime && primal.has_tensor() &&
                            (are_paired ? gradients[i].node.has_value() : is_floating(primal.value->tensor));
    if (is_trained) elements += find_size(primal, {}).value_or(0) / std::max(1, primal.value->tensor.dtype->size_bytes);
  }
  const int bytes_per_element = optimizer.states_per_element * optimizer.dtype->size_bytes;
  return {optimizer.name, std::string(optimizer.dtype->name), elements * bytes_per_element};
}

}  // namespace fxcut
