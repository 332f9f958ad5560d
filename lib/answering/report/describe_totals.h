// The totals of a report as lines for the table, the Markdown and the page.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace fxcut {

struct TotalLine {
  std::string label;    // "saved"
  std::string figure;   // "59.3 GB"
  std::string meaning;  // "in 781 values"
  bool is_part = false;  // of the previous line that is not a part itself
  bool is_detail = false;  // left out on a first screen
};

// The bytes at the peak by purpose; they add up to peak_bytes.
std::map<MemoryKind, Int128> peak_parts(const MemoryReport& memory);

// "llama3_8b: 2802 forward and 5077 backward operators, by the min_cut partitioner of PyTorch 2.15".
std::string headline(const Report& report);

// Saved values, and the parts that add up to them, the activations held among them; offloaded values, if any; recomputation.
std::vector<TotalLine> saved_lines(const Report& report);

// The peak and its parts, its limit if there is one, and the resident peak with its additional parts.
std::vector<TotalLine> memory_lines(const Report& report);

}  // namespace fxcut
