#include <fmt/format.h>

#include <algorithm>

#include "compiled/alive_rows.h"
#include "compiled/show_compiled.h"
#include "compiled/shown_bytes.h"
#include "text/printable.h"
#include "text/table.h"
#include "text/text_style.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxNotesShown = 20;
constexpr std::size_t kWidestName = 40;  // of a kernel: fused kernels' names list everything they fuse

std::string cut_off(std::string text) {
  if (text.size() <= kWidestName) return text;
  text.resize(kWidestName - 3);
  return text + "...";
}

std::string shape_text(const std::optional<Extents>& shape) {
  return shape ? fmt::format("[{}]", fmt::join(*shape, ", ")) : "?";
}

std::string sides_text(const StepMemory& step) {
  if (step.has_forward && step.has_backward) return "forward and backward";
  if (step.has_backward) return "the backward alone: its inputs, except for primals, count as saved for it";
  return std::string(step.moments.empty() ? "a graph" : name_of(step.moments.front().side)) + " alone";
}

std::string peak_text(const StepMemory& step) {
  std::string text = fmt::format("peak         {:>8}", shown(step.peak_bytes()));
  if (step.moments.empty()) return text + "\n";
  const Moment& at = step.moments[step.peak_at];
  return text + fmt::format("  in the {}, at line {}: {}\n", name_of(at.side), at.line, cut_off(printable(at.text)));
}

std::string_view phrase_for(AliveKind kind) {
  constexpr std::string_view kPhrases[] = {"for the backward; another decision may recompute them",
                                           "gradients and outputs, which outlive the step", "gradients that enter the backward",
                                           "of kernels, for themselves", "until their last use"};
  return kPhrases[static_cast<std::size_t>(kind)];
}

std::string_view title_of(AliveKind kind) {
  constexpr std::string_view kTitles[] = {"saved", "results", "tangents", "workspaces", "temporary"};
  return kTitles[static_cast<std::size_t>(kind)];
}

// The contents of the peak, by kind.
std::string kinds_text(const StepMemory& step) {
  std::string text;
  for (const KindAtPeak& row : kinds_at_peak(step)) {
    const double share = 100 * static_cast<double>(row.bytes) / static_cast<double>(std::max<Int128>(step.peak_bytes(), 1));
    text += fmt::format("  {:<10} {:>8}  {:.0f} % in {}: {}\n", title_of(row.kind), shown(row.bytes), share,
                        show_count(row.blocks, "block"), phrase_for(row.kind));
  }
  return text;
}

struct Saved {
  Int128 bytes = 0;
  std::size_t values = 0;
};

Saved saved_by(const StepMemory& step) {
  Saved saved;
  for (const MemoryBlock& block : step.blocks) {
    if (block.saved_as.empty() || !step.is_counted(block)) continue;
    saved.bytes += step.taken_bytes(block);
    ++saved.values;
  }
  return saved;
}

std::string head_text(const StepMemory& step) {
  std::string text = fmt::format("{} {}: {}\n\n", printable(step.file), printable(step.name), sides_text(step));
  text += peak_text(step) + kinds_text(step);
  if (step.has_forward && step.has_backward) {
    const Saved saved = saved_by(step);
    text += fmt::format("forward      {:>8}  at its peak\n", shown(step.forward_peak_bytes));
    text += fmt::format("between      {:>8}  of these {} in {} {} saved for the backward\n", shown(step.between_bytes),
                        shown(saved.bytes), saved.values, saved.values == 1 ? "storage" : "storages");
    text += fmt::format("backward     {:>8}  at its peak\n", shown(step.backward_peak_bytes));
  }
  if (step.peak_call) {
    const OperatorCall& call = step.calls[*step.peak_call];
    const Moment& at = step.moments[call.moment];
    text += fmt::format("workspaces   {:>8}  with {} that the call in the {}, at line {}, takes for itself: {}\n",
                        shown(step.bytes_in(call)), shown(call.workspace_bytes), name_of(at.side), at.line,
                        cut_off(printable(at.text)));
  }
  if (step.operators) {
    text += fmt::format("operators    {:>8}  were each operator a call of its own: forward {}, between {}, backward {}\n",
                        shown(step.operators->peak_bytes), shown(step.operators->forward_peak_bytes),
                        shown(step.operators->between_bytes), shown(step.operators->backward_peak_bytes));
  }
  return text + fmt::format("inputs       {:>8}  parameters among them; always resident, not counted\n", shown(step.input_bytes));
}

// "addmm as addmm_1" if the backward has another name for it.
std::string node_text(const MemoryBlock& block) {
  const bool is_renamed = !block.saved_as.empty() && !block.node.empty() && block.saved_as != block.node;
  if (is_renamed) return fmt::format("{} as {}", block.node, block.saved_as);
  return block.node.empty() ? block.saved_as : block.node;
}

std::string alive_text(const StepMemory& step) {
  std::vector<std::vector<std::string>> rows = {
      {"BYTES", "", "", "ALIVE AT THE PEAK", "DTYPE", "SHAPE", "MADE BY", "NODE", "WHERE"}};
  const std::vector<std::vector<std::size_t>> alike = alike_at_peak(step);
  const std::size_t most = text_style().limit.value_or(kMaxBlocksShown), some = std::min(alike.size(), most);
  for (std::size_t i = 0; i < some; ++i) {
    const MemoryBlock& block = step.blocks[alike[i].front()];
    const std::size_t blocks = alike[i].size();
    rows.push_back({shown(static_cast<Int128>(*block.size_bytes) * static_cast<Int128>(blocks)),
                    blocks > 1 ? fmt::format("x{}", blocks) : "", std::string(title_of(kind_of(step, block))),
                    cut_off(fmt::format("{}", fmt::join(block.names, "="))), block.dtype ? std::string(block.dtype->name) : "?",
                    shape_text(block.shape), cut_off(block.made_by), node_text(block), block.source});
  }
  std::string text = "\n" + show_columns(rows, "rllllllll");
  if (alike.size() > some) text += fmt::format("... and {} more\n", alike.size() - some);
  return text;
}

std::string notes_text(const StepMemory& step) {
  if (step.notes.empty()) return "";
  std::string text = "\n";
  for (std::size_t i = 0; i < std::min(step.notes.size(), kMaxNotesShown); ++i) {
    text += fmt::format("line {}: {}\n", step.notes[i].line, printable(step.notes[i].text));
  }
  if (step.notes.size() > kMaxNotesShown) {
    text += fmt::format("... and {} more, which --format json lists\n", step.notes.size() - kMaxNotesShown);
  }
  return text;
}

}  // namespace

std::string compiled_memory_text(const CompiledMemory& memory) {
  std::string text;
  for (const StepMemory& step : memory.steps) {
    text += (text.empty() ? "" : "\n\n") + head_text(step) + alive_text(step) + notes_text(step);
  }
  for (const std::string& note : memory.notes) text += printable(note) + "\n";
  if (memory.recorded) text += "\n\n" + recorded_memory_text(*memory.recorded, memory.steps);
  return text;
}

}  // namespace fxcut
