// The report for a browser: one HTML file without external resources, of assets/page.html (html/template.h).
#pragma once

#include <string>

#include "html/page_data.h"

namespace fxcut {

// The complete file.
std::string html_page(const PageData& data);

// The data of the page in the form for its scripts (assets/data.js): columns instead of rows, which are smaller and faster to
// parse.
std::string page_json(const PageData& data);

}  // namespace fxcut
