// Python's hash of numbers. The expected values are what CPython 3 prints for hash(..) on a 64-bit machine.
#include "normalise/equal_calls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace fxcut {
namespace {

TEST(PythonHash, SmallIntegersHashToThemselves) {
  EXPECT_EQ(python_hash(std::int64_t{0}), 0);
  EXPECT_EQ(python_hash(std::int64_t{1}), 1);
  EXPECT_EQ(python_hash(std::int64_t{-3}), -3);
  EXPECT_EQ(python_hash(std::int64_t{2147483648}), 2147483648);
}

TEST(PythonHash, MinusOneHashesLikeMinusTwo) {
  EXPECT_EQ(python_hash(std::int64_t{-1}), -2);
  EXPECT_EQ(python_hash(std::int64_t{-2}), -2);
  EXPECT_EQ(python_hash(-1.0), -2);
  EXPECT_EQ(python_hash(-2.0), -2);
  EXPECT_EQ(python_hash_of_digits("-1"), -2);
}

TEST(PythonHash, IntegersCountModulo2To61Minus1) {
  constexpr std::int64_t kModulus = 2305843009213693951;
  EXPECT_EQ(python_hash(kModulus - 1), 2305843009213693950);
  EXPECT_EQ(python_hash(kModulus), 0);
  EXPECT_EQ(python_hash(kModulus + 1), 1);
  EXPECT_EQ(python_hash(-kModulus), 0);
  EXPECT_EQ(python_hash(-kModulus - 1), -2);
  EXPECT_EQ(python_hash(std::numeric_limits<std::int64_t>::max()), 3);
  EXPECT_EQ(python_hash(std::numeric_limits<std::int64_t>::min()), -4);
}

TEST(PythonHash, IntegersBeyond64Bits) {
  EXPECT_EQ(python_hash_of_digits("9223372036854775808"), 4);
  EXPECT_EQ(python_hash_of_digits("18446744073709551616"), 8);
  EXPECT_EQ(python_hash_of_digits("-18446744073709551616"), -8);
  EXPECT_EQ(python_hash_of_digits("6917529027641081853"), 0);                    // 3 * (2**61 - 1)
  EXPECT_EQ(python_hash_of_digits("5316911983139663491615228241121378304"), 1);  // 2**122
  EXPECT_EQ(python_hash_of_digits("10000000000000000000000000000000000000000"), 1388497483929617590);
  EXPECT_EQ(python_hash_of_digits("-10000000000000000000000000000000000000000"), -1388497483929617590);
}

TEST(PythonHash, RealNumbersEqualToIntegersHashLikeThem) {
  EXPECT_EQ(python_hash(0.0), 0);
  EXPECT_EQ(python_hash(-0.0), 0);
  EXPECT_EQ(python_hash(1.0), 1);
  EXPECT_EQ(python_hash(std::ldexp(1.0, 61)), 1);
}

TEST(PythonHash, RealNumbers) {
  EXPECT_EQ(python_hash(0.5), 1152921504606846976);
  EXPECT_EQ(python_hash(1.5), 1152921504606846977);
  EXPECT_EQ(python_hash(0.1), 230584300921369408);
  EXPECT_EQ(python_hash(-0.1), -230584300921369408);
  EXPECT_EQ(python_hash(1.0 / 3), 768614336404564608);
  EXPECT_EQ(python_hash(3.141592653589793), 326490430436040707);
  EXPECT_EQ(python_hash(1e300), 1224995262755759164);
  EXPECT_EQ(python_hash(1e-300), 482449582752280463);
  EXPECT_EQ(python_hash(std::numeric_limits<double>::denorm_min()), 16777216);
  EXPECT_EQ(python_hash(std::numeric_limits<double>::max()), 2234066890152476671);
}

TEST(PythonHash, Infinities) {
  EXPECT_EQ(python_hash(std::numeric_limits<double>::infinity()), 314159);
  EXPECT_EQ(python_hash(-std::numeric_limits<double>::infinity()), -314159);
}

TEST(PythonHash, ComplexNumbers) {
  EXPECT_EQ(python_hash(0.0, 0.0), 0);
  EXPECT_EQ(python_hash(0.0, 1.0), 1000003);
  EXPECT_EQ(python_hash(1.0, 2.0), 2000007);
  EXPECT_EQ(python_hash(-1.0, -1.0), -2000008);
  EXPECT_EQ(python_hash(-1.0, 0.0), -2);
  EXPECT_EQ(python_hash(0.5, -0.5), -2305843009213693952);
  EXPECT_EQ(python_hash(1.5, -2.5), -2305843009215693957);
  EXPECT_EQ(python_hash(1e300, -1e300), -4779043454481354616);
  EXPECT_EQ(python_hash(std::numeric_limits<double>::infinity(), 1.0), 1314162);
}

}  // namespace
}  // namespace fxcut
