// The report for a browser: one HTML file that loads nothing from elsewhere.
//
// The page is a real one, in assets/: page.html, its styles and its scripts. While fxcut is built, embed_page.cmake
// puts them into one text, with a mark where the title goes and one where the data does; here both are filled in.
#pragma once

#include <string>
#include <string_view>

#include "html/page_data.h"

namespace fxcut {

// The whole file. Texts of the graph are data in it, whatever they hold: the title is escaped, all else is JSON in an
// element that the browser does not run, and the scripts show it as text.
std::string html_page(const PageData& data);

// The page without its title and data, which go to its marks.
std::string_view page_template();
inline constexpr std::string_view kTitleMark = "@TITLE@", kDataMark = "@DATA@";

}  // namespace fxcut
