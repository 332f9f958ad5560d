// A call as text with holes for its operands; this is the head of its term.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/argument.h"

namespace fxcut {

struct CallText {
  std::string head;                     // "aten.sub.Tensor(_, _, alpha=2)" with kHole for _
  std::vector<std::uint32_t> operands;  // for each hole: the position among the node's inputs
};

using KeywordArguments = std::vector<std::pair<std::string, Argument>>;

// Arguments that differ in value, kind or order give different texts: 1 and 1.0, a list and a tuple, 0.0 and -0.0.
CallText call_text(std::string_view target, std::span<const Argument> positional, const KeywordArguments& keyword);

// The text of an argument that contains no node.
std::string constant_text(const Argument& constant);

}  // namespace fxcut
