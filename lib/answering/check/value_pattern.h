// Patterns that select values for checks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "graph/graph.h"
#include "policy/pattern.h"

namespace fxcut {

// "op:GLOB" matches the operator's target, "name:GLOB" the node's name or the value's checkpoint name, "module:GLOB" the path
// of the module or of one around it. A glob alone matches an operator or a name.
class ValuePattern {
 public:
  // Empty if the glob is.
  static std::optional<ValuePattern> parse(std::string_view text);

  bool matches(std::string_view name, std::string_view op, const Provenance& provenance) const;
  // The same for a checkpoint name alone.
  bool matches_name(std::string_view name) const;

  const std::string& text() const { return text_; }

 private:
  enum class Of { Any, Operator, Name, Module };

  ValuePattern(std::string text, Of of, Pattern glob) : text_(std::move(text)), of_(of), glob_(std::move(glob)) {}

  std::string text_;
  Of of_;
  Pattern glob_;
};

}  // namespace fxcut
