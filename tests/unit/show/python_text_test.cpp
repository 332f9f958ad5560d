// Values as Python's repr() writes them; what stands here is what Python 3.11 printed.
#include "show/python_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace fxcut {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(PythonFloat, HasAPointOrAnExponent) {
  EXPECT_EQ(python_float(1), "1.0");
  EXPECT_EQ(python_float(-0.0), "-0.0");
  EXPECT_EQ(python_float(0.1), "0.1");
  EXPECT_EQ(python_float(1e15), "1000000000000000.0");
  EXPECT_EQ(python_float(1e16), "1e+16");
  EXPECT_EQ(python_float(0.0001), "0.0001");
  EXPECT_EQ(python_float(1e-5), "1e-05");
  EXPECT_EQ(python_float(5e-324), "5e-324");
}

TEST(PythonFloat, NamesWhatIsNotFinite) {
  EXPECT_EQ(python_float(kInfinity), "inf");
  EXPECT_EQ(python_float(-kInfinity), "-inf");
  EXPECT_EQ(python_float(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(PythonComplex, LeavesOutARealPartOfZeroButNotOfMinusZero) {
  EXPECT_EQ(python_complex(1.5, 2), "(1.5+2j)");
  EXPECT_EQ(python_complex(1, -2), "(1-2j)");
  EXPECT_EQ(python_complex(0, 2), "2j");
  EXPECT_EQ(python_complex(0, -0.0), "-0j");
  EXPECT_EQ(python_complex(-0.0, 1), "(-0+1j)");
}

TEST(PythonString, TakesTheQuotesThatItNeedNotEscape) {
  EXPECT_EQ(python_string("a"), "'a'");
  EXPECT_EQ(python_string("it's"), "\"it's\"");
  EXPECT_EQ(python_string("it's \"x\""), "'it\\'s \"x\"'");
}

TEST(PythonString, EscapesWhatIsNotPrinted) {
  EXPECT_EQ(python_string("\n\r\t\\"), "'\\n\\r\\t\\\\'");
  EXPECT_EQ(python_string("\x01\x7f"), "'\\x01\\x7f'");
  EXPECT_EQ(python_string("\u00e9\u00a0\u200b\U0001F600\U000E0001"), "'\u00e9\\xa0\\u200b\U0001F600\\U000e0001'");
}

TEST(PythonString, SurvivesACutCharacter) { EXPECT_FALSE(python_string("a\xf0\x9f").empty()); }

TEST(PythonIdentifier, IsLettersThenDigitsToo) {
  EXPECT_TRUE(is_python_identifier("a_1"));
  EXPECT_TRUE(is_python_identifier("\u00e9"));
  EXPECT_FALSE(is_python_identifier("1a"));
  EXPECT_FALSE(is_python_identifier("a b"));
  EXPECT_FALSE(is_python_identifier(""));
}

}  // namespace
}  // namespace fxcut
