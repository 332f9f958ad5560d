// Messages of a command on standard error other than errors: none with --quiet; otherwise warnings and, on a terminal, progress;
// with --verbose also each step and its time.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut {

enum class Verbosity { Normal, Quiet, Verbose };

// Sets the messages that the stream gets from now on.
void set_verbosity(std::ostream& err, Verbosity verbosity);

// Prints a warning about a file, unless the stream is quiet. Lines after the text's first one are indented.
void warn(std::ostream& err, std::string_view file_name, std::string_view text);

// The same for warnings some of which may be alike, in one line each.
void warn_of_all(std::ostream& err, std::string_view file_name, const std::vector<std::string>& texts);

// The number of warnings so far, including those that a quiet stream did not get.
std::size_t warnings_so_far();

// Whether warnings are errors (--strict).
void set_strict(bool is_strict);
bool must_fail_for(std::size_t warnings);

// Failure (No) of --strict, before anything is written.
Failure warnings_are_errors(std::size_t warnings);

// Prints a message that is not an error, unless the stream is quiet.
void print_message(std::ostream& err, std::string_view text);

// Measures a step of a command, from its construction.
class Stopwatch {
 public:
  explicit Stopwatch(std::ostream& err);
  // If the stream is verbose, prints the step and its time.
  void done(std::string_view what) const;

 private:
  std::ostream& err_;
  std::chrono::steady_clock::time_point begin_;
};

// A line of a terminal that is overwritten, and cleared at the end. Shows nothing if `err` is quiet or not a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(std::ostream& err);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  // Shows the text, which must be printable, unless the last one is too recent to have been read.
  void show(const std::function<std::string()>& make_text);
  void show(const std::string& text) { show([&] { return text; }); }
  // Clears it for other output; the next text is shown at once.
  void clear();

 private:
  void command(std::string_view text);

  std::ostream& err_;
  bool shows_progress_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace fxcut
