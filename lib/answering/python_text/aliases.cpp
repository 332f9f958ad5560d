#include "python_text/aliases.h"

#include <algorithm>
#include <iterator>

namespace fxcut {
namespace {

struct AliasRow {
  std::string_view target;
  std::size_t position;
  std::string_view name;
};

#include "python_text/alias_table.inc"

}  // namespace

std::optional<AliasedArgument> aliased_argument(std::string_view target) {
  const auto* const found =
      std::lower_bound(std::begin(kAliases), std::end(kAliases), target,
                       [](const AliasRow& row, std::string_view name) { return row.target < name; });
  if (found == std::end(kAliases) || found->target != target) return std::nullopt;
  return AliasedArgument{found->position, found->name};
}

}  // namespace fxcut
