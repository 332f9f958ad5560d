// JSON text as a tape: values, places, and text that is not JSON.
#include "json/document.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

std::string rewritten(std::string_view text) {
  const auto document = Document::parse(std::string(text), "x.json");
  std::string out;
  document->append(document->root().ticket(), out);
  return out;
}

std::string refusal(std::string_view text) {
  try {
    return "read: " + rewritten(text);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::BadInput);
    return failure.what();
  }
}

TEST(Document, ValuesOfEachType) {
  const auto document = Document::parse(R"([null, true, -5, 18446744073709551615, 1.5, "a\"b", [], {}])", "x.json");
  std::vector<JsonValue> values;
  for (const JsonValue value : document->root()) values.push_back(value);
  ASSERT_EQ(values.size(), 8u);
  EXPECT_TRUE(values[0].is(Type::Null));
  EXPECT_TRUE(values[1].is(Type::Bool) && values[1].boolean());
  EXPECT_TRUE(values[2].is(Type::Integer) && values[2].integer() == -5);
  EXPECT_TRUE(values[3].is(Type::BigInteger) && values[3].text() == "18446744073709551615");
  EXPECT_TRUE(values[4].is(Type::Real) && values[4].real() == 1.5);
  EXPECT_TRUE(values[5].is(Type::String) && values[5].text() == "a\"b");
  EXPECT_TRUE(values[6].is(Type::Array) && values[6].empty());
  EXPECT_TRUE(values[7].is(Type::Object) && values[7].empty());
  EXPECT_EQ(values[2].real(), -5.0);
}

TEST(Document, IntegersAtTheEdgeOf64Bits) {
  const auto type = [](std::string_view text) { return Document::parse(std::string(text), "x.json")->root().type(); };
  EXPECT_EQ(type("9223372036854775807"), Type::Integer);
  EXPECT_EQ(type("9223372036854775808"), Type::BigInteger);
  EXPECT_EQ(type("-9223372036854775808"), Type::Integer);
  EXPECT_EQ(type("-9223372036854775809"), Type::BigInteger);
  EXPECT_EQ(type("100000000000000000000000000000"), Type::BigInteger);
  EXPECT_EQ(type("1e3"), Type::Real);
  EXPECT_EQ(type("1.0"), Type::Real);
}

// Compact text is copied: a space anywhere makes it not compact.
TEST(Document, IsWrittenCompactWhateverSpaceItHas) {
  const std::vector<std::vector<std::string>> documents = {
      {"{", R"("a")", ":", "[", "[", "1", ",", "-2.5e-05", "]", "]", ",", R"("b")", ":", "{", R"("c")", ":", "4", "}", "}"},
      {"[", "[", "]", ",", "{", "}", ",", "true", "]"},
      {"[", "[", "[", "]", "]", "]"},
      {"[", "[", "{", R"("k")", ":", "null", "}", "]", "]"},
      {"{", R"("a")", ":", R"("b")", "}"},
      {"[", "false", "]"},
      {"[", "[", "1.5", "]", "]"},
      {"[", "18446744073709551616", "]"},
      {"[", "{", "}", "]"},
      {"[", R"("x y")", ",", R"("\\")", "]"},
      {"[", R"({"\"":false})", "]"},
      {"[", "-0.5", ",", R"("-0")", ",", "1e-0", ",", "10", "]"}};
  for (const auto& tokens : documents) {
    for (const std::string_view space : {"", " ", "\n", "\r\n\t "}) {
      for (std::size_t spaced = 0; spaced <= tokens.size(); ++spaced) {
        std::string compact, text;
        for (std::size_t t = 0; t <= tokens.size(); ++t) {
          if (t == spaced) text += space;
          if (t == tokens.size()) break;
          text += tokens[t];
          compact += tokens[t];
        }
        EXPECT_EQ(rewritten(text), compact) << text;
      }
    }
  }
  EXPECT_EQ(rewritten("[[1,-0]]"), "[[1,0]]");
  EXPECT_EQ(rewritten("-0"), "0");
  EXPECT_EQ(rewritten(R"([{"\u0041":1}])"), R"([{"A":1}])");
  EXPECT_EQ(rewritten(R"([{"A":"\u0041"}])"), R"([{"A":"A"}])");
}

