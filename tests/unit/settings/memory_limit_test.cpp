// Limits of memory as people write them.
#include "settings/memory_limit.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

std::int64_t bytes_of(std::string_view text) {
  const auto limit = parse_memory_limit(text);
  return limit && !limit->is_least ? limit->bytes : -1;
}

TEST(MemoryLimit, IsANumberOfBytesWithOrWithoutAUnit) {
  EXPECT_EQ(bytes_of("4096"), 4096);
  EXPECT_EQ(bytes_of("0"), 0);
  EXPECT_EQ(bytes_of("12GiB"), std::int64_t{12} << 30);
  EXPECT_EQ(bytes_of("1.5 GB"), 1'500'000'000);
  EXPECT_EQ(bytes_of("4.1GB"), 4'100'000'000) << "its factors are rounded down";
  EXPECT_EQ(bytes_of("2kB"), 2000);
  EXPECT_EQ(bytes_of("2KiB"), 2048);
  EXPECT_EQ(bytes_of("7B"), 7);
  EXPECT_EQ(bytes_of("30G"), 30'000'000'000);
  EXPECT_EQ(bytes_of("1.5M"), 1'500'000);
  EXPECT_EQ(bytes_of("1e3"), 1000);
  EXPECT_EQ(bytes_of("0.3B"), 0) << "parts of a byte do not count";
  EXPECT_EQ(bytes_of("9223372036854775807"), 9223372036854775807) << "exact where a real number would not be";
  EXPECT_EQ(bytes_of("1152921508901814276B"), 1152921508901814276);
}

TEST(MemoryLimit, MayBeTheLeast) {
  ASSERT_TRUE(parse_memory_limit("least"));
  EXPECT_TRUE(parse_memory_limit("least")->is_least);
}

TEST(MemoryLimit, IsNothingElse) {
  for (const std::string_view text : {"", "GiB", "-1", "-1GB", "12 gib", "12 GiB ", "1e30 TB", "inf", "nan", "most", "1,5 GB"}) {
    EXPECT_FALSE(parse_memory_limit(text)) << text;
  }
}

}  // namespace
}  // namespace fxcut
