#include "cli/search_clock.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <string>

#include "cli/narration.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

using Clock = std::chrono::steady_clock;

struct sigaction before;
volatile std::sig_atomic_t has_come = 0;

void note(int signal) {
  has_come = 1;
  ::sigaction(signal, &before, nullptr);
}

// While it exists, SIGINT is noted, so that the search ends with its best decision; a second one has its former effect. If it
// was ignored, it still is.
class NotedInterrupt {
 public:
  NotedInterrupt() {
    has_come = 0;
    struct sigaction noting {};
    noting.sa_handler = note;
    noting.sa_flags = SA_RESTART;
    if (::sigaction(SIGINT, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) return;
    is_noted_ = ::sigaction(SIGINT, &noting, nullptr) == 0;
  }
  NotedInterrupt(const NotedInterrupt&) = delete;
  NotedInterrupt& operator=(const NotedInterrupt&) = delete;
  ~NotedInterrupt() {
    if (is_noted_) ::sigaction(SIGINT, &before, nullptr);
  }

  bool came() const { return has_come != 0; }

 private:
  bool is_noted_ = false;
};

std::string show(double seconds, std::optional<double> limit) {
  const std::string spent = fmt::format("fxcut: searching for a better decision: {:.0f}", seconds);
  return limit ? fmt::format("{} of {} s", spent, *limit) : spent + " s; ^C stops and keeps the best so far";
}

bool may_search(const Settings& settings) {
  return budget_solver_of(settings).is_frontier() || settings.peak_bytes_limit;
}

}  // namespace

HaltRequested start_clock(const Settings& settings, std::ostream& err) {
  return [line = std::make_shared<ProgressLine>(err), begin = Clock::now(), limit = settings.budget_time_limit] {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    line->show([&] { return show(seconds, limit); });
    return limit && seconds >= *limit ? Halt::TimeIsUp : Halt::No;
  };
}

HaltRequested start_clock_and_note_interrupts(const Settings& settings, std::ostream& err) {
  if (!may_search(settings)) return kNeverHalt;
  return [clock = start_clock(settings, err), interrupt = std::make_shared<NotedInterrupt>()] {
    return interrupt->came() ? Halt::Interrupted : clock();
  };
}

}  // namespace fxcut
