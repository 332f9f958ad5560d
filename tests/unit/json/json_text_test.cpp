// JSON written piece by piece is what one tree of it would print.
#include "json/json_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

Json row(int number) { return {{"number", number}, {"list", {number, "a\nb"}}, {"none", Json::array()}}; }

// The text of all pieces.
std::string whole(const std::function<void(JsonText&)>& write, std::size_t* pieces = nullptr) {
  std::string all;
  const TextSink sink = [&](std::string_view piece) {
    all += piece;
    if (pieces) ++*pieces;
  };
  JsonText text(sink);
  write(text);
  text.finish();
  return all;
}

void write_all_forms(JsonText& text) {
  const std::vector<int> rows = {1, 2, 3}, none;
  text.member("name", "line\nline");
  text.list("rows", rows, row);
  text.list("none", none, row);
  text.object("inner", [&] {
    text.list("rows", rows, row);
    text.member("flag", true);
  });
  text.object("empty", [] {});
  text.objects("objects", rows, [](int number, JsonText& object) {
    if (number > 1) object.member("number", number);
  });
  text.objects("no_objects", none, [](int, JsonText&) {});
  text.list("numbers", rows, [](int number) { return -number; });
  text.member("last", Json::object());
}

TEST(JsonText, EqualsTheDumpOfATree) {
  Json tree = {{"name", "line\nline"}};
  tree["rows"] = {row(1), row(2), row(3)};
  tree["none"] = Json::array();
  tree["inner"]["rows"] = tree["rows"];
  tree["inner"]["flag"] = true;
  tree["empty"] = Json::object();
  tree["objects"] = {Json::object(), {{"number", 2}}, {{"number", 3}}};
  tree["no_objects"] = Json::array();
  tree["numbers"] = {-1, -2, -3};
  tree["last"] = Json::object();
  EXPECT_EQ(whole(write_all_forms), tree.dump(1) + "\n");
}

// Values written without nlohmann-json are as it would have written them.
TEST(JsonText, WritesEachValueAsATreeDoes) {
  const auto expect_same = [](const auto& value) {
    Json tree;
    tree["value"] = value;
    EXPECT_EQ(whole([&](JsonText& text) { text.member("value", value); }), tree.dump(1) + "\n");
  };
  for (int c = 0; c < 0x80; ++c) expect_same("<" + std::string(1, static_cast<char>(c)) + ">");
  expect_same("\xc3\xa9\xe2\x82\xac");
  expect_same(std::string());
  expect_same("literal");
  expect_same(true);
  expect_same(false);
  expect_same(0);
  expect_same(std::numeric_limits<std::int64_t>::min());
  expect_same(std::numeric_limits<std::uint64_t>::max());
  expect_same(1.0);
  expect_same(0.1);
  expect_same(Json(-7));
  expect_same(Json(std::numeric_limits<std::uint64_t>::max()));
  expect_same(Json());
  expect_same(Json({1, "a\"b"}));
}

TEST(JsonText, ComesInPieces) {
  std::vector<int> rows(10'000);
  std::iota(rows.begin(), rows.end(), 0);
  Json tree;
  for (const int number : rows) tree["rows"].push_back(row(number));
  std::size_t pieces = 0;
  EXPECT_EQ(whole([&](JsonText& text) { text.list("rows", rows, row); }, &pieces), tree.dump(1) + "\n");
  EXPECT_GT(pieces, 5u);
  EXPECT_LT(pieces, 20u);
}

TEST(JsonText, WithoutMembersIsAnEmptyObject) { EXPECT_EQ(whole([](JsonText&) {}), "{}\n"); }

TEST(JsonText, ReplacesBytesThatAreNoText) {
  EXPECT_EQ(whole([](JsonText& text) { text.member("name", "a\xff"); }), "{\n \"name\": \"a\xef\xbf\xbd\"\n}\n");
}

}  // namespace
}  // namespace fxcut
