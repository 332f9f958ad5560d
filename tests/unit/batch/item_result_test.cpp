// What came of one graph, on a line.
#include "batch/item_result.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(ItemResults, AreOneLineEachAndSayWhatTheyAreAbout) {
  const std::string done = done_line("a\n\"b\xff", "key", Report());
  EXPECT_EQ(done.find('\n'), std::string::npos);
  EXPECT_TRUE(read_result_head(done, "").is_done);
  EXPECT_EQ(read_result_head(done, "").key, "key");
  const std::string failed = failed_line("b", 137, {ended_by(9, "b.json")});
  const std::string expected =
      R"_({"name":"b","status":"failed","exit_status":137,"errors":[{"place":"b.json",)_"
      R"_("message":"its process was ended by signal 9 (Killed)",)_"
      R"_("hint":"out of memory? fewer --jobs leave more to each"}]})_";
  EXPECT_EQ(failed, expected);
  EXPECT_FALSE(read_result_head(failed, "").is_done);
  EXPECT_THROW(read_result_head("{}", "results.jsonl"), Failure);
}

}  // namespace
}  // namespace fxcut
