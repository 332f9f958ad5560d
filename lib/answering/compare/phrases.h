// Phrases for changes, for all human-readable forms.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compare/difference.h"

namespace fxcut {

// "42.1 GB", "1.2 kFLOP", "29 us", "781".
std::string show_figure(Int128 value, std::string_view unit);

// "+2.2 GB", "-5", "0 B".
std::string show_change(Int128 change, std::string_view unit);

// The size of the change: in FLOPs for recomputation, otherwise in bytes; without a sign if there is only one side.
std::string show_amount(const ValueChange& change);

// "+3.7 %"; empty if nothing changed or `before` is 0.
std::string show_share(const FigureChange& figure);

// "mm_4", or "mm_4 -> mm_6" if its number changed.
std::string show_name(const ValueChange& change);

// "float32[64, 10]", or "float32[64, 10] -> float32[128, 10]".
std::string show_extent(const ValueChange& change);

// For each operator, the number of added less removed values; most frequent first.
std::vector<std::pair<std::string, std::ptrdiff_t>> count_by_operator(const std::vector<ValueChange>& changes);

// The figures to show: the main ones, and the others that differ.
std::vector<FigureChange> shown_figures(const Difference& difference);

}  // namespace fxcut
