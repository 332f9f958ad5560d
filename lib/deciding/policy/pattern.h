// Patterns of names: globs and regular expressions.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fxcut {

// A text is not a regular expression; what() has the reason.
struct NoRegex : std::runtime_error {
  NoRegex(const char* why, bool too_large) : std::runtime_error(why), is_too_large(too_large) {}
  bool is_too_large;
};

class Pattern {
 public:
  // A glob: * matches any characters, ? one, all others themselves.
  static Pattern glob(std::string text);
  // A glob of an operator in any of PyTorch's spellings: "aten.mm.default", "aten::mm", "torch.ops.aten.mm". Without wildcards
  // and without an overload it matches all overloads.
  static Pattern operator_glob(std::string text);
  // An ECMAScript regular expression that has to match the whole name, in polynomial time. Throws NoRegex if it is not
  // one, has back-references (\1), more than 2,000 characters, or a number of more than 9 digits as in {2,3}.
  static Pattern regex(std::string text);

  bool matches(std::string_view name) const;
  // Whether it matches a dotted path or a prefix of it: "layers.*.mlp" and "layers.0.mlp.up".
  bool matches_path(std::string_view path) const;

  // The glob that names are compared with: of an operator in the spelling of graphs. Of a regular expression "".
  const std::string& glob() const { return glob_; }
  // The common prefix of all matches: of a glob the text before its first wildcard, of a regular expression "".
  std::string_view beginning() const;

  const std::string& text() const { return text_; }
  bool is_regex() const { return regex_ != nullptr; }

 private:
  class Regex;  // std::regex: its header alone takes longer to compile than most files

  std::string text_;  // as given
  std::string glob_;
  bool takes_overloads_ = false;
  std::shared_ptr<const Regex> regex_;  // null for a glob
};

}  // namespace fxcut
