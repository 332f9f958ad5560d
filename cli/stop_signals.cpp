#include "cli/stop_signals.h"

#include <unistd.h>

#include <csignal>
#include <initializer_list>
#include <string_view>

namespace fxcut {
namespace {

// Files are put in place as a whole while signals are held (system/held_signals.h), so this is always true.
constexpr std::string_view kAllOrNothing = "; its files are there as a whole, or not at all\n";

// May be called by a signal handler.
void write_to_stderr(std::string_view text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

// The signal itself ends the program once the handler returns, so that a shell sees it.
void print_and_exit(int signal) {
  write_to_stderr("fxcut: stopped by ");
  write_to_stderr(signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "SIGHUP");
  write_to_stderr(kAllOrNothing);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void report_stop_signals() {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    if (std::signal(signal, print_and_exit) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

}  // namespace fxcut
