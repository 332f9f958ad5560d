#include "batch/stop_signals.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace fxcut {
namespace {

volatile std::sig_atomic_t stopped_by = 0;

void stop(int signal) { stopped_by = signal; }

}  // namespace

StopSignals::StopSignals() {
  stopped_by = 0;
  sigemptyset(&stops_);
  struct sigaction action {};
  action.sa_handler = stop;
  for (const int signal : kStops) sigaddset(&stops_, signal);
  sigprocmask(SIG_BLOCK, &stops_, &mask_before_);
  waiting_mask_ = mask_before_;
  for (std::size_t i = 0; i < kCount; ++i) {
    sigdelset(&waiting_mask_, kStops[i]);
    sigaction(kStops[i], nullptr, &actions_before_[i]);
    const bool is_ignored = actions_before_[i].sa_handler == SIG_IGN;  // by nohup, or a shell's "&"
    if (!is_ignored) sigaction(kStops[i], &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < kCount; ++i) sigaction(kStops[i], &actions_before_[i], nullptr);
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

int StopSignals::caught() const {
  const timespec at_once{};
  ppoll(nullptr, 0, &at_once, &waiting_mask_);  // receives a pending one
  return stopped_by;
}

void StopSignals::wait(std::vector<pollfd>& descriptors) const {
  ppoll(descriptors.data(), static_cast<nfds_t>(descriptors.size()), nullptr, &waiting_mask_);
}

// A ready descriptor accepts at least PIPE_BUF bytes of a single writer. If it accepts less, as a terminal or a pipe with several
// writers may, the write itself waits until a signal ends it.
bool StopSignals::write(int descriptor, std::string_view text) const {
  const timespec at_once{};
  while (!text.empty()) {
    pollfd room{descriptor, POLLOUT, 0};
    const bool is_stopped = caught() != 0;
    const int ready = ppoll(&room, 1, is_stopped ? &at_once : nullptr, &waiting_mask_);
    if (ready <= 0 && is_stopped) return false;
    if (ready < 0 && errno == EINTR) continue;
    sigprocmask(SIG_UNBLOCK, &stops_, nullptr);
    const ssize_t written = ::write(descriptor, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
    const int error = errno;
    sigprocmask(SIG_BLOCK, &stops_, nullptr);
    if (written >= 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && error != EINTR && error != EAGAIN) return false;
  }
  return true;
}

void StopSignals::ignore_in_child() const {
  for (const int signal : kStops) std::signal(signal, SIG_IGN);
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

}  // namespace fxcut
