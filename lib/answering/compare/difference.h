// The differences between two reports or two graphs, as plain data. difference_text and others print it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/compared_value.h"
#include "graph/int128.h"

namespace fxcut {

// A total on both sides.
struct FigureChange {
  std::string_view name;   // its key in report.json: "saved_bytes_not_static"
  std::string_view title;  // for readers: "activations held"
  std::string_view unit;   // "B", "FLOP", "ps" (of run time), or empty for a count
  Int128 before = 0;
  Int128 after = 0;
  bool is_main = false;    // shown even if it does not differ

  Int128 change() const { return after - before; }
};

struct ValueChange {
  enum class Kind : std::uint8_t {
    Is,        // present, with only one side to look at
    Added,      // only on the second side
    Removed,      // only on the first side
    Grew,      // on both, with more bytes
    Shrank,    // on both, with fewer bytes
    Reshaped,  // on both, with as many bytes, but another dtype or shape
    ToHost,    // saved on both, now offloaded
    FromHost,  // saved on both, offloaded before
    ToForm,    // saved on both, now in fewer bits, or in others
    FromForm,  // saved on both, in fewer bits before
    Rewired,   // a call of the same operator with other arguments
    Moved,     // an input that is now before another one that it was after
  };

  Kind kind = Kind::Added;
  std::optional<ComparedValue> before, after;
  Int128 bytes = 0;  // change
  Int128 flops = 0;  // change, of computing it

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
  // Values in use at the peak: in reports. Largest first.
  std::vector<ValueChange> at_peak;
  // Nodes: in graphs. Largest effect on bytes, then on FLOPs, first.
  std::vector<ValueChange> nodes;

  // Whether the decisions, or the graphs, are the same. Settings may differ, and the values in use at the peak, which depend on
  // the rest.
  bool is_same() const;
};

// Its name in JSON: "is", "came", "went", "grew", "shrank", "reshaped", "to_host", "from_host", "to_form", "from_form",
// "rewired", "moved".
std::string_view name_of(ValueChange::Kind kind);

// An additional note: "now recomputed", "was recomputed", "now on the host", "now in fewer bits", "other arguments"; or
// empty.
std::string_view note_of(const ValueChange& change);

// The change of a value that is saved, or not, on both sides; empty if there is none.
std::optional<ValueChange::Kind> change_of_kept(const ComparedValue& before, const ComparedValue& after);

// Sort by the size of the effect, the largest first.
void sort_by_bytes(std::vector<ValueChange>& changes);
void sort_by_flops(std::vector<ValueChange>& changes);

}  // namespace fxcut
