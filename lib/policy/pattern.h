// Names that a user describes: by a glob or by a regular expression.
#pragma once

#include <memory>
#include <regex>
#include <string>
#include <string_view>

namespace fxcut {

class Pattern {
 public:
  // A glob: * stands for any characters, ? for one, all else for itself.
  static Pattern glob(std::string text);
  // An ECMAScript regular expression that has to match as a whole. Throws std::regex_error where it is none, refers back
  // (\1), has more than 2,000 characters, or a number of more than 9 digits as in {2,3}. It matches in polynomial time.
  static Pattern regex(std::string text);

  bool matches(std::string_view name) const;
  // Whether it matches a dotted path or something that the path is inside of: "layers.*.mlp" and "layers.0.mlp.up".
  bool matches_path(std::string_view path) const;

  const std::string& text() const { return text_; }
  bool is_regex() const { return regex_ != nullptr; }

 private:
  std::string text_;
  std::shared_ptr<const std::regex> regex_;  // null for a glob
};

}  // namespace fxcut
