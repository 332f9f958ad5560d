#include "normalise/equal_calls.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

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

using Keyword = std::pair<std::string, Argument>;

std::vector<const Keyword*> by_name(const std::vector<Keyword>& keywords) {
  std::vector<const Keyword*> sorted;
  sorted.reserve(keywords.size());
  for (const Keyword& keyword : keywords) sorted.push_back(&keyword);
  std::ranges::sort(sorted, {}, [](const Keyword* keyword) -> const std::string& { return keyword->first; });
  return sorted;
}

// The positions of a dictionary's items.
std::vector<std::size_t> items_by_name(const Argument& dictionary) {
  std::vector<std::size_t> sorted(dictionary.items.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::sort(sorted, {}, [&](std::size_t item) -> const std::string& { return dictionary.keys[item]; });
  return sorted;
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

using Kind = Argument::Kind;

bool BucketKey::make(const Node& call, bool kind) {
  key_.clear();
  is_comparable_ = true;
  append(call.callee);
  append(kind);
  for (const Argument& argument : call.arguments->positional) append_leaves(call, argument);
  key_ += '|';
  for (const Keyword* keyword : by_name(call.arguments->keyword)) append_leaves(call, keyword->second);
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
  if (argument.kind == Kind::Dict) {
    for (const std::size_t item : items_by_name(argument)) append_leaves(call, argument.items[item]);
  } else if (argument.kind == Kind::List || argument.kind == Kind::Tuple) {
    for (const Argument& item : argument.items) append_leaves(call, item);
  } else {
    append_leaf(call, argument);
  }
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
         std::ranges::equal(by_name(x.keyword), by_name(y.keyword), [&](const Keyword* p, const Keyword* q) {
           return p->first == q->first && equal(a, p->second, b, q->second);
         });
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
    case Kind::Dict:
      return std::ranges::equal(items_by_name(x), items_by_name(y), [&](std::size_t p, std::size_t q) {
        return x.keys[p] == y.keys[q] && equal(a, x.items[p], b, y.items[q]);
      });
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
