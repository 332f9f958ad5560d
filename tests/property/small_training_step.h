// Small joint graphs in which memory is shared in every way that matters to the frontier solver.
#pragma once

#include <cstdint>
#include <string>

namespace fxcut {

// A joint graph of `calls` forward calls, in the notation of the tests: values of different sizes, static inputs, views
// and tuples of views in one storage, tuples of values, random operators, MUST_SAVE and MUST_RECOMPUTE tags, and
// operators that only the backward needs though they depend on no gradient. The same seed gives the same graph.
std::string small_training_step(std::uint32_t seed, int calls);

}  // namespace fxcut
