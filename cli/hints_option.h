// The option --hints: numbers for symbolic sizes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/graph_file.h"
#include "cli/options.h"
#include "graph/symbol_hints.h"
#include "release/release.h"

namespace fxcut {

// "s0=1024,s1=8". Throws Failure (Usage) for other forms, and for two numbers of one symbol.
SymbolHints parse_hints(const std::string& text);

// Throws Failure (Usage) for what is no symbol's name, or not a word of any of the texts.
void refuse_unknown_symbols(const SymbolHints& hints, std::span<const std::string_view> texts);

// "s0=1024,2048,s1=8" or "s0=1024..4096": each combination, in the order of the numbers. A range has five numbers, evenly
// spaced, or with "1024..4096:512" each 512th and the last. Several texts are alternatives: what the one has and what the other
// has. Throws Failure (Usage) for other forms, and for more than kMaxSizes combinations.
inline constexpr std::size_t kMaxSizes = 64;
std::vector<SymbolHints> parse_sizes(const std::vector<std::string>& texts);

// The option of commands that read one graph.
class HintsOption {
 public:
  enum class Numbers { One, Several };  // for each symbol
  void add_to(CommandLine& line, Numbers numbers);

  bool is_given() const { return !texts_.empty(); }
  std::vector<SymbolHints> sizes() const { return parse_sizes(texts_); }
  // As shell words, each after a space.
  std::string for_shell() const;

  // The graph with the numbers of the option; unchanged without it. Throws Failure (Usage) for several of a symbol.
  GraphFile one_of(GraphFile file, const std::string& torch_version) const;

 private:
  std::vector<std::string> texts_;
};

// The graph that was read, with these numbers. Throws Failure as hinted_text() does, and for sizes too large to count.
GraphFile with_hints(const GraphFile& file, const SymbolHints& hints, const std::string& torch_version);

// The same; unchanged without any.
GraphFile with_any_hints(GraphFile file, const SymbolHints& hints, const std::string& torch_version);

}  // namespace fxcut
