#include "cli/narration.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <iostream>

#include "cli/printable_stream.h"
#include "text/folded_texts.h"
#include "text/printable.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

using Clock = std::chrono::steady_clock;

// A place in every stream for its verbosity.
int verbosity_index() {
  static const int index = std::ios_base::xalloc();
  return index;
}

Verbosity verbosity_of(std::ostream& err) { return static_cast<Verbosity>(err.iword(verbosity_index())); }

std::atomic<std::size_t>& num_warnings() {
  static std::atomic<std::size_t> number;
  return number;
}

bool& strict() {
  static bool is_strict;
  return is_strict;
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

bool shows_progress(std::ostream& err) {
  return verbosity_of(err) != Verbosity::Quiet && err.rdbuf() == std::cerr.rdbuf() && isatty(STDERR_FILENO) == 1;
}

}  // namespace

void set_verbosity(std::ostream& err, Verbosity verbosity) {
  err.iword(verbosity_index()) = static_cast<long>(verbosity);
}

void warn(std::ostream& err, std::string_view file_name, std::string_view text) {
  ++num_warnings();
  if (verbosity_of(err) == Verbosity::Quiet) return;
  err << fmt::format("fxcut: {}: warning: {}\n", printable(file_name), printable_paragraph(text));
}

void warn_of_all(std::ostream& err, std::string_view file_name, const std::vector<std::string>& texts) {
  std::vector<AlikeText> alike;
  for (const std::string& text : texts) alike.push_back({text, without_node_names(text)});
  for (const std::string& text : folded_texts(alike)) warn(err, file_name, text);
}

void set_strict(bool is_strict) { strict() = is_strict; }

bool must_fail_for(std::size_t warnings) { return strict() && warnings > 0; }

Failure warnings_are_errors(std::size_t warnings) {
  return Failure(ExitStatus::No, fmt::format("{} with --strict: nothing is written", show_count(warnings, "warning")));
}

std::size_t warnings_so_far() { return num_warnings(); }

void print_message(std::ostream& err, std::string_view text) {
  if (verbosity_of(err) != Verbosity::Quiet) err << text;
}

Stopwatch::Stopwatch(std::ostream& err) : err_(err), begin_(Clock::now()) {}

void Stopwatch::done(std::string_view what) const {
  if (verbosity_of(err_) != Verbosity::Verbose) return;
  err_ << fmt::format("fxcut: {} in {:.2f} s\n", printable(what), seconds_since(begin_)) << std::flush;
}

ProgressLine::ProgressLine(std::ostream& err) : err_(err), shows_progress_(shows_progress(err)), last_(Clock::now()) {}

ProgressLine::~ProgressLine() { clear(); }

// Bypasses PrintableStream, which would escape the command.
void ProgressLine::command(std::string_view text) {
  std::ostream(PrintableStream::former_buffer(err_)) << text << std::flush;
}

void ProgressLine::clear() {
  if (is_shown_) command("\r\033[K");
  if (is_shown_) last_ = {};
  is_shown_ = false;
}

void ProgressLine::show(const std::function<std::string()>& make_text) {
  constexpr double kReadableSeconds = 0.2;
  if (!shows_progress_ || seconds_since(last_) < kReadableSeconds) return;
  command("\r\033[K" + make_text());
  is_shown_ = true;
  last_ = Clock::now();
}

}  // namespace fxcut
