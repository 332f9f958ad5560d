#include "system/held_signals.h"

#include <algorithm>
#include <array>

namespace fxcut {
namespace {

constexpr std::array kHeld = {SIGHUP, SIGINT, SIGTERM};

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

bool is_signal_waiting() {
  sigset_t waiting;
  sigemptyset(&waiting);
  ::sigpending(&waiting);
  return std::any_of(kHeld.begin(), kHeld.end(),
                     [&](int signal) { return sigismember(&waiting, signal) == 1 && !is_ignored(signal); });
}

HeldSignals::HeldSignals() {
  sigset_t held;
  sigemptyset(&held);
  for (const int signal : kHeld) sigaddset(&held, signal);
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace fxcut
