// fxcut explain --kernels: the kernels on which the step spends its time.
//
// The kernels are those that inductor is predicted to generate for the decision's forward and backward, and the report's
// step_ms is the sum of their times (inductor/kernel_times.h). Like kernels, as repeated layers have them, are one row: the
// same operators on values of the same sizes, on the same side.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "explain/alternative.h"
#include "explain/explanation.h"

namespace fxcut {

struct KernelRow {
  bool is_backward = false;
  bool is_generated = false;           // by inductor, of several operators; else a call of a library, or an operator
  std::vector<std::string> operators;  // packets, each once: "aten.mm"; of generated kernels in the order of their names
  std::string first_node;              // of the first such kernel: its last operator
  std::string dtype;                   // of that; if it has several results, of what is before it or what it takes; or empty
  Sizes shape;
  std::vector<Sizes> operands;         // that a library's call takes
  std::size_t calls = 0;
  double ms = 0;                       // of all calls
};

struct StepKernels {
  ExplainedGraph graph;
  std::string device;
  double step_ms = 0;
  std::size_t kernels = 0;      // of the step
  bool of_operators = false;    // that they are, where kernels are not known
  std::vector<KernelRow> rows;  // those that take most first
};

// At most `most` rows. Throws the failures of decide() and carry_out().
StepKernels step_kernels(const ExplainContext& context, std::size_t most);

// One line for each row.
std::string kernels_text(const StepKernels& step);

// schemas/explain.schema.json.
std::string kernels_json(const StepKernels& step);

}  // namespace fxcut
