// The types after names.
#include "python_text/annotation.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "json/value_json.h"

namespace fxcut {
namespace {

const SymbolHints kHintOfS77 = {{"s77", 5}};

std::string read(std::string_view text) {
  AnnotationReader reader("log", kHintOfS77);
  std::string json;
  append_value(reader.read(text, {1, 1}), json);
  return json;
}

TEST(Annotation, TensorsAreReadWithStridesAndDevices) {
  EXPECT_EQ(read("f32[64, 128][128, 1]cuda:0"),
            R"({"kind":"tensor","dtype":"float32","shape":[64,128],"stride":[128,1],"device":"cuda:0"})");
  EXPECT_EQ(read("b8[][]cpu"), R"({"kind":"tensor","dtype":"bool","shape":[],"stride":[],"device":"cpu"})");
  EXPECT_EQ(read("f8e4m3fn[2]"), R"({"kind":"tensor","dtype":"float8_e4m3fn","shape":[2]})");
  EXPECT_EQ(read("bf16[Max(1, s77), 2*s77]"),
            R"-({"kind":"tensor","dtype":"bfloat16","shape":[{"expr":"Max(1, s77)","hint":5,"symbols":["s77"]},)-"
            R"({"expr":"2*s77","hint":10,"symbols":["s77"]}]})");
  EXPECT_EQ(read("DTensor(f32[2][1]cpu, S(0))"),
            R"({"kind":"tensor","dtype":"float32","shape":[2],"stride":[1],"device":"cpu"})");
}

TEST(Annotation, SymbolsKeepTheirExpressionsAndHints) {
  EXPECT_EQ(read("Sym(s77)"), R"({"kind":"symint","expr":"s77","hint":5,"symbols":["s77"]})");
  EXPECT_EQ(read("Sym(Eq(s77, 2))"), R"-({"kind":"symbool","expr":"Eq(s77, 2)","hint":null,"symbols":["s77"]})-");
  EXPECT_EQ(read("Sym(u0 >= 0)"), R"({"kind":"symbool","expr":"u0 >= 0","hint":null,"symbols":["u0"]})");
  EXPECT_EQ(read("Sym(zuf0)"), R"({"kind":"symfloat","expr":"zuf0","hint":null,"symbols":["zuf0"]})");
}

TEST(Annotation, RemembersSymbolsAndWhatIsLacking) {
  AnnotationReader reader("log", kHintOfS77);
  reader.read("f32[s77, u0][u0, 1]cpu", {1, 1});
  EXPECT_FALSE(reader.some_lack_strides());
  EXPECT_FALSE(reader.some_lack_device());
  reader.read("f32[2]", {1, 1});
  EXPECT_TRUE(reader.some_lack_strides());
  EXPECT_TRUE(reader.some_lack_device());
  ASSERT_EQ(reader.symbols().size(), 2U);
  EXPECT_EQ(reader.symbols().at("s77").hint, 5);
  EXPECT_TRUE(reader.symbols().at("s77").backed);
  EXPECT_EQ(reader.symbols().at("u0").hint, std::nullopt);
  EXPECT_FALSE(reader.symbols().at("u0").backed);
}

}  // namespace
}  // namespace fxcut
