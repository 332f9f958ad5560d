// Ways to need less memory than a decision, and their costs, for the terminal and the page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/int128.h"
#include "report/report.h"

namespace fxcut {

// A decision within a limit of held bytes.
struct WayOut {
  Int128 peak_bytes = 0;        // of the compiled code if the report has it, otherwise of the operators
  std::int64_t held_bytes = 0;  // totals.saved_bytes_not_static, and the limit
  double more_ms = 0;           // the step's additional time, compared with the decision
};

// Another way to need less.
struct Advice {
  std::string effect;   // "7.5 GB less for about 5.0 ms more: ..."
  std::string command;  // applies it
};

struct HoldingLess {
  std::string command;        // decides as before, but without memory limits
  std::vector<WayOut> ways;   // each with less memory than the one before
  std::vector<Advice> advice;
};

// The section of the terminal's report; empty if there is nothing.
std::string show_holding_less(const HoldingLess& less, const Report& report);

// The command that makes the decision.
std::string command_of(const HoldingLess& less, const WayOut& way);

// "+5.0 ms (+0.5 %)": by how much a step is longer than the one that the report has.
std::string show_more_time(double more_ms, const Report& report);

}  // namespace fxcut
