// A golden case as a file for people to read: how the program is called, on what, and what must result.
//
//     # What the case shows.
//     run: partition graph.json --output-dir out
//     status: 0
//     === file graph.json
//     {"format": "fx-joint-graph", ...}
//     === expected stdout
//     ...
//     === expected file out/forward.json
//     ...
//
// The head has one "key: value" per line; `head_keys` in case_file.cpp lists the keys. The sections below it:
//
//     file NAME            written before the run
//     escaped NAME         as above; \n, \\ and \xNN stand for bytes, line ends for nothing
//     repeated NAME        as above; each line is "COUNT TEXT" and stands for TEXT that many times
//     stdin                what the program reads there; empty if it is missing
//     expected stdout      everything that it prints; empty if it is missing
//     expected stderr
//     expected file NAME   one that it made or changed: no other may be. A directory left empty counts, as "NAME/"
//
// A case that is about some lines of a long output expects these: "expected lines of stdout", "expected lines of file NAME";
// excerpt.h describes how they are given. Standard error and the status are expected whole.
//
// Content ends in a newline, and so must what the program writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace golden {

// The outcome of a run, or the expected one.
struct Outcome {
  std::string status;  // the exit status, or "signal N"
  std::string out;
  std::string err;
  std::map<std::string, std::string> files;  // made or changed, by path within the case's directory

  bool operator==(const Outcome&) const = default;
};

struct Section {
  std::string title;
  std::string content;
};

struct Case {
  std::vector<std::string> head;  // the head's lines except the status, unchanged
  std::vector<Section> given;     // the sections except the expected ones, unchanged

  std::vector<std::string> arguments;
  std::vector<std::string> copies;       // files of testdata, put next to the others under their last name
  std::vector<std::string> directories;  // made before the run
  std::string stdin_content;
  std::string stdout_to;                               // a device; empty: captured
  std::vector<std::string> closed;                     // standard streams that the program starts without
  std::optional<std::uint64_t> file_size_limit_bytes;  // as if the disk were full beyond it
  Outcome expected;
  std::set<std::string> excerpts;  // of "stdout" and "file NAME" those of which `expected` has an excerpt
};

// Throw std::runtime_error if the file is not a case.
Case read_case(const std::filesystem::path& path);
// The case with another expectation, which has excerpts where the case's own has. Output without a final newline is marked.
std::string print_case(const Case& given, const Outcome& expected);
// The outcome, shortened to the case's excerpts where these hold. Where one does not, it is renewed; or lines of it are gone:
// they are added to `gone`, and the output stays whole. Equals the expected outcome exactly if the case passes.
Outcome shorten(const Case& given, Outcome outcome, std::vector<std::string>& gone);
// Throws std::runtime_error if something does not end in a newline: a case cannot expect that.
void require_ends_of_lines(const Outcome& outcome);

// The files that a case gives, by name.
std::map<std::string, std::string> given_files(const Case& given);

}  // namespace golden
