// Golden runs of the real binary: each case file is run in a fresh directory and compared with what it expects.
//
//     golden_runner BINARY CASE_FILE... [--rewrite]
//
// For a case that fails it prints the difference between its file and the outcome, and the command that rewrites this file.
// --rewrite makes the outcome of the run the case file's expectation: read the difference before you commit it. Excerpts keep to
// their lines; a case with a line that nothing in the output resembles any more is left as it is, and the line told.
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>

#include "case_file.h"
#include "difference.h"
#include "fresh_directory.h"
#include "program_run.h"
#include "text.h"

namespace golden {
namespace {

namespace fs = std::filesystem;

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

// Whether the case passes; otherwise the difference goes to standard error.
bool check(const fs::path& binary, const fs::path& case_file, bool rewrite) {
  const Case given = read_case(case_file);
  const Outcome whole = run_case(binary, given);
  std::vector<std::string> gone;
  const Outcome found = shorten(given, whole, gone);
  if (!rewrite && found == given.expected) return true;
  for (const std::string& line : gone) std::cerr << "gone: " << line << "\n";
  if (rewrite && gone.empty()) {
    require_ends_of_lines(whole);
    write_text(case_file, print_case(given, found));
    return true;
  }
  show_difference(case_file, print_case(given, given.expected), print_case(given, found));
  return false;
}

// The command that makes the outcome the expectation.
std::string rewriting(const std::string& runner, const std::string& binary, const std::string& case_file) {
  return runner + " " + binary + " " + case_file + " --rewrite";
}

int run(const std::string& runner, std::vector<std::string> words) {
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
    std::cerr << "\n" << words[i] << " failed. If the difference is intended:\n\n  "
              << rewriting(runner, words.front(), words[i]) << "\n\n";
    all_hold = false;
  }
  return all_hold ? 0 : 1;
}

}  // namespace
}  // namespace golden

int main(int argc, char** argv) { return golden::run(argv[0], {argv + 1, argv + argc}); }
