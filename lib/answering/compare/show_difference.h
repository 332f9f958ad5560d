// A difference as text, JSON (schemas/diff.schema.json) and Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/difference.h"

namespace fxcut {

// A comment holds 65,536 characters, and one graph more has to fit into what is left.
inline constexpr std::size_t kMostRowsInComment = 50, kLongestComment = 40'000;

// What the two files, or directories, are called.
struct Sides {
  std::string before, after;
};

// A graph that both directories of a batch have.
struct GraphDifference {
  std::string name;
  Sides files;
  Difference difference;
};

// What differs between two directories of a batch, whose graphs are the same by their names.
struct BatchDifference {
  std::vector<GraphDifference> graphs;
  std::vector<std::string> came, went;  // graphs of one side only

  bool is_same() const;
};

// Totals first, then settings that differ, then values, the largest effect first. Recomputed operators are counted by
// kind here and in Markdown; JSON lists each.
std::string difference_text(const Difference& difference, const Sides& sides);
std::string difference_json(const Difference& difference, const Sides& sides);

// For a comment on a change: a table of totals, and the values, of which a very long list is cut short.
std::string difference_markdown(const Difference& difference, const Sides& sides);

// The same of batches, graph by graph; those that are the same are counted here and in Markdown.
std::string difference_text(const BatchDifference& difference, const Sides& sides);
std::string difference_json(const BatchDifference& difference, const Sides& sides);
std::string difference_markdown(const BatchDifference& difference, const Sides& sides);

// "1 of 3 graphs differs, 2 came", "all 3 graphs are the same".
std::string summary_of(const BatchDifference& difference);

}  // namespace fxcut
