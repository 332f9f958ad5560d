// Files as they are on disk.
#include "read/read_file.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

TEST(ReadFile, NamesTheFileThatCannotBeRead) {
  const std::string missing = testing::TempDir() + "fxcut-no-such-directory/missing";
  try {
    read_file(missing);
    FAIL() << "no failure";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::FileTrouble);
    EXPECT_EQ(failure.what(),
              "fxcut: " + missing + ": error: cannot be read: No such file or directory\n  check the path");
  }
  EXPECT_THROW(read_file(testing::TempDir()), Failure) << "a directory";
}

}  // namespace
}  // namespace fxcut
