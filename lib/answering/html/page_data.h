// The contents of the page, as plain data: the two graphs as one list of nodes, and, by positions in it, the order in which
// nodes run, the memory that they use, and the values that cross. Totals and texts are the report's.
//
// A step's graphs have tens of thousands of nodes with a few hundred operators and modules, so texts are in tables, and
// nodes refer to them by position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "memory/memory_profile.h"
#include "report/crossing_rows.h"
#include "report/describe_totals.h"
#include "report/holding_less.h"
#include "report/memory_kinds.h"
#include "report/module_bytes.h"
#include "report/report.h"

namespace fxcut {

// Texts, each once; the first is empty.
class TextTable {
 public:
  TextTable() { number_of(""); }
  std::size_t number_of(const std::string& text);
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

// The decision on a node's value.
enum class PageState : std::uint8_t { Plain, Saved, Recomputed, Offloaded };

struct PageNode {
  std::string name;
  std::size_t op = 0;      // in PageData::operators
  std::size_t module = 0;  // in PageData::modules
  PageState state = PageState::Plain;
  std::vector<std::size_t> inputs;  // nodes, each once
};

// Memory of the step, parameters and other inputs apart.
struct PageAllocation {
  std::size_t node = 0;  // that computes it, or the placeholder that it belongs to
  std::int64_t size_bytes = 0;
  MemoryKind kind = MemoryKind::Temporary;
  std::size_t first_step = 0;
  std::optional<std::size_t> last_step;  // that uses it; empty if the caller keeps it
};

struct PageSaved {
  CrossingRow row;
  std::size_t op = 0, module = 0, dtype = 0, source = 0, reason = 0, why = 0;  // in the tables of these
  std::optional<std::size_t> forward_node, backward_node;  // that returns it, and its placeholder
};

// Steps that run one after another in the forward, the backward or the optimizer.
struct PagePhase {
  std::string_view name;
  std::size_t first_step = 0;
};

struct PageData {
  std::string title;     // the graph's name
  std::string headline;
  std::vector<TotalLine> lines;
  std::vector<Advice> advice;
  Totals totals;
  MemoryReport memory;

  TextTable operators, modules, dtypes, sources, reasons, whys;
  std::vector<PageNode> nodes;    // the forward's, then the backward's and the optimizer's
  std::size_t forward_nodes = 0;  // the number of the forward's

  std::vector<std::size_t> steps;       // nodes, in the order in which they run
  std::size_t forward_steps = 0;        // the number of the first, which are the forward's
  std::vector<PagePhase> phases;        // in the order in which they run
  std::vector<Wide> step_bytes;         // in use while a step runs
  std::size_t peak_step = 0;
  std::vector<PageAllocation> allocations;  // in the order of allocation; those of a step add up to its bytes

  std::vector<PageSaved> saved;
  ModuleBytes modules_held;             // the root
};

// `running`: what the memory belongs to: the two graphs, or the whole step made from them, whose nodes are then the page's, with
// those after the loss last.
PageData page_data(const Report& report, const GraphPair& graphs, const RunningGraphs& running, const MemoryProfile& memory,
                   std::vector<Advice> advice = {});

}  // namespace fxcut
