// Python's own reader takes what is written here: tests/shell/memory_snapshot_test. Here, the bytes.
#include "compiled/pickle.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

TEST(Pickle, WritesEachKind) {
  EXPECT_EQ(pickled(nullptr), "\x80\x02N.");
  EXPECT_EQ(pickled(true), "\x80\x02\x88.");
  EXPECT_EQ(pickled(Json::array({"a"})), std::string("\x80\x02](X\x01\0\0\0ae.", 12));
  EXPECT_EQ(pickled({{"k", -2}}), std::string("\x80\x02}(X\x01\0\0\0k\x8a\x08\xfe\xff\xff\xff\xff\xff\xff\xffu.", 22));
}

TEST(Pickle, BytesThatAreNoTextAreReplaced) { EXPECT_EQ(pickled("\xff"), std::string("\x80\x02X\x03\0\0\0\xef\xbf\xbd.", 11)); }

TEST(Pickle, RefusesOtherValues) { EXPECT_THROW(pickled(0.5), InternalError); }

}  // namespace
}  // namespace fxcut
