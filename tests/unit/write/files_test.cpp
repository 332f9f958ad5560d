// Files appear whole or not at all.
#include "write/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <future>
#include <new>
#include <set>

#include "diagnostic/diagnostic.h"
#include "read/read_file.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

// A directory of its own for each test, which goes with it.
class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string path = (fs::temp_directory_path() / "fxcut-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(path.data()), nullptr);
    directory_ = path;
  }
  void TearDown() override {
    fs::permissions(directory_, fs::perms::owner_all);
    fs::remove_all(directory_);
  }

  // "a=text b=text": the content of a directory.
  static std::string content(const fs::path& directory) {
    std::set<std::string> entries;
    for (const auto& entry : fs::directory_iterator(directory)) {
      entries.insert(entry.path().filename().string() +
                     (entry.is_directory() ? "/" : "=" + read_file(entry.path().string())));
    }
    std::string text;
    for (const std::string& entry : entries) text += (text.empty() ? "" : " ") + entry;
    return text;
  }
  static std::string refusal(const fs::path& directory, const std::vector<OutputFile>& files, bool overwrite) {
    try {
      write_files(directory, files, overwrite);
      return "";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::FileTrouble);
      return failure.what();
    }
  }
  void put(const std::string& name, const std::string& text) const { std::ofstream(directory_ / name) << text; }

  fs::path directory_;
  const std::vector<OutputFile> two_ = {{"a", "first"}, {"b", "second"}};
};

TEST_F(Files, AreWrittenIntoADirectoryThatIsMade) {
  write_files(directory_ / "new" / "deep", two_, false);
  EXPECT_EQ(content(directory_ / "new" / "deep"), "a=first b=second");
}

TEST_F(Files, ADirectoryMayEndInASlash) {
  write_files(directory_ / "new/", two_, false);
  EXPECT_EQ(content(directory_ / "new"), "a=first b=second");
}

TEST_F(Files, ExistingFilesAreNotReplaced) {
  put("b", "old");
  EXPECT_EQ(refusal(directory_, two_, false),
            "fxcut: " + (directory_ / "b").string() +
                ": error: exists already\n  use --force to replace it or name another --output-dir");
  EXPECT_EQ(content(directory_), "b=old");
}

TEST_F(Files, AreReplacedOnRequest) {
  put("b", "old");
  put("c", "kept");
  write_files(directory_, two_, true);
  EXPECT_EQ(content(directory_), "a=first b=second c=kept");
}

TEST_F(Files, ADirectoryInTheWayIsNotReplaced) {
  fs::create_directory(directory_ / "b");
  EXPECT_NE(refusal(directory_, two_, true).find("is in the way"), std::string::npos);
  EXPECT_EQ(content(directory_), "b/");
}

TEST_F(Files, ALinkInTheWayIsNotFollowed) {
  fs::create_symlink("nowhere", directory_ / "a");
  EXPECT_NE(refusal(directory_, two_, false).find("exists already"), std::string::npos);
}

TEST_F(Files, ALinksTargetIsReplaced) {
  put("c", "old");
  fs::create_symlink("c", directory_ / "a");
  EXPECT_NE(refusal(directory_, two_, false).find("exists already"), std::string::npos);
  write_files(directory_, two_, true);
  EXPECT_TRUE(fs::is_symlink(directory_ / "a"));
  EXPECT_EQ(content(directory_), "a=first b=second c=first");
}

TEST_F(Files, TwoLinksToOneFileAreRefused) {
  put("c", "old");
  for (const char* const link : {"a", "b"}) fs::create_symlink("c", directory_ / link);
  EXPECT_NE(refusal(directory_, two_, true).find("is to be written twice"), std::string::npos);
  EXPECT_EQ(content(directory_), "a=old b=old c=old");
}

TEST_F(Files, IntoAPipeIsWrittenOnceSomebodyReadsIt) {
  const std::string pipe = (directory_ / "a").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const bool overwrite : {false, true}) {
    auto reading = std::async(std::launch::async, [&] { return read_file(pipe); });
    const std::string large(1'000'000, 'x');
    write_files(directory_, {{"a", large}}, overwrite);
    EXPECT_EQ(reading.get(), large);
    EXPECT_TRUE(fs::is_fifo(pipe));
  }
}

