#include "verify/terms.h"

#include <utility>

namespace fxcut {

Term Terms::make(std::string_view head, std::vector<Term> operands) {
  std::string content(head);
  content += '\0';
  for (const Term operand : operands) {
    const auto number = static_cast<std::uint32_t>(operand);
    content.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  const auto [found, is_new] = by_content_.try_emplace(std::move(content), static_cast<Term>(terms_.size()));
  if (is_new) terms_.push_back({std::string(head), std::move(operands)});
  return found->second;
}

std::vector<bool> Terms::contained_in(const std::vector<Term>& roots) const {
  std::vector<bool> reached(terms_.size(), false);
  for (const Term root : roots) reached[index_of(root)] = true;
  for (std::size_t i = terms_.size(); i-- > 0;) {
    if (!reached[i]) continue;
    for (const Term operand : terms_[i].operands) reached[index_of(operand)] = true;
  }
  return reached;
}

}  // namespace fxcut
