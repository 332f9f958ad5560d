// Where the time of a command goes, stage by stage.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

class StageClock {
 public:
  // The stage took the time since the last one was done, or since the clock was made. A stage may be done several
  // times.
  void done(std::string_view stage);

  // The stages in the order in which each was done first, and their sums: as a table, or as one line of JSON
  // (schemas/stage_times.schema.json).
  std::string table() const;
  std::string json() const;

 private:
  using Clock = std::chrono::steady_clock;

  // Of a process: its time so far, that of all its processors, and the most memory that it has had.
  struct Reading {
    Clock::time_point time;
    double cpu_seconds;
    std::int64_t peak_bytes;
  };
  struct Row {
    std::string stage;
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
