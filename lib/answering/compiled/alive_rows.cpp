#include "compiled/alive_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>

namespace fxcut {
namespace {

std::string shown_alike(const StepMemory& step, const MemoryBlock& block) {
  const std::string shape = block.shape ? fmt::format("{}", fmt::join(*block.shape, ",")) : "?";
  return fmt::format("{}|{}|{}|{}|{}|{}|{}", static_cast<int>(kind_of(step, block)), *block.size_bytes,
                     block.dtype ? block.dtype->name : "?", shape, block.made_by, block.source,
                     block.first < step.moments.size() ? name_of(step.moments[block.first].side) : "");
}

}  // namespace

AliveKind kind_of(const StepMemory& step, const MemoryBlock& block) {
  if (block.kind == BlockKind::Tangent) return AliveKind::Tangent;
  if (block.kind == BlockKind::Workspace) return AliveKind::Workspace;
  if (!block.saved_as.empty()) return AliveKind::Saved;
  const bool is_of_that_side = block.first < step.moments.size() && step.peak_at < step.moments.size() &&
                               step.moments[block.first].side == step.moments[step.peak_at].side;
  return block.last == MemoryBlock::kKept && is_of_that_side ? AliveKind::Result : AliveKind::Temporary;
}

std::vector<KindAtPeak> kinds_at_peak(const StepMemory& step) {
  constexpr AliveKind kKinds[] = {AliveKind::Saved, AliveKind::Result, AliveKind::Tangent, AliveKind::Workspace,
                                  AliveKind::Temporary};
  std::vector<KindAtPeak> kinds;
  for (const AliveKind kind : kKinds) {
    KindAtPeak row{kind};
    for (const std::size_t b : step.at_peak) {
      if (kind_of(step, step.blocks[b]) != kind) continue;
      row.bytes += step.taken_bytes(step.blocks[b]);
      ++row.blocks;
    }
    if (row.blocks > 0) kinds.push_back(row);
  }
  return kinds;
}

std::vector<std::vector<std::size_t>> alike_at_peak(const StepMemory& step) {
  std::vector<std::vector<std::size_t>> rows;
  std::unordered_map<std::string, std::size_t> row_of;
  for (const std::size_t b : step.at_peak) {
    const auto [row, is_new] = row_of.emplace(shown_alike(step, step.blocks[b]), rows.size());
    if (is_new) rows.emplace_back();
    rows[row->second].push_back(b);
  }
  const auto bytes = [&](const std::vector<std::size_t>& row) {
    return static_cast<Int128>(*step.blocks[row.front()].size_bytes) * static_cast<Int128>(row.size());
  };
  std::ranges::stable_sort(rows, [&](const auto& a, const auto& b) { return bytes(a) > bytes(b); });
  return rows;
}

}  // namespace fxcut
