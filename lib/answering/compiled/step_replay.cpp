#include "compiled/step_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "compiled/side_replay.h"
#include "diagnostic/diagnostic.h"
#include "graph/device_blocks.h"

namespace fxcut {
namespace {

// Code that was read, and the values of its graph.
struct ReadCode {
  explicit ReadCode(const CompiledCode& of) : code(of), wrapper(read_wrapper(of)), facts(of.graph, of.file, of.hints) {}

  SideCode side() const { return {code, wrapper, facts}; }
  const std::vector<std::string>& inputs() const { return wrapper.functions.at("call").inputs; }

  const CompiledCode& code;
  WrapperCode wrapper;
  GraphFacts facts;
};

// torch/_functorch/partitioners.py, _is_tangent, _is_bwd_seed_offset.
bool comes_with_backward(std::string_view name) { return name.starts_with("tangents") || name.starts_with("bwd_"); }

class StepRun {
 public:
  StepRun(const ReadCode* forward, const ReadCode* backward) : forward_(forward), backward_(backward) {}

  StepMemory run() {
    std::vector<Object> saved;
    if (forward_) saved = run_forward();
    step_.has_forward = forward_ != nullptr;
    step_.has_backward = backward_ != nullptr;
    if (forward_) step_.joint = forward_->code.joint;
    begin_of_backward_ = ledger_.moments.size();
    if (backward_) run_backward(std::move(saved));
    ledger_.is_closed = true;
    kept_.clear();
    step_.moments = std::move(ledger_.moments);
    step_.blocks = std::move(ledger_.blocks);
    step_.calls = std::move(ledger_.calls);
    add_up();
    return std::move(step_);
  }

 private:
  // Returns the objects for the backward, by its inputs; empty if they are unknown.
  std::vector<Object> run_forward() {
    add_notes(*forward_);
    std::vector<Object> inputs = make_inputs(*forward_, BlockKind::Input);
    keep(inputs);
    std::vector<Object> outputs = run_side(forward_->side(), std::move(inputs), ledger_, step_.notes);
    return backward_ ? hand_over(std::move(outputs)) : (keep(outputs), std::vector<Object>());
  }

  // The forward's last outputs are the backward's first inputs, except that sizes are last among the outputs and first among
  // the inputs. The caller keeps the other outputs.
  std::vector<Object> hand_over(std::vector<Object> outputs) {
    const std::vector<std::string>& names = backward_->inputs();
    const auto crossing = static_cast<std::size_t>(
        std::count_if(names.begin(), names.end(), [](const std::string& name) { return !comes_with_backward(name); }));
    if (crossing > outputs.size()) {
      step_.notes.push_back({0, "the backward takes more than the forward returns: they do not belong together"});
      return keep(outputs), std::vector<Object>();
    }
    const std::size_t first = outputs.size() - crossing;
    const auto begin = outputs.begin() + static_cast<std::ptrdiff_t>(first);
    const auto is_size = [](const Object& object) { return object.kind == Object::Kind::Number; };
    keep({outputs.begin(), begin});
    std::stable_partition(begin, outputs.end(), is_size);
    outputs.erase(outputs.begin(), begin);
    name_saved(outputs, names);
    return outputs;
  }

  void name_saved(const std::vector<Object>& saved, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < saved.size(); ++i) {
      if (!saved[i].memory) continue;
      MemoryBlock& block = saved[i].memory->block();
      if (block.saved_as.empty()) block.saved_as = names[i];
      const GraphValue* const value = forward_->facts.find(names[i]);
      if (!value || !block.node.empty()) continue;
      block.node = value->node;
      block.source = value->source;
    }
  }

