#include "normalise/python_hash.h"

#include <cmath>

namespace fxcut {
namespace {

constexpr int kBits = 61;
constexpr std::uint64_t kModulus = (std::uint64_t{1} << kBits) - 1;  // _PyHASH_MODULUS
constexpr std::int64_t kInfinity = 314159;                           // _PyHASH_INF
constexpr std::uint64_t kImaginary = 1000003;                        // _PyHASH_IMAG

std::int64_t signed_hash(std::uint64_t magnitude, bool negative) {
  const auto hash = static_cast<std::int64_t>(magnitude);
  const std::int64_t result = negative ? -hash : hash;
  return result == -1 ? -2 : result;
}

}  // namespace

std::int64_t python_hash(std::int64_t integer) {
  const bool negative = integer < 0;
  const std::uint64_t magnitude =
      negative ? 0 - static_cast<std::uint64_t>(integer) : static_cast<std::uint64_t>(integer);
  return signed_hash(magnitude % kModulus, negative);
}

std::int64_t python_hash_of_digits(std::string_view digits) {
  const bool negative = digits.starts_with('-');
  __extension__ unsigned __int128 hash = 0;
  for (const char c : digits) {
    if (c >= '0' && c <= '9') hash = (hash * 10 + static_cast<unsigned>(c - '0')) % kModulus;
  }
  return signed_hash(static_cast<std::uint64_t>(hash), negative);
}

std::int64_t python_hash(double real) {
  if (std::isinf(real)) return real > 0 ? kInfinity : -kInfinity;
  int exponent = 0;
  double mantissa = std::frexp(std::fabs(real), &exponent);
  // The mantissa, 28 bits at a time; multiplying by 2^28 modulo 2^61-1 rotates by 28.
  std::uint64_t hash = 0;
  while (mantissa != 0) {
    hash = ((hash << 28) & kModulus) | hash >> (kBits - 28);
    mantissa *= 268435456.0;  // 2^28
    exponent -= 28;
    const auto digit = static_cast<std::uint64_t>(mantissa);
    mantissa -= static_cast<double>(digit);
    hash += digit;
    if (hash >= kModulus) hash -= kModulus;
  }
  const int rotate = exponent >= 0 ? exponent % kBits : kBits - 1 - ((-1 - exponent) % kBits);
  hash = ((hash << rotate) & kModulus) | hash >> (kBits - rotate);
  return signed_hash(hash, std::signbit(real));
}

std::int64_t python_hash(double real, double imaginary) {
  const auto hash = static_cast<std::int64_t>(static_cast<std::uint64_t>(python_hash(real)) +
                                              kImaginary * static_cast<std::uint64_t>(python_hash(imaginary)));
  return hash == -1 ? -2 : hash;
}

}  // namespace fxcut
