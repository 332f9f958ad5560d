// Texts about many nodes that differ only in the node: shown once, with the number of the others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

struct AlikeText {
  std::string text;
  std::string kind;  // texts of one kind are alike
};

// The first text of each kind, in order, with "(and 31 more like it)" where there are others; each text if text_style() does not
// fold.
std::vector<std::string> folded_texts(const std::vector<AlikeText>& texts);

// A text about a node, which begins with its name in quotes, generalised to any node: without quoted names, except those of
// policies. Other texts, which are about rules and names, are returned unchanged.
std::string without_node_names(std::string_view text);

}  // namespace fxcut
