#include "compare/matching.h"

#include <deque>
#include <unordered_map>

namespace fxcut {

void Matching::pair(std::size_t before, std::size_t after) {
  after_of_[before] = after;
  before_of_[after] = before;
}

void Matching::pair_equal(const KeyOf& key_of_before, const KeyOf& key_of_after) {
  std::unordered_map<std::string, std::deque<std::size_t>> waiting;
  for (std::size_t i = 0; i < before_of_.size(); ++i) {
    if (before_of_[i] != kNone) continue;
    std::string key = key_of_after(i);
    if (!key.empty()) waiting[std::move(key)].push_back(i);
  }
  if (waiting.empty()) return;
  for (std::size_t i = 0; i < after_of_.size(); ++i) {
    if (after_of_[i] != kNone) continue;
    const auto found = waiting.find(key_of_before(i));
    if (found == waiting.end() || found->second.empty()) continue;
    pair(i, found->second.front());
    found->second.pop_front();
  }
}

}  // namespace fxcut
