// JSON written piece by piece is what one tree of it would print.
#include "report/json_text.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

Json row(int number) { return {{"number", number}, {"list", {number, "a\nb"}}, {"none", Json::array()}}; }

// What comes of all pieces.
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
  text.open("inner");
  text.list("rows", rows, row);
  text.member("flag", true);
  text.close();
  text.open("empty");
  text.close();
  text.member("last", Json::object());
}

TEST(JsonText, EqualsTheDumpOfATree) {
  Json tree = {{"name", "line\nline"}};
  tree["rows"] = {row(1), row(2), row(3)};
  tree["none"] = Json::array();
  tree["inner"]["rows"] = tree["rows"];
  tree["inner"]["flag"] = true;
  tree["empty"] = Json::object();
  tree["last"] = Json::object();
  EXPECT_EQ(whole(write_all_forms), tree.dump(1) + "\n");
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
