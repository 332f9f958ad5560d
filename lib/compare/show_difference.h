// A difference as text, JSON (schemas/diff.schema.json) and Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/difference.h"

namespace fxcut {

// What the two files are called.
struct Sides {
  std::string before, after;
};

// Totals first, then settings that differ, then values, the largest effect first. Recomputed operators are counted by
// kind here and in Markdown; JSON lists each.
std::string difference_text(const Difference& difference, const Sides& sides);
std::string difference_json(const Difference& difference, const Sides& sides);

// For a comment on a change: a table of totals, and the values, of which a very long list is cut short.
std::string difference_markdown(const Difference& difference, const Sides& sides);

// Its table of values under that title; nothing where there are none.
std::string changes_table(std::string_view title, const std::vector<ValueChange>& changes);

}  // namespace fxcut
