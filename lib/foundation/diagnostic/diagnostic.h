// Errors as values: a user's mistake has a place, an expectation and often a suggestion, and several are collected
// before they are thrown together. A broken invariant of ours is another type (InternalError).
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

struct Diagnostic {
  std::string place;         // "graph.json:12:34: /nodes/7/args/0 (node 'add_3')"; empty for the command line
  std::string message;       // the mistake and the expectation
  std::string hint;          // what to do; may be empty
  std::string excerpt = {};  // the line of the file, and below it a caret (text/excerpt.h); may be empty
};

// "a, b, c": the names of nodes in a message; of many the first, and the number of the others.
std::string list_names(const std::vector<std::string>& names);

// "PLACE: error: MESSAGE" and, if any, the excerpt and the hint below it. Names come from files: terminal controls are
// escaped.
std::string to_string(const Diagnostic& diagnostic);

// The result of a run, as the process's exit status.
enum class ExitStatus {
  Done = 0,
  No = 1,            // it ran, and a check failed
  Usage = 2,         // wrong options or settings
  BadInput = 3,      // a graph or configuration that cannot be read
  NoPartition = 4,   // no finite cut, or policies in conflict
  FileTrouble = 5,   // a file that cannot be read or written
  Internal = 70,     // a bug of ours (EX_SOFTWARE of sysexits.h)
};

// All mistakes of the user that were found.
class Failure : public std::exception {
 public:
  Failure(ExitStatus status, std::vector<Diagnostic> diagnostics);
  Failure(ExitStatus status, std::string message, std::string hint = {});

  // Each diagnostic after the program's name, as on standard error.
  const char* what() const noexcept override { return text_.c_str(); }
  ExitStatus status() const { return status_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  ExitStatus status_;
  std::vector<Diagnostic> diagnostics_;
  std::string text_;
};

// A broken invariant of this program.
class InternalError : public std::exception {
 public:
  explicit InternalError(std::string what) : what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

// The candidate nearest to `word`: at most a third of its letters changed, added, dropped or swapped with a neighbour;
// otherwise the first that begins with it. Empty if none is near. Ties go to the first.
std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates);

// "did you mean 'X'?", or "" if no candidate is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

// The same if one is near; otherwise "expected one of a, b, c".
std::string did_you_mean_or_known(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace fxcut
