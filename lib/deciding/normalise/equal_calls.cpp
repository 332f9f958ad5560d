#include "normalise/equal_calls.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace fxcut {
namespace {

using Kind = Argument::Kind;

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

bool BucketKey::make(const Node& call, bool kind) {
  key_.clear();
  is_comparable_ = true;
  append(call.callee);
  append(kind);
  for (const Argument& argument : call.arguments->positional) append_leaves(call, argument);
  key_ += '|';
  for (const auto& [name, argument] : call.arguments->keyword) append_leaves(call, argument);
  return is_comparable_;
}

template <typename Word>
void BucketKey::append(Word word) {
  static_assert(std::is_trivially_copyable_v<Word>);
  char bytes[sizeof(Word)];
  std::memcpy(bytes, &word, sizeof(Word));
  key_.append(bytes, sizeof(Word));
}

// PyTorch hashes the leaves with their types, without their containers.
void BucketKey::append_leaves(const Node& call, const Argument& argument) {
  for_each_leaf(argument, [&](const Argument& leaf) { append_leaf(call, leaf); });
}

void BucketKey::append_leaf(const Node& call, const Argument& leaf) {
  // Python has one integer type, of any length.
  key_ += static_cast<char>('a' + static_cast<int>(leaf.kind == Kind::BigInt ? Kind::Int : leaf.kind));
  switch (leaf.kind) {
    case Kind::Node: append(call.inputs[leaf.index]); return;
    case Kind::None: return;
    case Kind::Bool:
    case Kind::Int: append(python_hash(leaf.integer)); return;
    case Kind::BigInt: append(python_hash_of_digits(leaf.text)); return;
    case Kind::Float:
    case Kind::Complex: append_real(leaf); return;
    case Kind::Slice:
      for (const Argument& bound : leaf.items) append_leaves(call, bound);
      return;
    case Kind::Symbolic:
    case Kind::Opaque:
      // Python compares these by identity, which is not in the file.
      is_comparable_ = false;
      return;
    default:
      append(leaf.text.size());
      key_ += leaf.text;
  }
}

void BucketKey::append_real(const Argument& leaf) {
  if (by_bits_) {
    append(leaf.real);
    append(leaf.imaginary);
  } else if (std::isnan(leaf.real) || std::isnan(leaf.imaginary)) {
    is_comparable_ = false;  // not even with itself
  } else {
    append(leaf.kind == Kind::Float ? python_hash(leaf.real) : python_hash(leaf.real, leaf.imaginary));
  }
}

bool SameArguments::operator()(const Node& a, const Node& b) const {
  const Arguments& x = *a.arguments;
  const Arguments& y = *b.arguments;
  return std::equal(x.positional.begin(), x.positional.end(), y.positional.begin(), y.positional.end(),
                    [&](const Argument& p, const Argument& q) { return equal(a, p, b, q); }) &&
         std::equal(
             x.keyword.begin(), x.keyword.end(), y.keyword.begin(), y.keyword.end(),
             [&](const auto& p, const auto& q) { return p.first == q.first && equal(a, p.second, b, q.second); });
}

bool SameArguments::equal(const Node& a, const Argument& x, const Node& b, const Argument& y) const {
  if (x.kind != y.kind) return false;
  switch (x.kind) {
    case Kind::Node: return a.inputs[x.index] == b.inputs[y.index];
    case Kind::None: return true;
    case Kind::Bool:
    case Kind::Int: return x.integer == y.integer;
    case Kind::Float:
    case Kind::Complex: return equal_reals(x.real, y.real) && equal_reals(x.imaginary, y.imaginary);
    case Kind::List:
    case Kind::Tuple:
    case Kind::Slice: return equal_items(a, x, b, y);
    case Kind::Dict: return x.keys == y.keys && equal_items(a, x, b, y);
    default: return x.text == y.text;
  }
}

bool SameArguments::equal_items(const Node& a, const Argument& x, const Node& b, const Argument& y) const {
  return x.items.size() == y.items.size() &&
         std::equal(x.items.begin(), x.items.end(), y.items.begin(),
                    [&](const Argument& p, const Argument& q) { return equal(a, p, b, q); });
}

// In Python 0.0 and -0.0 are equal; their bits are not.
bool SameArguments::equal_reals(double x, double y) const {
  return by_bits_ ? std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) : x == y;
}

bool same_context(const Node& a, const Node& b) {
  static const ExecutionContext kNone;
  return a.context == b.context || (a.context ? *a.context : kNone) == (b.context ? *b.context : kNone);
}

}  // namespace fxcut
