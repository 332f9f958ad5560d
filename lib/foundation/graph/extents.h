// A list of sizes or strides by dimension, short enough for the object itself for nearly all tensors.
#pragma once

#include <cstdint>

#include "graph/small_list.h"

namespace fxcut {

class Extents : public SmallList<std::int64_t, 6> {
 public:
  using SmallList::SmallList;
};

}  // namespace fxcut
