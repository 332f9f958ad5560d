// Limits of a gate: "12GiB", "3TFLOP", "2%", "+100MB".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "graph/wide.h"

namespace fxcut {

struct Limit {
  std::string text;        // as it was given
  bool is_growth = false;  // what may be added to the baseline; else what there may be at all
  Wide amount = 0;         // in the measure's unit
  double percent = 0;      // of the baseline, where the limit is one of growth; beside `amount`

  // The most that a measure may be whose baseline is `before`, which an absolute limit does not look at.
  Wide most(Wide before) const;
};

enum class LimitUnit { Bytes, Flops };

// "B" or "FLOP".
std::string_view unit_word(LimitUnit unit);

// A number of 0 or more and a unit: for bytes none, B, kB, KB, MB, GB, TB, KiB, MiB, GiB, TiB; for FLOPs none, FLOP,
// and k, M, G, T, P or E before it. With % it is a share of the baseline; with + before it, what may be added to the
// baseline. Nothing where it is none of these.
std::optional<Limit> parse_limit(std::string_view text, LimitUnit unit);

}  // namespace fxcut
