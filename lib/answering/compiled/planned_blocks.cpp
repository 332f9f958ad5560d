#include "compiled/planned_blocks.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "graph/device_blocks.h"

namespace fxcut {
namespace {

struct CodeLine {
  std::size_t step = 0, line = 0;
  auto operator<=>(const CodeLine&) const = default;
};

std::string_view last_part(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

class Matching {
 public:
  explicit Matching(std::span<const StepMemory> steps) : steps_(steps) {
    for (std::size_t s = 0; s < steps.size(); ++s) add(s);
  }

  MatchedBlock match(const RecordedBlock& block) {
    for (std::size_t f = 0; f < block.frames.size(); ++f) {
      if (const auto at = code_line_of(block.frames[f])) return in_code(block, *at, f);
    }
    MatchedBlock found = elsewhere(block);
    if (!lines_are_known_) take_by_size(block, found);
    return found;
  }

  // Finds out whether the stacks of these blocks have lines of the code.
  void look_for_lines(const std::vector<RecordedBlock>& blocks) {
    lines_are_known_ = std::ranges::any_of(blocks, [&](const RecordedBlock& block) {
      return std::ranges::any_of(block.frames, [&](const StackFrame& frame) { return code_line_of(frame).has_value(); });
    });
  }

 private:
  struct Planned {
    std::size_t step, block;
  };

  void add(std::size_t s) {
    const StepMemory& step = steps_[s];
    for (const CodeFile& code : step.code_files) {
      if (!code.path.empty()) codes_.emplace(last_part(code.path), std::pair(s, code.first_line));
    }
    const std::set<std::size_t> at_peak(step.at_peak.begin(), step.at_peak.end());
    for (const std::size_t b : step.at_peak) add_size(s, b);
    for (std::size_t b = 0; b < step.blocks.size(); ++b) {
      const MemoryBlock& block = step.blocks[b];
      if (!step.is_counted(block)) continue;
      if (!at_peak.contains(b)) add_size(s, b);
      if (block.first < step.moments.size()) by_line_[{s, step.moments[block.first].line}].push_back({s, b});
    }
  }

  void add_size(std::size_t s, std::size_t b) {
    if (const auto size = steps_[s].blocks[b].size_bytes) by_size_.emplace(rounded_as_allocated(*size), Planned{s, b});
  }

  std::optional<CodeLine> code_line_of(const StackFrame& frame) const {
    const auto [begin, end] = codes_.equal_range(last_part(frame.file));
    if (begin == end || frame.line == 0) return std::nullopt;
    for (auto code = begin; code != end; ++code) {  // of one file, several codes
      const CodeLine at{code->second.first, frame.line + code->second.second - 1};
      if (by_line_.contains(at)) return at;
    }
    return CodeLine{begin->second.first, frame.line + begin->second.second - 1};
  }

  MatchedBlock in_code(const RecordedBlock& block, const CodeLine& at, std::size_t frame) const {
    MatchedBlock found{RecordedKind::Workspace, at.step, 0, at.line, frame};
    const auto line = by_line_.find(at);
    if (line == by_line_.end()) return found;
    for (const auto& [s, b] : line->second) {
      const auto size = steps_[s].blocks[b].size_bytes;
      if (size && rounded_as_allocated(*size) != rounded_as_allocated(block.size_bytes)) continue;
      found.kind = RecordedKind::PlannedByLine;
      found.block = b;
      return found;
    }
    return found;
  }

  static MatchedBlock elsewhere(const RecordedBlock& block) {
    MatchedBlock found;
    for (std::size_t f = 0; f < block.frames.size(); ++f) {
      const std::string& file = block.frames[f].file;
      if (!file.ends_with(".py")) continue;  // of C++, or of no file
      if (!found.frame) found.frame = f;
      if (file.find("torch/optim/") != std::string::npos) found.kind = RecordedKind::Optimizer;
    }
    if (block.was_there_before && found.kind == RecordedKind::Other) found.kind = RecordedKind::Before;
    return found;
  }

  void take_by_size(const RecordedBlock& block, MatchedBlock& found) {
    if (found.kind != RecordedKind::Other) return;
    const std::int64_t size = rounded_as_allocated(block.size_bytes);
    const auto planned = by_size_.lower_bound(size);  // the first of several
    if (planned == by_size_.end() || planned->first != size) return;
    const auto [s, b] = planned->second;
    by_size_.erase(planned);
    const MemoryBlock& of_plan = steps_[s].blocks[b];
    const std::size_t line = of_plan.first < steps_[s].moments.size() ? steps_[s].moments[of_plan.first].line : 0;
    found = {RecordedKind::PlannedBySize, s, b, line, found.frame};
  }

  std::span<const StepMemory> steps_;
  std::multimap<std::string, std::pair<std::size_t, std::size_t>, std::less<>> codes_;  // by name: step and first line
  std::map<CodeLine, std::vector<Planned>> by_line_;
  std::multimap<std::int64_t, Planned> by_size_;
  bool lines_are_known_ = false;
};

}  // namespace

std::string_view name_of(RecordedKind kind) {
  constexpr std::string_view kNames[] = {"planned, by its line", "planned, by its size", "workspace",
                                         "optimizer",            "before the recording", "other"};
  return kNames[static_cast<std::size_t>(kind)];
}

RecordedMemory match_with_plan(std::string file, RecordedPeak peak, std::span<const StepMemory> steps) {
  Matching matching(steps);
  matching.look_for_lines(peak.blocks);
  RecordedMemory memory{std::move(file), std::move(peak), {}};
  for (const RecordedBlock& block : memory.peak.blocks) memory.matches.push_back(matching.match(block));
  return memory;
}

}  // namespace fxcut
