// What is known of an answer under a limit of the peak, for the report.
#pragma once

#include <cstddef>
#include <optional>

#include "graph/wide.h"

namespace fxcut {

struct PeakLimitFacts {
  Wide limit_bytes = 0;
  std::size_t tried = 0;      // choices whose peak was simulated
  std::optional<Wide> bound;  // of run cost: no choice whose peak is within the limit costs less
};

}  // namespace fxcut
