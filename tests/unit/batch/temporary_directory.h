// A directory that goes with the test.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace fxcut {

class TemporaryDirectory : public testing::Test {
 protected:
  void SetUp() override {
    std::string path = (std::filesystem::temp_directory_path() / "fxcut-batch-XXXXXX").string();
    ASSERT_NE(::mkdtemp(path.data()), nullptr);
    directory_ = path;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void put(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((directory_ / name).parent_path());
    std::ofstream(directory_ / name) << content;
  }

  // "a b/c": the files that are there, and empty directories as "d/".
  std::string files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_)) {
      const std::string name = entry.path().lexically_relative(directory_).string();
      if (entry.is_regular_file()) names.insert(name);
      if (entry.is_directory() && std::filesystem::is_empty(entry)) names.insert(name + "/");
    }
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
    return text;
  }

  std::filesystem::path directory_;
};

}  // namespace fxcut
