// The graphs of a batch as a page: a table of their figures, each with a link to its own page.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

// The page of a graph, in the directory of its results (batch/output_tree.h).
inline constexpr std::string_view kPageFile = "report.html";

struct IndexPlaces {
  std::filesystem::path index;       // where the index will be
  std::filesystem::path directory;   // the output directory of the batch
};

// The complete file, of html/assets/batch.html (html/template.h), from the lines of the results (batch/item_result.h).
std::string index_page(const std::vector<std::string>& lines, const IndexPlaces& places);

// The address of a path in a link, with special characters escaped.
std::string link_to(const std::filesystem::path& path);

}  // namespace fxcut
