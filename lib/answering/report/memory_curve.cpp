#include "report/memory_curve.h"

#include <fmt/format.h>

#include <iterator>

#include "report/report.h"
#include "text/csv.h"

namespace fxcut {

std::string memory_curve_csv(const MemoryProfile& profile, const GraphPair& graphs) {
  std::string text = "step,graph,node,operator,bytes,bytes_after\n";
  for (std::size_t s = 0; s < profile.steps.size(); ++s) {
    const Step& step = profile.steps[s];
    const Node& node = (step.side == Side::Forward ? graphs.forward : graphs.backward)[step.node];
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", s, side_word(step.side), csv_field(node.name),
                   csv_field(operator_of(node)), profile.curve[s].bytes, profile.curve[s].bytes_after);
  }
  return text;
}

}  // namespace fxcut
