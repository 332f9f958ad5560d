// The time of each pass of a command, for --time-stages.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

class PassClock {
 public:
  // Adds the time since the last pass, or since the clock's construction, to the pass.
  void done(std::string_view pass);

  // The passes in their first order, and the sums: as a table, or a line of JSON (schemas/stage_times.schema.json).
  std::string table() const;
  std::string json() const;

 private:
  using Clock = std::chrono::steady_clock;

  // The time, the CPU time and the peak memory of the process.
  struct Reading {
    Clock::time_point time;
    double cpu_seconds;
    std::int64_t peak_bytes;
  };
  struct Row {
    std::string pass;
    double seconds = 0;
    double cpu_seconds = 0;
    std::int64_t peak_bytes = 0;  // when it was done
  };
  static Reading read();
  Row total() const;

  Reading last_ = read();
  std::vector<Row> rows_;
};

}  // namespace fxcut
