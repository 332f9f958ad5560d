#include "policy/pattern.h"

namespace fxcut {
namespace {

// std::regex recurses once a character, so that a longer name could exhaust the stack; no real name is near this.
constexpr std::size_t kLongestMatched = 2000;

// Goes back to the last * only: what came before it cannot match better.
bool glob_matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, retry = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

Pattern Pattern::glob(std::string text) {
  Pattern pattern;
  pattern.text_ = std::move(text);
  return pattern;
}

Pattern Pattern::regex(std::string text) {
  Pattern pattern;
  pattern.regex_ = std::make_shared<const std::regex>(text);
  pattern.text_ = std::move(text);
  return pattern;
}

bool Pattern::matches(std::string_view name) const {
  if (!regex_) return glob_matches(text_, name);
  return name.size() <= kLongestMatched && std::regex_match(name.begin(), name.end(), *regex_);
}

bool Pattern::matches_path(std::string_view path) const {
  for (std::size_t end = path.size(); end != std::string_view::npos && end > 0; end = path.rfind('.', end - 1)) {
    if (matches(path.substr(0, end))) return true;
  }
  return false;
}

}  // namespace fxcut
