// The page's data in the form that its scripts read (assets/data.js).
#pragma once

#include <string>

#include "html/page_data.h"

namespace fxcut {

// Columns rather than rows, which are smaller and faster to parse. No "<" stands in it, so that no text of the graph
// can end the element that holds it.
std::string page_json(const PageData& data);

}  // namespace fxcut
