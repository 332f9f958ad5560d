// The forms of fewer bits in which values of the forward may be saved, and their costs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cost/analysis.h"
#include "graph/graph.h"
#include "graph/int128.h"

namespace fxcut {

struct FormOfFewerBits {
  Compression how = Compression::None;
  const Dtype* dtype = nullptr;
  std::int64_t bytes = 0;  // with its scales
  std::int64_t scale_bytes = 0;  // of these
  Int128 cost = 0;         // of making it in the forward and of restoring the value in the backward, in picoseconds, as they fuse
  bool is_fixed = false;   // by a policy: the value is saved in no other form
};

// By node, the form that takes the least memory; none for values that no form suits. Booleans become bits, and positions
// (classify/integer_range.h) the narrowest integers, without loss. With Settings::compress Auto, floating-point tensors that
// may_be_rounded() have their rows scaled to compress_dtype, if that takes at most kMaxPartOfBytes of their bytes. Only values
// that the forward computes, in memory that nothing writes to, have forms. If a policy asks for a form (Meta::compress_to), the
// value has that one, whatever Settings::compress says.
std::vector<std::optional<FormOfFewerBits>> forms_of_fewer_bits(const Analysis& analysis);

}  // namespace fxcut
