// The rows of a report as values to be compared.
#pragma once

#include <vector>

#include "compare/compared_value.h"
#include "report/report.h"

namespace fxcut {

// Tensors, opaque values and symbolic numbers, in the order of the forward's outputs.
std::vector<ComparedValue> saved_values_of(const Report& report);

std::vector<ComparedValue> recomputed_values_of(const Report& report);

// What is in use at the peak; of each the node that made it.
std::vector<ComparedValue> values_at_peak(const Report& report);

}  // namespace fxcut
