// The properties of a value that are compared: its operator, size, place in the model and the decision on it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "graph/int128.h"

namespace fxcut {

enum class ValueState : std::uint8_t { Saved, Offloaded, Recomputed, Computed };

struct ComparedValue {
  std::string name;             // its node's, which may have another number in another trace
  std::string op;               // its operator's target, or "placeholder", "get_attr", "output"
  std::string extent;           // "float32[8192, 4096]", or its bytes if no more is known
  std::int64_t size_bytes = 0;
  Int128 flops = 0;  // of computing it
  Provenance provenance;
  bool static_lifetime = false; // a parameter or buffer: always resident
  ValueState state = ValueState::Computed;
  std::string form = {};        // of fewer bits, in which it is saved (report/report.h, show_form()); empty: as it is
  std::int64_t form_bytes = 0;  // with its scales

  // As it crosses to the backward, if it is saved.
  Int128 crossing_bytes() const { return form.empty() ? size_bytes : form_bytes; }
};

// "float32[8192, s0]".
std::string extent_of(std::string_view dtype, const Sizes& shape);

}  // namespace fxcut
