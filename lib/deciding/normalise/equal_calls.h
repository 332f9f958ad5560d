// Whether two calls of one operator have equal arguments, for PyTorch's merging of common subexpressions: first by a
// hash of the arguments, then by the arguments themselves. Both use Python's equality.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "graph/graph.h"

namespace fxcut {

// Python's hash of numbers, as CPython computes it on 64-bit machines: equal numbers have equal hashes whatever their
// type, integers are reduced modulo 2^61-1, and no hash is -1 (an error code, so -1 hashes like -2). Source: CPython's
// Python/pyhash.c and the section "Hashing of numeric types" of its library reference.

std::int64_t python_hash(std::int64_t integer);
// Decimal digits with an optional sign.
std::int64_t python_hash_of_digits(std::string_view digits);
// Not for NaN, whose hash is its identity.
std::int64_t python_hash(double real);
std::int64_t python_hash(double real, double imaginary);

// A key shared by calls with equal arguments, and by calls that PyTorch's hash does not distinguish: its table has one
// bucket for them.
class BucketKey {
 public:
  // `by_bits`: real numbers are equal if their bits are, not by Python's ==.
  explicit BucketKey(bool by_bits) : by_bits_(by_bits) {}

  // Computes the key of a call; only calls of one kind can share it. False if an argument equals only itself.
  bool make(const Node& call, bool kind);
  const std::string& text() const { return key_; }

 private:
  template <typename Word>
  void append(Word word);
  void append_leaves(const Node& call, const Argument& argument);
  void append_leaf(const Node& call, const Argument& leaf);
  void append_real(const Argument& leaf);

  bool by_bits_;
  std::string key_;
  bool is_comparable_ = true;
};

// Whether two calls of one operator have equal arguments, keywords in the same order.
class SameArguments {
 public:
  explicit SameArguments(bool by_bits) : by_bits_(by_bits) {}

  bool operator()(const Node& a, const Node& b) const;

 private:
  bool equal(const Node& a, const Argument& x, const Node& b, const Argument& y) const;
  bool equal_items(const Node& a, const Argument& x, const Node& b, const Argument& y) const;
  bool equal_reals(double x, double y) const;

  bool by_bits_;
};

// Whether two calls run on one stream and allocate their results in one memory pool.
bool same_context(const Node& a, const Node& b);

}  // namespace fxcut
