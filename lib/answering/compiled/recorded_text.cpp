#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "compiled/planned_blocks.h"
#include "compiled/shown_bytes.h"
#include "text/printable.h"
#include "text/table.h"
#include "text/text_style.h"

namespace fxcut {
namespace {

struct Sum {
  Int128 bytes = 0;
  std::size_t blocks = 0;

  void add(const RecordedBlock& block) {
    bytes += block.size_bytes;
    ++blocks;
  }
};

std::string in_blocks(const Sum& sum) { return fmt::format("{:>8}  in {}", shown(sum.bytes), show_count(sum.blocks, "block")); }

std::string head_text(const RecordedMemory& memory) {
  Sum planned, by_size, rest;
  for (std::size_t i = 0; i < memory.matches.size(); ++i) {
    (memory.matches[i].is_planned() ? planned : rest).add(memory.peak.blocks[i]);
    if (memory.matches[i].kind == RecordedKind::PlannedBySize) by_size.add(memory.peak.blocks[i]);
  }
  std::string text = fmt::format("{}: recorded on device {}\n\n", printable(memory.file), memory.peak.device);
  text += fmt::format("peak         {:>8}  in use, of {} that the allocator had reserved\n", shown(memory.peak.bytes),
                      shown(memory.peak.reserved_bytes));
  text += "  planned    " + in_blocks(planned);
  if (by_size.blocks != 0) text += ", known by their sizes alone: no stack has a line of the code";
  return text + "\n  not        " + in_blocks(rest) + "\n";
}

std::string more(std::size_t all, std::size_t most) {
  return all > most ? fmt::format("... and {} more, which --format json lists\n", all - most) : "";
}

std::string planned_text(const RecordedMemory& memory, std::span<const StepMemory> steps, std::size_t most) {
  std::vector<std::vector<std::string>> rows = {{"PLANNED", "BYTES", "STEP", "LINE", "MADE BY", "NODE", "SAVED AS", "WHERE"}};
  std::size_t all = 0;
  for (std::size_t i = 0; i < memory.matches.size(); ++i) {
    const MatchedBlock& match = memory.matches[i];
    if (!match.is_planned() || all++ >= most) continue;
    const StepMemory& step = steps[match.step];
    const MemoryBlock& block = step.blocks[match.block];
    rows.push_back({fmt::format("{}", fmt::join(block.names, "=")), shown(memory.peak.blocks[i].size_bytes), step.name,
                    std::to_string(match.line), block.made_by, block.node, block.saved_as, block.source});
  }
  return all == 0 ? "" : "\n" + show_columns_within(rows, "lrlrllll") + more(all, most);
}

std::string where(const RecordedBlock& block, const MatchedBlock& match) {
  if (!match.frame) return "";
  const StackFrame& frame = block.frames[*match.frame];
  return fmt::format("{}:{} {}", frame.file, frame.line, frame.function);
}

// One row per kind and frame.
std::string rest_text(const RecordedMemory& memory, std::size_t most) {
  std::map<std::tuple<RecordedKind, std::string>, Sum> by_frame;
  for (std::size_t i = 0; i < memory.matches.size(); ++i) {
    const MatchedBlock& match = memory.matches[i];
    if (!match.is_planned()) by_frame[{match.kind, where(memory.peak.blocks[i], match)}].add(memory.peak.blocks[i]);
  }
  std::vector<std::pair<std::tuple<RecordedKind, std::string>, Sum>> frames(by_frame.begin(), by_frame.end());
  std::ranges::stable_sort(frames, std::greater{}, [](const auto& frame) { return frame.second.bytes; });
  std::vector<std::vector<std::string>> rows = {{"NOT PLANNED", "BYTES", "BLOCKS", "ALLOCATED IN"}};
  for (const auto& [frame, sum] : frames) {
    if (rows.size() > most) break;
    rows.push_back({std::string(name_of(std::get<0>(frame))), shown(sum.bytes), std::to_string(sum.blocks), std::get<1>(frame)});
  }
  return frames.empty() ? "" : "\n" + show_columns_within(rows, "lrrl") + more(frames.size(), most);
}

}  // namespace

std::string recorded_memory_text(const RecordedMemory& memory, std::span<const StepMemory> steps) {
  const std::size_t most = text_style().limit.value_or(kMaxBlocksShown);
  return head_text(memory) + planned_text(memory, steps, most) + rest_text(memory, most);
}

}  // namespace fxcut
