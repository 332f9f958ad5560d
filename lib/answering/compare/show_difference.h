// A difference as text, JSON (schemas/diff.schema.json) and Markdown.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/difference.h"
#include "text/table.h"

namespace fxcut {

// A comment may have 65,536 characters, and one more graph has to fit into the rest.
inline constexpr std::size_t kMaxCommentRows = 50, kMaxCommentBytes = 40'000;

// The names of the two files or directories.
struct Sides {
  std::string before, after;
};

// A graph that both directories of a batch have.
struct GraphDifference {
  std::string name;
  Sides files;
  Difference difference;
};

// The differences between two directories of a batch, with graphs matched by name.
struct BatchDifference {
  std::vector<GraphDifference> graphs;
  std::vector<std::string> added, removed;  // graphs of one side only

  bool is_same() const;
};

// Totals first, then settings that differ, then values, the largest effect first. Recomputed operators are counted by kind
// here and in Markdown; JSON has each of them.
std::string difference_text(const Difference& difference, const Sides& sides);
std::string difference_json(const Difference& difference, const Sides& sides);

// For a comment on a change: a table of totals, and the values; a very long list is cut off.
std::string difference_markdown(const Difference& difference, const Sides& sides);

// The same for batches, graph by graph; equal graphs are only counted here and in Markdown.
std::string difference_text(const BatchDifference& difference, const Sides& sides);
std::string difference_json(const BatchDifference& difference, const Sides& sides);
std::string difference_markdown(const BatchDifference& difference, const Sides& sides);

// "1 of 3 graphs differs, 2 came", "all 3 graphs are the same".
std::string summary_of(const BatchDifference& difference);

nlohmann::ordered_json figure_json(const FigureChange& figure);
nlohmann::ordered_json changes_json(std::span<const ValueChange> changes);

// The figures; then, if there are any, settings, saved values, recomputed operators by kind, and nodes.
std::vector<Table> difference_tables(const Difference& difference);

// Changes of values, under the title of their list.
Table changes_table(std::string_view title, const std::vector<ValueChange>& changes);

}  // namespace fxcut
