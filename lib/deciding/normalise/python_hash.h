// Python's hash of numbers, as CPython computes it on 64-bit machines: equal numbers have equal hashes whatever their
// type, integers are reduced modulo 2^61-1, and no hash is -1 (an error code, so -1 hashes like -2). Source: CPython's
// Python/pyhash.c and the section "Hashing of numeric types" of its library reference.
#pragma once

#include <cstdint>
#include <string_view>

namespace fxcut {

std::int64_t python_hash(std::int64_t integer);
// Decimal digits with an optional sign.
std::int64_t python_hash_of_digits(std::string_view digits);
// Not for NaN, whose hash is its identity.
std::int64_t python_hash(double real);
std::int64_t python_hash(double real, double imaginary);

}  // namespace fxcut
