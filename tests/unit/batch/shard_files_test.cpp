// Joining shards, and messages about those that cannot be joined.
#include "batch/shard_files.h"

#include "batch/item_result.h"
#include "read/read_file.h"
#include "temporary_directory.h"

namespace fxcut {
namespace {

class ShardFiles : public TemporaryDirectory {
 protected:
  void SetUp() override {
    TemporaryDirectory::SetUp();
    for (const char* const name : {"a", "b", "c"}) items_.push_back({name, name, nullptr, 1});
  }

  static std::string line(const std::string& name) {
    return failed_line(name, 3, {{name + ".json:1", "is no graph", ""}});
  }
  void run_shard(const Shard& shard, const std::vector<std::string>& names, const std::string& id = "1") const {
    const OutputTree tree(directory_, shard.name(), false);
    announce_shard(tree, directory_, shard, items_, id);
    std::vector<std::string> lines;
    for (const std::string& name : names) lines.push_back(line(name));
    finish_shard(tree, shard, lines, id);
  }
  std::string refusal() const {
    try {
      join_shards(directory_);
      return "";
    } catch (const Failure& failure) {
      return failure.diagnostics().front().message;
    }
  }

  std::vector<WorkItem> items_;
};

TEST_F(ShardFiles, AreJoinedInTheOrderOfTheWorkList) {
  run_shard({1, 2}, {"b"});
  run_shard({0, 2}, {"a", "c"});
  const JoinedShards joined = join_shards(directory_);
  EXPECT_EQ(joined.lines, (std::vector<std::string>{line("a"), line("b"), line("c")}));
  EXPECT_TRUE(joined.missing_shards.empty());
  EXPECT_TRUE(joined.missing_names.empty());
}

TEST_F(ShardFiles, SayWhatIsMissing) {
  run_shard({1, 3}, {"b"});
  const JoinedShards joined = join_shards(directory_);
  EXPECT_EQ(joined.shards, 3);
  EXPECT_EQ(joined.missing_shards, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(joined.missing_names, (std::vector<std::string>{"a", "c"}));
}

TEST_F(ShardFiles, AResultThatIsGoneIsMissing) {
  run_shard({0, 1}, {"a", "b"});
  const OutputTree tree(directory_, "0-of-1", false);
  finish_shard(tree, {0, 1}, {line("a"), line("b"), done_line("c", "key", Report(), 0)}, "1");
  EXPECT_EQ(join_shards(directory_).missing_names, std::vector<std::string>{"c"});
  for (const std::string_view file : kResultFiles)
    put("graphs/c/" + std::string(file), done_line("c", "key", Report(), 0) + "\n");
  EXPECT_TRUE(join_shards(directory_).missing_names.empty());
  std::filesystem::remove(directory_ / "graphs/c/forward.json");
  EXPECT_EQ(join_shards(directory_).missing_names, std::vector<std::string>{"c"});
}

TEST_F(ShardFiles, OtherResultsThanTheShardsAreMissing) {
  const OutputTree tree(directory_, "0-of-1", false);
  announce_shard(tree, directory_, {0, 1}, items_, "1");
  finish_shard(tree, {0, 1}, {line("a"), line("b"), done_line("c", "key", Report(), 0)}, "1");
  for (const std::string_view file : kResultFiles)
    put("graphs/c/" + std::string(file), done_line("c", "new", Report(), 0) + "\n");
  EXPECT_EQ(join_shards(directory_).missing_names, std::vector<std::string>{"c"});
}

TEST_F(ShardFiles, AreDroppedByABatchInOnePiece) {
  run_shard({0, 2}, {"a", "c"});
  drop_shards(OutputTree(directory_, "all", true), directory_);
  EXPECT_EQ(files(), "");
}

TEST_F(ShardFiles, ShardsOfAnotherWorkListAreRefused) {
  run_shard({0, 2}, {"a", "c"});
  run_shard({1, 2}, {"b"}, "2");
  EXPECT_EQ(refusal(), "belongs to another work list: graphs, settings or fxcut's version have changed since");
  run_shard({0, 2}, {"a", "c"}, "2");
  EXPECT_EQ(refusal(), "");
}

TEST_F(ShardFiles, StartingAShardRemovesFilesOfAnotherShardCount) {
  run_shard({0, 2}, {"a", "c"});
  run_shard({0, 1}, {"a", "b", "c"});
  EXPECT_EQ(files(), "shards/0-of-1.jsonl shards/work_list.json");
}

TEST_F(ShardFiles, DamagedFilesAreRefused) {
  EXPECT_EQ(refusal(), "no shard of a batch in this directory");
  run_shard({0, 1}, {"a", "b", "c"});
  const std::string text = read_file((directory_ / "shards/0-of-1.jsonl").string());
  put("shards/0-of-1.jsonl", text.substr(0, text.size() - 10));
  EXPECT_EQ(refusal(), "declares 3 graphs but has 2");
  put("shards/0-of-1.jsonl", "");
  EXPECT_EQ(refusal(), "is empty");
  put("shards/0-of-1.jsonl", "{}\n");
  EXPECT_EQ(refusal(), "missing 'format', a string");
  put("shards/0-of-1.jsonl", text + "{}\n");
  EXPECT_EQ(refusal(), "declares 3 graphs but has 4");
}

}  // namespace
}  // namespace fxcut
