// The report's figures as lines that the table, the Markdown and the page share, so that they say the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace fxcut {

struct TotalLine {
  std::string label;    // "saved"
  std::string figure;   // "59.3 GB"
  std::string meaning;  // "in 781 values"
  bool is_part = false;  // of the line before it that is none
};

// "llama3_8b: 2839 forward and 5595 backward operators, by the min_cut partitioner of PyTorch 2.13".
std::string headline(const Report& report);

// Saved values, of which how much is always resident; the activations held; what is offloaded, where something is; what is
// recomputed.
std::vector<TotalLine> saved_lines(const Report& report);

// The peak, its limit where there is one, and the resident peak: what has to fit on the device.
std::vector<TotalLine> memory_lines(const Report& report);

}  // namespace fxcut
