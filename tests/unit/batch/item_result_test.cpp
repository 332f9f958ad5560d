// The result for one graph, on a line.
#include "batch/item_result.h"

#include "temporary_directory.h"

namespace fxcut {
namespace {

TEST(ItemResults, AreOneLineEachAndSayWhatTheyAreAbout) {
  const std::string done = done_line("a\n\"b\xff", "key", Report(), 0);
  EXPECT_EQ(done.find('\n'), std::string::npos);
  EXPECT_TRUE(read_result_head(done, "").is_done);
  EXPECT_EQ(read_result_head(done, "").key, "key");
  const std::string failed = failed_line("b", 137, {ended_by(9, "b.json")});
  const std::string expected =
      R"_({"name":"b","status":"failed","exit_status":137,"errors":[{"place":"b.json",)_"
      R"_("message":"its process was killed by signal 9 (Killed)",)_"
      R"_("hint":"out of memory? use fewer --jobs"}]})_";
  EXPECT_EQ(failed, expected);
  EXPECT_FALSE(read_result_head(failed, "").is_done);
  EXPECT_THROW(read_result_head("{}", "results.jsonl"), Failure);
}

TEST(ItemResults, AFailureComesBackFromItsLine) {
  const Failure failure = read_failure(failed_line("b", 4, {{"b.json:1", "is \"no\" graph", "look"}}));
  EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
  EXPECT_STREQ(failure.what(), Failure(ExitStatus::NoPartition, {{"b.json:1", "is \"no\" graph", "look"}}).what());
}

class KeptResults : public TemporaryDirectory {
 protected:
  bool is_kept(const std::string& result) const {
    for (const std::string_view file : kResultFiles) put(std::string(file), "{}");
    put("result.json", result);
    return kept_line(directory_).has_value();
  }
};

TEST_F(KeptResults, AreThoseThatAreThereAsAWhole) {
  const std::string line = done_line("a", "key", Report(), 0);
  EXPECT_TRUE(is_kept(line + "\n"));
  EXPECT_EQ(kept_line(directory_), line);
  std::filesystem::remove(directory_ / "backward.json");
  EXPECT_FALSE(kept_line(directory_));
}

TEST_F(KeptResults, AreNoneWhereTheirLineIsDamaged) {
  const std::string line = done_line("a", "key", Report(), 0);
  EXPECT_FALSE(is_kept(line));
  EXPECT_FALSE(is_kept(line + "\n\n"));
  EXPECT_FALSE(is_kept("{\n" + line.substr(1) + "\n"));
  EXPECT_FALSE(is_kept(line.substr(0, line.find(",\"totals\"")) + "}\n"));
  EXPECT_FALSE(is_kept(failed_line("a", 3, {}) + "\n"));
  EXPECT_FALSE(is_kept(""));
}

}  // namespace
}  // namespace fxcut
