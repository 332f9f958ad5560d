// The report for a browser: one HTML file without external resources.
//
// The page is in assets/: page.html, its styles and its scripts. The build joins them into one text (embed_page.cmake),
// with marks for the title and the data, which are filled in here.
#pragma once

#include <string>
#include <string_view>

#include "html/page_data.h"

namespace fxcut {

// The complete file. Texts of the graph are only data in it: the title is escaped, all else is JSON in an element that the
// browser does not run, and the scripts show it as text.
std::string html_page(const PageData& data);

// The page with marks in place of its title and data.
std::string_view page_template();
inline constexpr std::string_view kTitleMark = "@TITLE@", kDataMark = "@DATA@";

// The data of the page in the form for its scripts (assets/data.js).
// Columns instead of rows, as they are smaller and faster to parse. It contains no "<", so no text of the graph can end the
// element that contains it.
std::string page_json(const PageData& data);

}  // namespace fxcut