// The lexer gathers all tokens in one buffer: remains of a longer one must not become part of a number.
TEST(Document, NumbersBehindLongerTokensAreTheirOwn) {
  const auto document =
      Document::parse(R"(["a99999999999999999999999999", 5, 123456789, 12, -1234.5e10, -1.5])", "x.json");
  std::vector<Type> types;
  for (const JsonValue value : document->root()) types.push_back(value.type());
  EXPECT_EQ(types, (std::vector{Type::String, Type::Integer, Type::Integer, Type::Integer, Type::Real, Type::Real}));
  EXPECT_EQ(refusal(R"(["e99999", 1])"), R"(read: ["e99999",1])");
}

TEST(Document, TokensMayBeLong) {
  for (const std::size_t size : {255u, 256u, 257u, 511u, 512u, 5000u}) {
    const std::string digits(size, '7'), text(size, 'x');
    EXPECT_EQ(refusal("[" + digits + "]").starts_with("read: "), size < 309) << "no double has more than 308 digits";
    const std::string fraction = "0." + digits;
    EXPECT_EQ(rewritten("[" + fraction + ",1]"), "[" + fraction + ",1]");
    EXPECT_EQ(rewritten("{\"" + text + "\\u0041\":\"" + text + "\\n" + text + "\"}"),
              "{\"" + text + "A\":\"" + text + "\\n" + text + "\"}");
  }
}

TEST(Document, MembersAreFoundInOrderPastNestedOnes) {
  const auto document = Document::parse(R"({"a": [1, [2, 3]], "b": {"c": 4}, "d": 5})", "x.json");
  std::string keys;
  for (const JsonValue member : document->root())
    keys += std::string(member.key()) + std::to_string(member.size()) + " ";
  EXPECT_EQ(keys, "a2 b1 d0 ");
}

TEST(Document, PlacesHaveTheLineAndThePointer) {
  const auto document = Document::parse("{\n\"a\": [\n1,\n[2, 33]],\n\"b/c~d\": {\"e\":\n4}}", "x.json");
  const JsonValue a = *document->root().begin();
  const JsonValue inner = *++a.begin();
  const JsonValue b = *++document->root().begin();
  EXPECT_EQ(document->root().place(), "x.json:1:1: top level");
  EXPECT_EQ(a.place(), "x.json:2:6: /a");
  EXPECT_EQ((*a.begin()).place(), "x.json:3:1: /a/0");
  EXPECT_EQ((*++inner.begin()).place(), "x.json:4:5: /a/1/1");
  EXPECT_EQ(b.place(), "x.json:5:10: /b~1c~0d");
  EXPECT_EQ((*b.begin()).place(), "x.json:6:1: /b~1c~0d/e");
}

TEST(Document, StringsWithEscapesAreReadAndHaveTheirPlaces) {
  const auto document = Document::parse("{\"a\": \"x\",\n\"b\\u0063\": [\"\\\"\",\n\"\", \"\\\"\\\"\"]}", "x.json");
  const JsonValue array = *++document->root().begin();
  std::string texts;
  for (const JsonValue text : array) texts += std::string(text.text()) + ";";
  EXPECT_EQ(array.key(), "bc");
  EXPECT_EQ(texts, "\";;\"\";");
  EXPECT_EQ((*array.begin()).place(), "x.json:2:13: /bc/0");
  EXPECT_EQ((*++ ++array.begin()).place(), "x.json:3:5: /bc/2");
}