TEST_F(Files, NothingIsLeftIfAPipesReaderGoesAway) {
  const std::string pipe = (directory_ / "a").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  const std::string large(1'000'000, 'x');
  auto closing = std::async(std::launch::async, [&] {
    pollfd filled{reader, POLLIN, 0};
    ::poll(&filled, 1, -1);
    ::close(reader);
  });
  const std::string matched = refusal(directory_, {{"a", large}, {"b", "second"}}, false);
  EXPECT_NE(matched.find("Broken pipe\n  was the pipe closed?"), std::string::npos) << matched;
  EXPECT_FALSE(fs::exists(directory_ / "b"));
}

TEST_F(Files, IntoADeviceIsWritten) {
  fs::create_symlink("/dev/full", directory_ / "a");  // accepts nothing, so that a mistake here does no harm
  EXPECT_NE(refusal(directory_, two_, true).find("No space left on device"), std::string::npos);
  EXPECT_TRUE(fs::is_symlink(directory_ / "a"));
  EXPECT_FALSE(fs::exists(directory_ / "b"));
}

TEST_F(Files, AFileInPlaceOfTheDirectoryIsRefused) {
  put("file", "kept");
  EXPECT_NE(refusal(directory_ / "file", two_, true), "");
  EXPECT_NE(refusal(directory_ / "file" / "below", two_, true), "");
  EXPECT_EQ(content(directory_), "file=kept");
}

TEST_F(Files, AnUnwritableDirectoryIsSaidToBe) {
  constexpr uid_t kNobody = 65534;
  fs::permissions(directory_,
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  const bool is_root = ::geteuid() == 0;  // to whom every directory is writable
  if (is_root) {
    ASSERT_EQ(::seteuid(kNobody), 0);
  }
  const std::string into = refusal(directory_, two_, true), below = refusal(directory_ / "new", two_, true);
  if (is_root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_NE(into.find("Permission denied"), std::string::npos) << into;
  EXPECT_NE(below.find("Permission denied"), std::string::npos) << below;
  EXPECT_EQ(content(directory_), "");
}

// Lets files grow only up to that many bytes, as a full disk would.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(Files, NothingIsLeftIfThereIsNoRoom) {
  const std::string large(100'000, 'x');
  std::string matched;
  {
    const FileSizeLimit limit(10'000);
    matched = refusal(directory_ / "new", {{"small", "text"}, {"large", large}}, false);
  }
  EXPECT_NE(matched.find("File too large"), std::string::npos) << matched;
  EXPECT_EQ(content(directory_), "");
}

TEST_F(Files, AFailureOnTheWayLeavesNothingBehind) {
  // The second name cannot be created: it is in a directory that is not there.
  const std::vector<OutputFile> files = {{"a", "first"}, {"missing/b", "second"}};
  EXPECT_NE(refusal(directory_ / "new" / "deep", files, true).find("missing"), std::string::npos);
  EXPECT_EQ(content(directory_), "");
  put("a", "old");
  EXPECT_NE(refusal(directory_, files, true), "");
  EXPECT_EQ(content(directory_), "a=old");
}

TEST_F(Files, AFailureBeforeRenamingLeavesNothingBehind) {
  put("a", "old");
  const std::vector<OutputDirectory> outputs = {{directory_, two_, "--output-dir"},
                                                {directory_ / "new", two_, "--output-dir"}};
  bool is_written = false;
  const auto fail = [&] {
    is_written = fs::exists(directory_ / "new") && content(directory_) != "a=old";
    throw std::bad_alloc();
  };
  EXPECT_THROW(write_files(outputs, true, fail), std::bad_alloc);
  EXPECT_TRUE(is_written);
  EXPECT_EQ(content(directory_), "a=old");
  bool is_called = false;
  write_files(std::vector<OutputDirectory>(), true, [&] { is_called = true; });
  EXPECT_TRUE(is_called) << "also where there is nothing to write";
}

TEST_F(Files, LargeOnesComeBackAsTheyWere) {
  const std::string large(5'000'000, 'x');
  write_files(directory_, {{"large", large}, {"empty", ""}}, false);
  EXPECT_EQ(read_file((directory_ / "large").string()), large);
  EXPECT_EQ(read_file((directory_ / "empty").string()), "");
}

}  // namespace
}  // namespace fxcut
