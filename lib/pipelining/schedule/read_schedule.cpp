#include "schedule/read_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "text/excerpt.h"

namespace fxcut {
namespace {

constexpr std::string_view kExpected =
    "expected a stage, F, B, I, W or another of PyTorch's actions, and a microbatch, such as 2F0; or (0F1;1B0)OVERLAP_F_B";

// The position of an action in the text.
struct Cell {
  std::size_t line = 1, column = 1, offset = 0;
};

class Reading {
 public:
  Reading(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Schedule run() {
    for (std::size_t begin = 0, line = 1; begin < text_.size(); ++line) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      if (text_.find_first_not_of(" \t\r", begin) < end) read_rank(line, begin, end);
      begin = end + 1;
    }
    if (diagnostics_.empty() && schedule_.empty()) {
      diagnostics_.push_back({file_, "no actions are in this schedule", std::string(kExpected)});
    }
    if (diagnostics_.empty()) add_mistakes();
    if (!diagnostics_.empty()) throw Failure(ExitStatus::BadInput, std::move(diagnostics_));
    return std::move(schedule_);
  }

 private:
  void read_rank(std::size_t line, std::size_t begin, std::size_t end) {
    schedule_.emplace_back();
    cells_.emplace_back();
    for (std::size_t at = begin; at <= end;) {
      const std::size_t cell_end = std::min(text_.find(',', at), end);
      read_cell(text_.substr(at, cell_end - at), {line, at - begin + 1, at});
      at = cell_end + 1;
    }
    cells_.back().push_back({line, end - begin + 1, end});  // for mistakes about missing actions
  }

  void read_cell(std::string_view cell, Cell place) {
    const std::size_t blanks = std::min(cell.find_first_not_of(" \t\r"), cell.size());
    if (blanks == cell.size()) return;
    place.column += blanks;
    place.offset += blanks;
    const auto action = parse_action(cell);
    if (!action) {
      const std::size_t last = cell.find_last_not_of(" \t\r");
      return add(place, fmt::format("'{}' is not an action", cell.substr(blanks, last + 1 - blanks)), std::string(kExpected));
    }
    bool is_too_large = false;
    for_each_part(*action, [&](const Action& part) {
      is_too_large = is_too_large || part.stage >= kMaxStages || part.microbatch.value_or(0) >= kMaxStages;
    });
    if (is_too_large) {
      return add(place, fmt::format("{}: a stage or microbatch of {} or more", to_string(*action), kMaxStages),
                 "both are counted from 0");
    }
    schedule_.back().push_back(*action);
    cells_.back().push_back(place);
  }

  void add(const Cell& place, std::string message, std::string hint) {
    diagnostics_.push_back({fmt::format("{}:{}:{}", file_, place.line, place.column), std::move(message), std::move(hint),
                            excerpt(text_, place.offset)});
  }

  void add_mistakes() {
    for (ScheduleMistake& mistake : find_mistakes(schedule_)) {
      add(cells_[mistake.rank][mistake.position], fmt::format("rank {}: {}", mistake.rank, mistake.message),
          std::move(mistake.hint));
    }
  }

  std::string_view text_;
  const std::string& file_;
  Schedule schedule_;
  std::vector<std::vector<Cell>> cells_;  // by rank: of each action, and of the line's end
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace

Schedule read_schedule(std::string_view text, const std::string& file) { return Reading(text, file).run(); }

}  // namespace fxcut
