#include "cli/stop_signals.h"

#include <unistd.h>

#include <csignal>
#include <initializer_list>
#include <string_view>

namespace fxcut {
namespace {

// Files are put in place as a whole while signals wait (write/held_signals.h), so this is true whenever it comes.
constexpr std::string_view kAllOrNothing = "; its files are there as a whole, or not at all\n";

// Only what a handler of signals may call.
void tell(std::string_view text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

// The signal itself ends the program once the handler returns, so that a shell sees it.
void tell_and_end(int signal) {
  tell("fxcut: stopped by ");
  tell(signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "SIGHUP");
  tell(kAllOrNothing);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void tell_of_stop_signals() {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    if (std::signal(signal, tell_and_end) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

}  // namespace fxcut
