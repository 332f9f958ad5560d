// A small graph whose partition a change between two releases changes.
#pragma once

#include <string>

#include "graph_text.h"
#include "release/release.h"
#include "settings/settings.h"
#include "solve/budget_solvers.h"

namespace fxcut {

struct ExampleOfChange {
  Change change;
  std::string text;
  std::string before, since;  // the answers of the release before it and of its first
  void (*set)(Settings&) = [](Settings&) {};
};

// The inputs of a step. The default partitioner wants the tangents after the forward.
inline const std::string kExampleStep = "primals_1 = placeholder : f32[4]\ntangents_1 = placeholder : f32[4]\n";
inline const std::string kExampleForward = "primals_1 = placeholder : f32[4]\n";

// Two values of which a budget of one half saves one.
inline const std::string kExampleCandidates = kExampleStep + R"(
         b = aten.mm.default(primals_1, primals_1) : f32[100]
         a = aten.bmm.default(primals_1, primals_1) : f32[100]
         loss = my.loss.default(a, b) : f32[4]
         grad = my.grad.default(tangents_1, a, b) : f32[4]
         return loss | grad)";

inline void offload_on_a_stream(Settings& settings) {
  settings.enable_activation_offloading = settings.activation_offload_separate_stream = true;
}

inline void quantize_all(Settings& settings) {
  settings.activation_quantization = {.is_on = true, .allowed_dtypes = "torch.float32", .size_in_mb = 0, .use_scaling = false};
}

inline void decide_by_default_partitioner(Settings& settings) { settings.partitioner = Partitioner::Default; }

}  // namespace fxcut
