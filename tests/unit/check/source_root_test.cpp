// The source files that an annotation may name.
#include "check/source_root.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace fxcut {
namespace {

namespace fs = std::filesystem;

class SourceRootTest : public testing::Test {
 protected:
  SourceRootTest() : directory_(fs::temp_directory_path() / ("source_root." + std::to_string(::getpid()))) {
    for (const char* const file : {"repo/model/net.py", "repo/.venv/lib/site-packages/lib/nn.py", "other/net.py"}) {
      fs::create_directories((directory_ / file).parent_path());
      std::ofstream(directory_ / file) << "pass\n";
    }
  }
  ~SourceRootTest() override { fs::remove_all(directory_); }

  std::string name_of(const fs::path& file) const {
    return SourceRoot(directory_ / "repo").name_of(file.string()).value_or("-");
  }

  const fs::path directory_;
};

TEST_F(SourceRootTest, AFileInItIsNamedFromItOn) {
  EXPECT_EQ(name_of(directory_ / "repo/model/net.py"), "model/net.py");
  EXPECT_EQ(name_of(directory_ / "repo/x/../model/net.py"), "-");  // there is no x
  EXPECT_EQ(name_of("model/net.py"), "model/net.py");
  EXPECT_EQ(name_of("./model/../model/net.py"), "model/net.py");
}

TEST_F(SourceRootTest, AFileElsewhereHasNoName) {
  EXPECT_EQ(name_of(directory_ / "other/net.py"), "-");
  EXPECT_EQ(name_of("../other/net.py"), "-");
  EXPECT_EQ(name_of("torch/nn/functional.py"), "-");  // it is not there
  EXPECT_EQ(name_of("model"), "-");                   // a directory
}

TEST_F(SourceRootTest, AnInstalledPackageIsElsewhereWhereverItLies) {
  EXPECT_EQ(name_of(directory_ / "repo/.venv/lib/site-packages/lib/nn.py"), "-");
}

TEST_F(SourceRootTest, WithoutOneEachFileIsNamedAsItStands) {
  EXPECT_EQ(SourceRoot().name_of("torch/nn/functional.py"), "torch/nn/functional.py");
}

// Capture names a library's file by its base name, which the repository's own may have too.
TEST_F(SourceRootTest, AnInnermostFileWithoutAFolderIsNotTheRepositorys) {
  std::ofstream(directory_ / "repo/adam.py") << "pass\n";
  const SourceRoot root(directory_ / "repo");
  EXPECT_EQ(root.name_of_innermost("adam.py"), std::nullopt);
  EXPECT_EQ(root.name_of_innermost("model/net.py"), "model/net.py");
  EXPECT_EQ(root.name_of_innermost((directory_ / "repo/adam.py").string()), "adam.py");
  EXPECT_EQ(root.name_of("adam.py"), "adam.py");
  EXPECT_EQ(SourceRoot().name_of_innermost("adam.py"), "adam.py");
}

CheckResult broken_by(const std::vector<std::string>& files) {
  CheckResult result;
  result.passed = false;
  for (const std::string& file : files) {
    ValueChange& change = result.responsible.emplace_back();
    change.after = ComparedValue{};
    change.after->name = "of " + file;
    change.after->provenance.source_file = file;
    change.after->provenance.source_line = 7;
  }
  return result;
}

TEST_F(SourceRootTest, ADemandIsAnnotatedAtTheFirstValueThatMayBe) {
  std::vector<CheckResult> results = {broken_by({"torch/nn.py", "model/net.py"}), broken_by({"", "torch/nn.py"})};
  annotate(results, SourceRoot(directory_ / "repo"));
  ASSERT_TRUE(results[0].at);
  EXPECT_EQ(results[0].at->file, "model/net.py");
  EXPECT_EQ(results[0].at->line, 7);
  EXPECT_EQ(results[0].at->value, "of model/net.py");
  EXPECT_FALSE(results[1].at);
  EXPECT_EQ(results[1].elsewhere, "torch/nn.py:7");
}

TEST_F(SourceRootTest, TheUsersOwnLineComesBeforeTheInnermost) {
  std::vector<CheckResult> results = {broken_by({"torch/nn.py"}), broken_by({"model/net.py"})};
  for (CheckResult& result : results) {
    result.responsible[0].after->provenance.user_file = "model/net.py";
    result.responsible[0].after->provenance.user_line = 3;
  }
  results.push_back(broken_by({"model/net.py"}));
  results[2].responsible[0].after->provenance.user_file = "model/gone.py";
  annotate(results, SourceRoot(directory_ / "repo"));
  for (const CheckResult& result : results) ASSERT_TRUE(result.at);
  EXPECT_EQ(results[0].at->line, 3);
  EXPECT_EQ(results[1].at->line, 3);
  EXPECT_EQ(results[2].at->line, 7);
}

TEST_F(SourceRootTest, AFileOfTheRepositorysTopIsPointedAtAsTheUsersOwnOnly) {
  std::ofstream(directory_ / "repo/adam.py") << "pass\n";
  std::vector<CheckResult> results = {broken_by({"adam.py"}), broken_by({"adam.py"})};
  results[1].responsible[0].after->provenance.user_file = "adam.py";
  results[1].responsible[0].after->provenance.user_line = 3;
  annotate(results, SourceRoot(directory_ / "repo"));
  EXPECT_FALSE(results[0].at);
  EXPECT_EQ(results[0].elsewhere, "adam.py:7");
  ASSERT_TRUE(results[1].at);
  EXPECT_EQ(results[1].at->file, "adam.py");
  EXPECT_EQ(results[1].at->line, 3);
}

}  // namespace
}  // namespace fxcut
