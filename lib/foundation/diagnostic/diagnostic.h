// What can go wrong, as values: a mistake of the user's has a place, an expectation and often a suggestion, and several
// are collected before they are thrown once. A broken invariant of ours is another type (InternalError).
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

struct Diagnostic {
  std::string place;         // "graph.json:12:34: /nodes/7/args/0 (node 'add_3')"; empty for the command line
  std::string message;       // what is wrong and what was expected
  std::string hint;          // what to do; may be empty
  std::string excerpt = {};  // the line of the file, and below it a caret (text/excerpt.h); may be empty
};

// "a, b, c": the names of nodes in a message; of many the first, and how many more there are.
std::string list_names(const std::vector<std::string>& names);

// "PLACE: error: MESSAGE" and, where there are any, below it the excerpt and the hint. Names come from files: what a terminal
// would take for a command is written as an escape.
std::string to_string(const Diagnostic& diagnostic);

// How a run ends, as the process's exit status.
enum class ExitStatus {
  Done = 0,
  No = 1,            // it ran, and the answer is no
  Usage = 2,         // wrong options or settings
  BadInput = 3,      // a graph or configuration that cannot be read
  NoPartition = 4,   // no finite cut, or policies that contradict each other
  FileTrouble = 5,   // a file that cannot be read or written
  Internal = 70,     // a bug of ours (EX_SOFTWARE of sysexits.h)
};

// The user's mistakes, all that were found.
class Failure : public std::exception {
 public:
  Failure(ExitStatus status, std::vector<Diagnostic> diagnostics);
  Failure(ExitStatus status, std::string message, std::string hint = {});

  // Each diagnostic behind the program's name, as standard error shows them.
  const char* what() const noexcept override { return text_.c_str(); }
  ExitStatus status() const { return status_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  ExitStatus status_;
  std::vector<Diagnostic> diagnostics_;
  std::string text_;
};

// An invariant of this program's own that does not hold.
class InternalError : public std::exception {
 public:
  explicit InternalError(std::string what) : what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

// The candidate nearest to `word`: at most a third of its letters changed, added, dropped or swapped with a neighbour;
// else the first that begins with it. Empty where none is near. Ties go to the first.
std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates);

// "did you mean 'X'?", or nothing where no candidate is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

// The same where one is near; else "known are a, b, c".
std::string did_you_mean_or_known(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace fxcut
