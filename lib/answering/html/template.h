// The pages without their contents, and how the contents are inserted.
//
// A page is in assets/: NAME.html, its styles and its scripts. The build joins them into one text, the function NAME_template
// (embed_page.cmake), with marks for the title, the palette and the data. Texts of graphs are only data in it: the title is
// escaped, the rest is JSON in an element that the browser does not run, and the scripts show it as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace fxcut {

std::string_view page_template();        // of a partition
std::string_view difference_template();  // of 'diff'
std::string_view pareto_template();      // of 'pareto'
std::string_view batch_template();       // of 'batch'
std::string_view compiled_template();    // of 'memory'
std::string_view pipeline_template();    // of 'pipeline'

inline constexpr std::string_view kTitleMark = "@TITLE@", kPaletteMark = "@PALETTE@", kDataMark = "@DATA@";

// The text of the data. It contains no "<", so that nothing in it can end the element that contains it.
std::string data_text(nlohmann::ordered_json data);

// The complete file; `data` is data_text().
std::string filled_in(std::string_view page, const std::string& title, std::string_view data);

}  // namespace fxcut
