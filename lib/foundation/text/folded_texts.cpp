#include "text/folded_texts.h"

#include <fmt/format.h>

#include <cstddef>
#include <unordered_map>

#include "text/text_style.h"

namespace fxcut {

std::vector<std::string> folded_texts(const std::vector<AlikeText>& texts) {
  std::vector<std::string> folded;
  std::vector<std::size_t> others;
  std::unordered_map<std::string_view, std::size_t> position;  // by kind
  for (const AlikeText& one : texts) {
    const auto [found, is_new] = position.try_emplace(one.kind, folded.size());
    if (is_new || !text_style().folds) {
      folded.push_back(one.text);
      others.push_back(0);
    } else {
      ++others[found->second];
    }
  }
  for (std::size_t i = 0; i < folded.size(); ++i) {
    if (others[i] > 0) folded[i] += fmt::format(" (and {} more like it)", others[i]);
  }
  return folded;
}

std::string without_node_names(std::string_view text) {
  constexpr std::string_view kPolicy = "policy ";
  if (!text.starts_with('\'')) return std::string(text);
  std::string rest;
  while (!text.empty()) {
    const std::size_t quote = text.find('\''), end = quote == text.npos ? text.npos : text.find('\'', quote + 1);
    rest += text.substr(0, quote);
    if (end == text.npos) break;
    if (rest.ends_with(kPolicy)) rest += text.substr(quote, end + 1 - quote);
    text.remove_prefix(end + 1);
  }
  return rest;
}

}  // namespace fxcut