TEST(Document, EscapedQuotesAndBackslashesMayStandAnywhere) {
  const std::vector<std::pair<std::string, std::string>> written_and_read = {
      {R"("")", ""},          {R"("\"")", "\""},         {R"("\\")", "\\"},      {R"("\\\"")", "\\\""},
      {R"("\"a")", "\"a"},    {R"("a\"b")", "a\"b"},     {R"("a\"")", "a\""},    {R"("\"\"a")", "\"\"a"},
      {R"("\\\\\"")", "\\\\\""}, {R"("\u0022a")", "\"a"}, {R"("a\u005c")", "a\\"}, {R"("\"\u0022\"x")", "\"\"\"x"}};
  for (const auto& [written, read] : written_and_read) {
    for (const std::string& text : {written, "[" + written + "]", "{\"k\":" + written + "}"}) {
      const auto document = Document::parse(text, "x.json");
      const JsonValue root = document->root();
      EXPECT_EQ((root.is(Type::String) ? root : *root.begin()).text(), read) << text;
      EXPECT_EQ(rewritten(rewritten(text)), rewritten(text)) << text;
      EXPECT_EQ(nlohmann::json::parse(rewritten(text)), nlohmann::json::parse(text)) << text;
    }
    const auto document = Document::parse("{" + written + ": 1}", "x.json");
    EXPECT_EQ((*document->root().begin()).key(), read) << written;
  }
}

TEST(Document, KeysAreReadWhateverTheyHoldAndWhateverTheirValues) {
  const std::vector<std::pair<std::string, std::string>> written_and_read = {
      {R"("")", ""},      {R"("a:b")", "a:b"}, {R"("a , [")", "a , ["},
      {R"("\"")", "\""},  {R"("\\")", "\\"},   {R"("\u003a\"")", ":\""}};
  const std::vector<std::pair<std::string, Type>> values = {
      {"null", Type::Null},        {"true", Type::Bool},
      {"-7", Type::Integer},       {"99999999999999999999", Type::BigInteger},
      {"2.5", Type::Real},         {R"("x")", Type::String},
      {R"("\"")", Type::String},   {R"({"in": [1, 2]})", Type::Object},
      {R"([{"in": 1}, "\n"])", Type::Array}};
  for (const auto& [written, read] : written_and_read) {
    for (const auto& [value, type] : values) {
      for (const std::string space : {"", " ", " \t\r\n "}) {
        const std::string text = "[{" + written + space + ":" + space + value + ", \"last\": 0}]";
        const auto document = Document::parse(text, "x.json");
        const JsonValue object = *document->root().begin();
        const JsonValue member = *object.begin();
        EXPECT_EQ(member.key(), read) << text;
        EXPECT_EQ(member.type(), type) << text;
        EXPECT_EQ((*++object.begin()).key(), "last") << text;
        EXPECT_EQ(object.size(), 2u) << text;
        EXPECT_TRUE(object.key().empty() && document->root().key().empty()) << text;
        EXPECT_EQ(nlohmann::json::parse(rewritten(text)), nlohmann::json::parse(text)) << text;
      }
    }
  }
}

TEST(Document, ANumberEndsWhereItEnds) {
  const auto document = Document::parse("[-1,2 ,3\n,{\"e\":4},5.5e-1]", "x.json");
  std::string texts;
  for (const JsonValue value : document->root()) {
    texts += std::string(value.is(Type::Object) ? (*value.begin()).text() : value.text()) + ";";
  }
  EXPECT_EQ(texts, "-1;2;3;4;5.5e-1;");
  EXPECT_EQ(Document::parse("-12", "x.json")->root().integer(), -12);
}

TEST(Document, TextComesBackAsItWasButForWhiteSpace) {
  EXPECT_EQ(rewritten(" { \"a\" : [ 1 , -0 , 1.50 , 1E+05 , 0.1 , true , null ] , \"b\" : { } } "),
            R"({"a":[1,0,1.50,1E+05,0.1,true,null],"b":{}})");
  EXPECT_EQ(rewritten("[123456789012345678901234567890]"), "[123456789012345678901234567890]");
  EXPECT_EQ(rewritten(R"(["\"\\\/\b\f\n\r\tA\u00e9\ud83d\ude00"])"),
            "[\"\\\"\\\\/\\u0008\\u000c\\n\\r\\tA\u00e9\U0001f600\"]");
}

TEST(Document, TextThatIsNoJsonIsRefusedWithItsPlace) {
  EXPECT_NE(refusal("{\n  \"a\": ,\n}").find("x.json:2:8: error: this is not JSON"), std::string::npos)
      << refusal("{\n  \"a\": ,\n}");
  for (const std::string_view text :
       {"{", "[1,", "[1 2]", "{\"a\" 1}", "{a: 1}", "'a'", "[01]", "nul", "[1]]", "\"\x01\"", "[\"\xff\"]", "NaN"}) {
    EXPECT_NE(refusal(text).find("this is not JSON"), std::string::npos) << text;
  }
}

