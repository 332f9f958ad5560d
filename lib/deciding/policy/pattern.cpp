#include "policy/pattern.h"

#include <algorithm>
#include <regex>

namespace fxcut {
namespace {

// std::regex recurses with the length of an expression, and of a name when it backtracks, so that longer ones could
// exhaust the stack; no real one is near this.
constexpr std::size_t kLongest = 2000;

// libstdc++ can match without backtracking, which takes time exponential in the length; back-references are then not
// available.
#ifdef __GLIBCXX__
constexpr std::regex::flag_type kSyntax = std::regex::ECMAScript | std::regex_constants::__polynomial;
#else
constexpr std::regex::flag_type kSyntax = std::regex::ECMAScript;
#endif

// Backtracks to the last * only: an earlier one cannot match better.
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

std::string in_spelling_of_graphs(std::string text) {
  for (const std::string_view prefix : {"torch.ops.", "ops."}) {
    if (!text.starts_with(prefix)) continue;
    text.erase(0, prefix.size());
    break;
  }
  if (const std::size_t colons = text.find("::"); colons != std::string::npos) text.replace(colons, 2, ".");
  return text;
}

// std::regex does not check the numbers in \1 and {2,3} for overflow.
void refuse_long_numbers(std::string_view pattern) {
  constexpr std::size_t kMaxDigits = 9;  // which fit in 32 bits
  const auto end_of_number = [&](std::size_t begin, std::regex_constants::error_type error) {
    const std::size_t end = std::min(pattern.find_first_not_of("0123456789", begin), pattern.size());
    if (end - begin > kMaxDigits) throw std::regex_error(error);
    return end;
  };
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      end_of_number(i + 1, std::regex_constants::error_backref);
      ++i;
    } else if (pattern[i] == '{') {
      const std::size_t end = end_of_number(i + 1, std::regex_constants::error_badbrace);
      if (end < pattern.size() && pattern[end] == ',') end_of_number(end + 1, std::regex_constants::error_badbrace);
    }
  }
}

bool is_about_size(std::regex_constants::error_type error) {
  return error == std::regex_constants::error_space || error == std::regex_constants::error_complexity ||
         error == std::regex_constants::error_stack;
}

}  // namespace

class Pattern::Regex : public std::regex {
 public:
  using std::regex::regex;
};

Pattern Pattern::glob(std::string text) {
  Pattern pattern;
  pattern.text_ = text;
  pattern.glob_ = std::move(text);
  return pattern;
}

Pattern Pattern::operator_glob(std::string text) {
  Pattern pattern;
  pattern.glob_ = in_spelling_of_graphs(text);
  pattern.text_ = std::move(text);
  pattern.takes_overloads_ = pattern.glob_.find_first_of("*?") == std::string::npos;
  return pattern;
}

Pattern Pattern::regex(std::string text) {
  try {
    if (text.size() > kLongest) throw std::regex_error(std::regex_constants::error_space);
    refuse_long_numbers(text);
    Pattern pattern;
    pattern.regex_ = std::make_shared<const Regex>(text, kSyntax);
    pattern.text_ = std::move(text);
    return pattern;
  } catch (const std::regex_error& error) {
    throw NoRegex(error.what(), is_about_size(error.code()));
  }
}

bool Pattern::matches(std::string_view name) const {
  if (takes_overloads_ && name.starts_with(glob_) && name.substr(glob_.size()).starts_with('.')) return true;
  if (!regex_) return glob_matches(glob_, name);
  return name.size() <= kLongest && std::regex_match(name.begin(), name.end(), *regex_);
}

std::string_view Pattern::beginning() const {
  return is_regex() ? std::string_view() : std::string_view(glob_).substr(0, glob_.find_first_of("*?"));
}

bool Pattern::matches_path(std::string_view path) const {
  for (std::size_t end = path.size(); end != std::string_view::npos && end > 0; end = path.rfind('.', end - 1)) {
    if (matches(path.substr(0, end))) return true;
  }
  return false;
}

}  // namespace fxcut
