#include "classify/batch_norm.h"

namespace fxcut {
namespace {

bool is_true(const Node& call, std::size_t position) {
  const auto& positional = call.arguments->positional;
  return position < positional.size() && positional[position].is_true();
}

}  // namespace

bool only_updates_running_statistics(const Node& call) {
  constexpr std::size_t kTraining = 5;
  return call.calls("aten._native_batch_norm_legit_functional.default") && is_true(call, kTraining);
}

bool ignores_running_statistics(const Node& call) {
  constexpr std::size_t kTrain = 7;
  return call.calls("aten.native_batch_norm_backward.default") && is_true(call, kTrain);
}

std::vector<std::uint32_t> running_statistics(const Node& call) {
  std::vector<std::uint32_t> inputs;
  for (const std::size_t position : {kRunningMean, kRunningVar}) {
    const Argument& given = call.arguments->positional[position];
    if (given.kind == Argument::Kind::Node) inputs.push_back(given.index);
  }
  return inputs;
}

}  // namespace fxcut
