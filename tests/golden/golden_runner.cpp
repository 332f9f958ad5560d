// Golden runs of the real binary: each case file is run in a fresh directory and compared with what it expects.
//
//     golden_runner BINARY CASE_FILE... [--rewrite]
//
// --rewrite makes what came of the run the case file's expectation: read the difference before you commit it.
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "case_file.h"
#include "program_run.h"
#include "text.h"

namespace golden {
namespace {

namespace fs = std::filesystem;

// A directory of the case's own, gone with it.
class FreshDirectory {
 public:
  FreshDirectory() {
    std::string name = (fs::temp_directory_path() / "fxcut-golden-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + " cannot be made");
    path_ = name;
  }
  FreshDirectory(const FreshDirectory&) = delete;
  FreshDirectory& operator=(const FreshDirectory&) = delete;
  ~FreshDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void prepare(const Case& given, const fs::path& directory) {
  for (const std::string& name : given.directories) fs::create_directories(directory / name);
  for (const std::string& name : given.copies) {
    const fs::path source = fs::path(FXCUT_TESTDATA) / name;
    fs::copy_file(source, directory / source.filename());
  }
  for (const auto& [name, content] : given_files(given)) write_text(directory / name, content);
}

// All files by path; an empty directory as "path/".
std::map<std::string, std::string> files_in(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    const std::string name = entry.path().lexically_relative(directory).string();
    if (entry.is_regular_file()) files[name] = without_keys(read_text(entry.path()));
    if (entry.is_directory() && fs::is_empty(entry)) files[name + "/"] = "";
  }
  return files;
}

Outcome run_case(const fs::path& binary, const Case& given) {
  const FreshDirectory directory;
  prepare(given, directory.path());
  const std::map<std::string, std::string> before = files_in(directory.path());
  Outcome outcome = run_program(binary, given, directory.path());
  outcome.out = without_keys(std::move(outcome.out));
  outcome.files = files_in(directory.path());
  for (const auto& [name, content] : before) {
    const auto after = outcome.files.find(name);
    if (after == outcome.files.end()) {
      if (!name.ends_with('/')) outcome.files[name] = "(removed)\n";
    } else if (after->second == content) {
      outcome.files.erase(after);
    }
  }
  return outcome;
}

// Says where `found` first differs; returns whether it does.
bool differs(const std::string& what, const std::string& expected, const std::string& found) {
  if (expected == found) return false;
  std::istringstream expected_lines(expected), found_lines(found);
  std::string expected_line, found_line;
  int line = 0;
  bool expected_more = true, found_more = true;
  do {
    ++line;
    expected_more = static_cast<bool>(std::getline(expected_lines, expected_line));
    found_more = static_cast<bool>(std::getline(found_lines, found_line));
  } while (expected_more && found_more && expected_line == found_line);
  std::cerr << what << " differs in line " << line << "\n  expected: " << (expected_more ? expected_line : "(its end)")
            << "\n  found:    " << (found_more ? found_line : "(its end)") << "\n";
  return true;
}

bool differs(const Outcome& expected, const Outcome& found) {
  bool any = differs("status", expected.status, found.status);
  any |= differs("stdout", expected.out, found.out);
  any |= differs("stderr", expected.err, found.err);
  for (const auto& [name, content] : expected.files) {
    const auto made = found.files.find(name);
    if (made != found.files.end()) {
      any |= differs(name, content, made->second);
    } else {
      std::cerr << name << " was not written\n";
      any = true;
    }
  }
  for (const auto& [name, content] : found.files) {
    if (expected.files.contains(name)) continue;
    std::cerr << name << " was written, and should not be there\n" << content;
    any = true;
  }
  return any;
}

// Whether the case holds.
bool check(const fs::path& binary, const fs::path& case_file, bool rewrite) {
  const Case given = read_case(case_file);
  const Outcome found = run_case(binary, given);
  if (rewrite) {
    write_text(case_file, print_case(given, found));
    return true;
  }
  return !differs(given.expected, found);
}

int run(std::vector<std::string> words) {
  const bool rewrite = std::erase(words, "--rewrite") > 0;
  if (words.size() < 2) {
    std::cerr << "usage: golden_runner BINARY CASE_FILE... [--rewrite]\n";
    return 2;
  }
  const fs::path binary = fs::absolute(words.front());
  bool all_hold = true;
  for (std::size_t i = 1; i < words.size(); ++i) {
    try {
      if (check(binary, words[i], rewrite)) continue;
    } catch (const std::exception& error) {
      std::cerr << error.what() << "\n";
    }
    std::cerr << "in " << words[i] << "\n";
    all_hold = false;
  }
  return all_hold ? 0 : 1;
}

}  // namespace
}  // namespace golden

int main(int argc, char** argv) { return golden::run({argv + 1, argv + argc}); }
