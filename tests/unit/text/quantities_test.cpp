// Figures as people read them.
#include "text/quantities.h"

#include <gtest/gtest.h>

#include "text/text_style.h"

namespace fxcut {
namespace {

TEST(Quantities, BytesAreInDecimalUnits) {
  EXPECT_EQ(show_bytes(0), "0 B");
  EXPECT_EQ(show_bytes(999), "999 B");
  EXPECT_EQ(show_bytes(1000), "1.0 kB");
  EXPECT_EQ(show_bytes(42'100'000'000), "42.1 GB");
  EXPECT_EQ(show_bytes(99'960'000), "100 MB");
  EXPECT_EQ(show_bytes(999'600), "1.0 MB");
  EXPECT_EQ(show_bytes(9'223'372'036'854'775'807), "9.2 EB");
}

TEST(Quantities, BytesAreInBinaryUnitsWhereTheStyleSaysSo) {
  set_text_style({.binary_units = true});
  EXPECT_EQ(show_bytes(1023), "1023 B");
  EXPECT_EQ(show_bytes(1024), "1.0 KiB");
  EXPECT_EQ(show_bytes(42'949'672'960), "40.0 GiB");
  EXPECT_EQ(show_scaled(1024, "FLOP"), "1.0 kFLOP") << "bytes only";
  set_text_style({});
}

TEST(Quantities, BytesThatWouldReadTheSameAreToTheByte) {
  EXPECT_EQ(show_bytes_apart(2'330'000, 2'310'000), "2330000 B");
  EXPECT_EQ(show_bytes_apart(2'310'000, 2'330'000), "2310000 B");
  EXPECT_EQ(show_bytes_apart(2'330'000, 2'210'000), "2.3 MB");
  EXPECT_EQ(show_bytes_apart(2'330'000, 2'330'000), "2.3 MB") << "they are equal";
}

TEST(Quantities, TimesAreInTheUnitThatFits) {
  EXPECT_EQ(show_time(0), "0 ns");
  EXPECT_EQ(show_time(0.0000021), "2 ns");
  EXPECT_EQ(show_time(0.0021), "2.1 us");
  EXPECT_EQ(show_time(1.5), "1.5 ms");
  EXPECT_EQ(show_time(2000), "2.0 s");
  EXPECT_EQ(show_time(1e9), "1000000 s");
}

TEST(Quantities, CostsAreTimesOrCounts) {
  EXPECT_EQ(show_cost(1.5, "ms"), "1.5 ms");
  EXPECT_EQ(show_cost(12.6e12, "FLOP"), "12.6 TFLOP");
}

}  // namespace
}  // namespace fxcut