  void run_backward(std::vector<Object> saved) {
    add_notes(*backward_);
    const std::vector<std::string>& names = backward_->inputs();
    step_.saved = names;
    std::erase_if(step_.saved, [](const std::string& name) { return comes_with_backward(name); });
    std::vector<Object> inputs;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i < saved.size()) {
        inputs.push_back(std::move(saved[i]));
      } else if (comes_with_backward(names[i])) {
        inputs.push_back(make_input(backward_->side(), names[i], BlockKind::Tangent, ledger_));
      } else {
        inputs.push_back(make_saved(names[i]));
      }
    }
    saved.clear();
    keep(run_side(backward_->side(), std::move(inputs), ledger_, step_.notes));
  }

  // A value saved by a missing forward: its inputs are always resident, other values belong to the backward.
  Object make_saved(const std::string& name) {
    const bool is_resident = name.starts_with("primals_");
    Object made = make_input(backward_->side(), name, is_resident ? BlockKind::Input : BlockKind::Result, ledger_);
    if (made.memory) made.memory->block().saved_as = name;
    if (is_resident) kept_.push_back(made);
    return made;
  }

  std::vector<Object> make_inputs(const ReadCode& read, BlockKind kind) {
    std::vector<Object> inputs;
    for (const std::string& name : read.inputs()) inputs.push_back(make_input(read.side(), name, kind, ledger_));
    return inputs;
  }

  void keep(const std::vector<Object>& objects) { kept_.insert(kept_.end(), objects.begin(), objects.end()); }

  void add_notes(const ReadCode& read) {
    step_.code_files.push_back({read.code.side, read.code.path, read.code.first_line});
    step_.notes.insert(step_.notes.end(), read.wrapper.notes.begin(), read.wrapper.notes.end());
    if (!read.facts.why_not().empty()) step_.notes.push_back({read.code.lines.front().begin.line, read.facts.why_not()});
  }

  void find_device() {
    step_.device = "cpu";
    for (const MemoryBlock& block : step_.blocks) {
      if (block.device.empty() || block.device == "cpu") continue;
      step_.device = block.device;
      return;
    }
  }

  void add_up() {
    find_device();
    MemoryCurve curve(step_.moments.size());
    for (const MemoryBlock& block : step_.blocks) {
      const Int128 bytes = step_.taken_bytes(block);
      if (block.kind == BlockKind::Input) step_.input_bytes += bytes;
      if (!step_.is_counted(block)) continue;
      if (!block.size_bytes) note_unknown(block);
      curve.add(bytes, block.first, block.last);
    }
    step_.curve = std::move(curve).add_up();
    for (std::size_t m = 0; m < step_.curve.size(); ++m) {
      Int128& peak = m < begin_of_backward_ ? step_.forward_peak_bytes : step_.backward_peak_bytes;
      peak = std::max(peak, step_.curve[m].bytes);
      if (step_.curve[m].bytes > step_.curve[step_.peak_at].bytes) step_.peak_at = m;
      if (m + 1 == begin_of_backward_) step_.between_bytes = step_.curve[m].bytes_after;
    }
    find_in_use_at_peak();
    find_peak_call();
  }

  void find_peak_call() {
    Int128 highest = step_.peak_bytes();
    for (std::size_t c = 0; c < step_.calls.size(); ++c) {
      if (step_.calls[c].workspace_bytes == 0 || step_.bytes_in(step_.calls[c]) <= highest) continue;
      highest = step_.bytes_in(step_.calls[c]);
      step_.peak_call = c;
    }
  }

  void note_unknown(const MemoryBlock& block) {
    ++step_.unknown_blocks;
    const std::size_t line = block.first < step_.moments.size() ? step_.moments[block.first].line : 0;
    step_.notes.push_back({line, fmt::format("size unknown, counted as nothing: {}, made by {}",
                                             block.names.empty() ? "a result without a name" : block.names.front(),
                                             block.made_by.empty() ? "nothing known" : block.made_by)});
  }

  void find_in_use_at_peak() {
    for (std::size_t b = 0; b < step_.blocks.size(); ++b) {
      const MemoryBlock& block = step_.blocks[b];
      const bool is_there = block.first <= step_.peak_at && step_.peak_at <= block.last;
      if (is_there && step_.is_counted(block) && block.size_bytes.value_or(0) > 0) step_.at_peak.push_back(b);
    }
    std::stable_sort(step_.at_peak.begin(), step_.at_peak.end(), [&](std::size_t a, std::size_t b) {
      return step_.blocks[a].size_bytes > step_.blocks[b].size_bytes;
    });
  }

  const ReadCode* forward_;
  const ReadCode* backward_;
  StepMemory step_;
  Ledger ledger_;
  std::vector<Object> kept_;  // by callers, to the end of the step
  std::size_t begin_of_backward_ = 0;
};

// Two files with only code may be the forward and backward of one step; two logs are of two processes.
bool is_backward_of(const CompiledCode& code, const CompiledCode& forward) {
  const bool are_together = code.file == forward.file || (code.compilation.empty() && forward.compilation.empty());
  return code.side == CodeSide::Backward && are_together && code.aot_id == forward.aot_id &&
         code.compilation == forward.compilation;
}

std::string name_of(const CompiledCode& code) {
  if (code.compilation.empty()) return code.aot_id.empty() ? "code" : code.aot_id;
  return code.aot_id.empty() ? code.compilation : fmt::format("{}/{}", code.compilation, code.aot_id);
}

}  // namespace

std::int64_t StepMemory::taken_bytes(const MemoryBlock& block) const {
  const std::int64_t bytes = block.size_bytes.value_or(0);
  return allocates_blocks(block.device.empty() ? device : block.device) ? rounded_as_allocated(bytes) : bytes;
}

std::vector<std::size_t> changes_of(const StepMemory& step) {
  std::vector<std::size_t> moments;
  Int128 before = 0;
  for (std::size_t m = 0; m < step.curve.size(); ++m) {
    if (step.curve[m].bytes != before || step.curve[m].bytes_after != before) moments.push_back(m);
    before = step.curve[m].bytes_after;
  }
  return moments;
}

std::string_view name_of(BlockKind kind) {
  constexpr std::string_view kWords[] = {"buffer", "result", "workspace", "input", "tangent"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string_view name_of(SizeSource source) {
  constexpr std::string_view kWords[] = {"unknown", "wrapper", "assertion", "kernel", "graph", "example"};
  return kWords[static_cast<std::size_t>(source)];
}

std::vector<StepMemory> replay_steps(const std::vector<CompiledCode>& codes) {
  std::deque<ReadCode> read;
  for (const CompiledCode& code : codes) read.emplace_back(code);
  std::vector<StepMemory> steps;
  std::vector<bool> is_done(read.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (is_done[i]) continue;
    const CompiledCode& code = read[i].code;
    const ReadCode* backward = code.side == CodeSide::Backward ? &read[i] : nullptr;
    for (std::size_t k = i + 1; k < read.size() && code.side == CodeSide::Forward && !backward; ++k) {
      if (is_done[k] || !is_backward_of(read[k].code, code)) continue;
      is_done[k] = true;
      backward = &read[k];
    }
    steps.push_back(StepRun(code.side == CodeSide::Backward ? nullptr : &read[i], backward).run());
    steps.back().name = name_of(code);
    steps.back().file = code.file;
  }
  return steps;
}

}  // namespace fxcut
