// A list of a few elements, which are kept in the object itself: lists of sizes and strides are made and dropped by the thousand
// for each graph.
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstddef>
#include <span>

namespace fxcut {

// As many as `kInside` are kept in the object.
template <typename T, std::size_t kInside>
class SmallList : public boost::container::small_vector<T, kInside> {
 public:
  using boost::container::small_vector<T, kInside>::small_vector;

  operator std::span<const T>() const { return {this->data(), this->size()}; }
};

}  // namespace fxcut
