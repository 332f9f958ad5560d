// Limits of checks, "12GiB", "3TFLOP", "5ms", "2%", "+100MB", and patterns that select values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "graph/graph.h"
#include "graph/int128.h"
#include "policy/pattern.h"

namespace fxcut {

struct Limit {
  std::string text;        // as given
  bool is_growth = false;  // limits the growth since the baseline; false: the amount
  Int128 amount = 0;       // in the measure's unit
  double percent = 0;      // of the baseline, for growth; in addition to `amount`

  // The limit of a measure whose baseline is `before`, which matters only for growth.
  Int128 most(Int128 before) const;
};

enum class LimitUnit { Bytes, Flops, Picoseconds };

// "B", "FLOP" or "ps".
std::string_view name_of(LimitUnit unit);

// Limits as they are given: "12GiB, 2% or +100MB".
std::string_view examples_of(LimitUnit unit);

// A number of 0 or more and a unit: for bytes none, B, kB, KB, MB, GB, TB, KiB, MiB, GiB, TiB; for FLOPs none, FLOP, and k, M,
// G, T, P or E before it; for times ns, us, ms or s. With % it is a share of the baseline, with + before it a growth since the
// baseline. Empty if it is none of these.
std::optional<Limit> parse_limit(std::string_view text, LimitUnit unit);

// "op:GLOB" matches the operator's target, in any of PyTorch's spellings, "name:GLOB" the node's name or the value's checkpoint
// name, "module:GLOB" the path of the module or of one around it. A glob alone matches an operator or a name.
class ValuePattern {
 public:
  // Empty if the glob is, or if another word is before a colon.
  static std::optional<ValuePattern> parse(std::string_view text);

  bool matches(std::string_view name, std::string_view op, const Provenance& provenance) const;
  // The same for a checkpoint name alone.
  bool matches_name(std::string_view name) const;

  const std::string& text() const { return text_; }

 private:
  enum class Of { Any, Operator, Name, Module };

  ValuePattern(std::string text, Of of, const std::string& glob)
      : text_(std::move(text)), of_(of), glob_(Pattern::glob(glob)), operator_(Pattern::operator_glob(glob)) {}

  std::string text_;
  Of of_;
  Pattern glob_, operator_;
};

}  // namespace fxcut
