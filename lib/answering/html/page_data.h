// The contents of the page, as plain data: decisions on one graph, each with its two graphs as one list of nodes, and, by
// positions in it, the order in which nodes run, the memory that they use, and the values that cross. Totals and texts are the
// report's.
//
// A step's graphs have tens of thousands of nodes with a few hundred operators and modules, and other decisions have most of
// them, too, so texts are in tables that all decisions share, and nodes refer to them by position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "html/page_curves.h"
#include "partition/partition.h"
#include "report/crossing_rows.h"
#include "report/describe_totals.h"
#include "report/holding_less.h"
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
enum class PageState : std::uint8_t { Plain, Saved, Recomputed, Offloaded, Compressed };

struct PageNode {
  std::size_t name = 0, op = 0, module = 0;  // in the tables of these
  PageState state = PageState::Plain;
  std::vector<std::size_t> inputs;  // nodes, each once
};

struct PageSaved {
  CrossingRow row;
  std::size_t op = 0, module = 0, dtype = 0, form = 0, source = 0, reason = 0, why = 0;  // in the tables of these
  std::optional<std::size_t> forward_node, backward_node;  // that returns it, and its placeholder
};

// A decision to pick from.
struct PageDecision {
  std::string peak, held;  // figures: of the code if that is predicted, else of the operators; of activations
  std::string more_time;   // than the first decision's step takes; empty for that
  std::string command;     // makes it; empty if unknown
  std::string headline;
  std::vector<TotalLine> lines;
  Totals totals;
  std::int64_t static_bytes = 0, input_bytes = 0;  // resident throughout

  std::vector<PageNode> nodes;    // the forward's, then the backward's and the optimizer's
  std::size_t forward_nodes = 0;  // the number of the forward's
  std::vector<PageCurve> curves;  // that of the code first, if there is one; then the operators'
  std::vector<PageSaved> saved;
  ModuleBytes modules_held;       // the root
};

// Texts of all decisions.
struct PageTexts {
  TextTable names, operators, modules, dtypes, sources, reasons, whys;
};

struct PageData {
  std::string title;  // the graph's name
  std::vector<Advice> advice;
  PageTexts texts;
  std::vector<PageDecision> decisions;  // the one that was made, then ways to need less memory
};

// A partition, and what the page says of it as one of several decisions (PageDecision).
struct ShownDecision {
  const Partition& partition;
  std::string more_time = {};
  std::string command = {};
};

// At least one decision, all on the same graph. Nodes of a whole step are those of the step, with those after the loss last.
PageData page_data(const std::vector<ShownDecision>& decisions, std::vector<Advice> advice = {});

}  // namespace fxcut
