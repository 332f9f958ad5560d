// Which of two lists' elements are the same thing: each has at most one partner.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace fxcut {

class Matching {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  Matching(std::size_t before, std::size_t after) : after_of_(before, kNone), before_of_(after, kNone) {}

  // The partner of an element of the one list or of the other; kNone where it has none.
  std::size_t after_of(std::size_t before) const { return after_of_[before]; }
  std::size_t before_of(std::size_t after) const { return before_of_[after]; }

  // Makes these two partners. Neither has one yet.
  void pair(std::size_t before, std::size_t after);

  // What an element is known by in one round of matching; empty where it takes no part in it.
  using KeyOf = std::function<std::string(std::size_t)>;

  // Pairs elements without partners that have equal keys, in the order of the lists: the first with the first, the
  // second with the second.
  void pair_equal(const KeyOf& key_of_before, const KeyOf& key_of_after);

 private:
  std::vector<std::size_t> after_of_, before_of_;
};

}  // namespace fxcut
