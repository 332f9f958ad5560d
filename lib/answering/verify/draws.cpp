#include "verify/draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fxcut {

bool is_of_call(const Terms& terms, Term drawn, Term call) {
  return drawn == call || (terms.head(drawn).starts_with("draw ") && terms.operands(drawn).front() == call);
}

Term NumberedDraws::draw(Term call, const std::string& node) {
  const Term drawn = terms_.make(fmt::format("draw {} of", all_.size()), {call});
  all_.push_back({drawn, call, node});
  return drawn;
}

MatchedDraws::MatchedDraws(Terms& terms, const NumberedDraws& joint, const std::vector<bool>& is_needed,
                           std::set<std::string> named)
    : terms_(terms), joint_(joint), named_(std::move(named)), is_claimed_(joint.all().size(), false) {
  for (std::size_t i = 0; i < joint.all().size(); ++i) {
    const NumberedDraws::Draw& draw = joint.all()[i];
    by_node_.emplace(draw.node, i);
    open_[static_cast<std::uint32_t>(draw.call)].push_back(i);
  }
  // Needed draws without a name on a side first, in order; the list is used from its end.
  const auto rank = [&](std::size_t i) {
    const NumberedDraws::Draw& draw = joint_.all()[i];
    return std::tuple(!is_needed[index_of(draw.drawn)], named_.contains(draw.node), i);
  };
  for (auto& [call, open] : open_) {
    std::sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  }
}

Term MatchedDraws::draw(Term call, const std::string& node) {
  const auto claim = [&](std::size_t i) {
    is_claimed_[i] = true;
    return joint_.all()[i].drawn;
  };
  const auto named = by_node_.find(node);
  if (named != by_node_.end() && joint_.all()[named->second].call == call) {
    if (!is_claimed_[named->second]) return claim(named->second);
  } else if (auto open = open_.find(static_cast<std::uint32_t>(call)); open != open_.end()) {
    while (!open->second.empty()) {
      const std::size_t next = open->second.back();
      open->second.pop_back();
      if (!is_claimed_[next]) return claim(next);
    }
  }
  const Term drawn = terms_.make(fmt::format("extra draw {} of", extra_.size() + 1), {call});
  extra_.push_back({node, call, drawn});
  return drawn;
}

}  // namespace fxcut
