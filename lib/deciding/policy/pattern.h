// Names that a user describes: by a glob or by a regular expression.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fxcut {

// A text that is no regular expression; what() says why.
struct NoRegex : std::runtime_error {
  NoRegex(const char* why, bool too_large) : std::runtime_error(why), is_too_large(too_large) {}
  bool is_too_large;
};

class Pattern {
 public:
  // A glob: * stands for any characters, ? for one, all else for itself.
  static Pattern glob(std::string text);
  // An ECMAScript regular expression that has to match as a whole. Throws NoRegex where it is none, refers back (\1),
  // has more than 2,000 characters, or a number of more than 9 digits as in {2,3}. It matches in polynomial time.
  static Pattern regex(std::string text);

  bool matches(std::string_view name) const;
  // Whether it matches a dotted path or something that the path is inside of: "layers.*.mlp" and "layers.0.mlp.up".
  bool matches_path(std::string_view path) const;

  // What all that it matches begins with: a glob up to its first wildcard; of a regular expression nothing is known.
  std::string_view beginning() const;

  const std::string& text() const { return text_; }
  bool is_regex() const { return regex_ != nullptr; }

 private:
  class Regex;  // std::regex: its header alone takes longer to compile than most files

  std::string text_;
  std::shared_ptr<const Regex> regex_;  // null for a glob
};

}  // namespace fxcut
