// What differs between two reports or two graphs, as plain data. How it is shown is for difference_text and others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/compared_value.h"
#include "graph/wide.h"

namespace fxcut {

// One of the totals, on both sides.
struct FigureChange {
  std::string_view name;   // as report.json calls it: "saved_bytes_not_static"
  std::string_view title;  // for people: "activations held"
  std::string_view unit;   // "B", "FLOP", or empty for a count
  Wide before = 0;
  Wide after = 0;
  bool is_main = false;    // shown whether it differs or not

  Wide change() const { return after - before; }
};

struct ValueChange {
  enum class Kind : std::uint8_t {
    Is,        // there is but one side, and it is there
    Came,      // only on the second side
    Went,      // only on the first
    Grew,      // on both, in more bytes than before
    Shrank,    // in fewer
    Reshaped,  // in as many bytes, of another dtype or shape
    ToHost,    // saved on both, now on the host
    FromHost,  // saved on both, on the host before
    Rewired,   // a call of the same operator with other arguments
    Moved,     // an input that came behind another, and comes before it
  };

  Kind kind = Kind::Came;
  std::optional<ComparedValue> before, after;
  Wide bytes = 0;  // more than before; below zero: fewer
  Wide flops = 0;  // likewise, of computing it

  const ComparedValue& value() const { return after ? *after : *before; }
};

struct SettingChange {
  std::string name;
  std::string before, after;
};

struct Difference {
  std::string_view what;  // "report", "joint graph", "forward", "backward"
  std::string graph_before, graph_after;  // their own names
  std::vector<FigureChange> figures;      // the main ones first
  std::vector<SettingChange> settings;    // of the runs that wrote the reports
  // Values that are saved on one side or both: in reports. Largest effect on bytes first.
  std::vector<ValueChange> saved;
  // Operators that are recomputed on one side only: in reports. Largest effect on FLOPs first.
  std::vector<ValueChange> recomputed;
  // What is in use at the peak: in reports. Largest first.
  std::vector<ValueChange> at_peak;
  // Nodes: in graphs. Largest effect on bytes, then on FLOPs, first.
  std::vector<ValueChange> nodes;

  // Whether the decisions, or the graphs, are the same. Settings may differ, and what uses memory at the peak, which
  // follows from the rest.
  bool is_same() const;
};

// "is", "came", "went", "grew", "shrank", "reshaped", "to_host", "from_host", "rewired", "moved".
std::string_view word_for(ValueChange::Kind kind);

// What else is to be said: "now recomputed", "was recomputed", "now on the host", "other arguments"; or nothing.
std::string_view note_of(const ValueChange& change);

// What became of a value that both sides have, where the second keeps it, or else the first; nothing where it is the
// same.
std::optional<ValueChange::Kind> change_of_kept(const ComparedValue& before, const ComparedValue& after);

// Puts the largest effects first.
void sort_by_bytes(std::vector<ValueChange>& changes);
void sort_by_flops(std::vector<ValueChange>& changes);

}  // namespace fxcut
