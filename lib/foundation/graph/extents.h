// A list of sizes or strides by dimension. Lists as short as those of nearly all tensors are kept in the object itself, as
// lowering and fusing make and drop thousands of them for each graph.
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace fxcut {

class Extents : public boost::container::small_vector<std::int64_t, 6> {
 public:
  using small_vector::small_vector;

  operator std::span<const std::int64_t>() const { return {data(), size()}; }
};

}  // namespace fxcut