TEST(Document, NumbersBeyondDoublePrecisionAreRefusedInPlainWords) {
  const std::string text = refusal("[1e400]");
  EXPECT_NE(text.find("x.json:1:"), std::string::npos) << text;
  EXPECT_NE(text.find("a number outside the range of doubles"), std::string::npos) << text;
  EXPECT_EQ(text.find("json.exception"), std::string::npos) << text;
}

TEST(Document, AnEmptyFileIsSaidToBe) {
  for (const std::string_view text : {"", " \n"}) {
    EXPECT_EQ(refusal(text), "fxcut: x.json: error: the file is empty; expected JSON");
  }
}

TEST(Document, KeysThatStandTwiceInOneObjectAreRefused) {
  EXPECT_EQ(refusal("{\"a\": 1, \"b\": {\"a\": 2},\n\"a\": 3}"),
            "fxcut: x.json:2:1: /a: error: duplicate key 'a'\n"
            "    \"a\": 3}\n"
            "    ^");
  std::string many = "{\"last\": 0";
  for (int i = 0; i < 20; ++i) many += ", \"key" + std::to_string(i) + "\": 1";
  EXPECT_TRUE(refusal(many + ", \"last\": 2}")
                  .starts_with("fxcut: x.json:1:243: /last: error: duplicate key 'last'\n"));
  EXPECT_EQ(refusal(many + "}").substr(0, 5), "read:");
}

TEST(Document, TruncatedTextIsSaidToBe) {
  EXPECT_NE(refusal("{\"nodes\": [1, 2").find("the file ends too early"), std::string::npos);
  EXPECT_EQ(refusal("{\"nodes\": [1, 2}, 3, 4]").find("the file ends too early"), std::string::npos);
}

// The mistake is at the value or at its key, whatever stands between them and whatever escapes the key has.
TEST(Document, MistakesShowTheValueOrTheKey) {
  const auto document = Document::parse(R"({"a\"b\\" : [1,
 2]})", "x.json");
  const JsonValue member = *document->root().begin();
  EXPECT_EQ(to_string(member.mistake("wrong", "mend it")),
            "x.json:1:13: /a\"b\\: error: wrong\n    {\"a\\\"b\\\\\" : [1,\n                ^\n  mend it");
  EXPECT_EQ(to_string(member.mistake_in_key("wrong")),
            "x.json:1:2: /a\"b\\: error: wrong\n    {\"a\\\"b\\\\\" : [1,\n     ^");
  const JsonValue element = *++member.begin();
  EXPECT_EQ(to_string(element.mistake_in_key("wrong")), to_string(element.mistake("wrong"))) << "an element has no key";
  EXPECT_EQ(to_string(element.mistake("wrong")), "x.json:2:2: /a\"b\\/1: error: wrong\n     2]}\n     ^");
}

TEST(Document, TokensThatAreNotExpectedAreShownFromTheirBegin) {
  EXPECT_EQ(refusal("{\"a\": 1 \"b\\\"c\": 2}").substr(0, 18), "fxcut: x.json:1:9:");
  EXPECT_EQ(refusal("[1 234]").substr(0, 18), "fxcut: x.json:1:4:");
  EXPECT_EQ(refusal("[1 -2.5e3").substr(0, 18), "fxcut: x.json:1:4:");
  EXPECT_EQ(refusal("{1: 2}").substr(0, 18), "fxcut: x.json:1:2:");
}

TEST(Document, NestingIsBounded) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(rewritten(nested(kMaxNesting)), nested(kMaxNesting));
  EXPECT_EQ(refusal(nested(kMaxNesting + 1)).substr(0, 67),
            "fxcut: x.json:1:201: error: arrays and objects nest deeper than 200");
  EXPECT_NE(refusal(std::string(1'000'000, '[')).find("nest deeper"), std::string::npos);
  EXPECT_NE(refusal([] {
              std::string text;
              for (int i = 0; i < 100'000; ++i) text += "{\"a\":";
              return text;
            }())
                .find("nest deeper"),
            std::string::npos);
}

}  // namespace
}  // namespace fxcut
