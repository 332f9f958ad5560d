#include "html/page.h"

#include "html/page_json.h"
#include "text/xml_text.h"

namespace fxcut {

std::string html_page(const PageData& data) {
  const std::string_view page = page_template();
  const std::size_t title = page.find(kTitleMark), json = page.find(kDataMark);
  std::string text(page.substr(0, title));
  text += xml_text(data.title);
  text += page.substr(title + kTitleMark.size(), json - title - kTitleMark.size());
  text += page_json(data);
  text += page.substr(json + kDataMark.size());
  return text;
}

}  // namespace fxcut
