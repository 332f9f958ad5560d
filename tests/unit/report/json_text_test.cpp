// JSON written piece by piece is what one tree of it would print.
#include "report/json_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

Json row(int number) { return {{"number", number}, {"list", {number, "a\nb"}}, {"none", Json::array()}}; }

TEST(JsonText, EqualsTheDumpOfATree) {
  const std::vector<int> rows = {1, 2, 3}, none;
  JsonText text;
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

  Json tree = {{"name", "line\nline"}};
  tree["rows"] = {row(1), row(2), row(3)};
  tree["none"] = Json::array();
  tree["inner"]["rows"] = tree["rows"];
  tree["inner"]["flag"] = true;
  tree["empty"] = Json::object();
  tree["last"] = Json::object();
  EXPECT_EQ(text.take(), tree.dump(1));
}

TEST(JsonText, WithoutMembersIsAnEmptyObject) { EXPECT_EQ(JsonText().take(), "{}"); }

TEST(JsonText, ReplacesBytesThatAreNoText) {
  JsonText text;
  text.member("name", "a\xff");
  EXPECT_EQ(text.take(), "{\n \"name\": \"a\xef\xbf\xbd\"\n}");
}

}  // namespace
}  // namespace fxcut
