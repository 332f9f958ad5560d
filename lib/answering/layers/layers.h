// Layers that repeat: which are alike, and how they are named.
//
// A layer is a module whose name is a number: layers.0, h.11, experts.7. conv1 and conv2, or ln_1 and ln_2, are two modules.
// Layers of one parent are alike where all that is shown of them agrees, and whoever shows them says what that is, as a
// text, their kind:
//
//     pictures (show/fold)               all nodes one by one: path, operator, dtype, shape, state, inputs within the layer
//     bytes by module (module_bytes)     the modules below; their bytes are added up
//     rows (explain --top, the page's memory at the peak, show --as summary)
//                                        what the row shows: its operator, bytes, FLOPs ...
//
// So nothing is folded that would be shown differently, and a picture, which shows most, folds least. The layers 0 to 31 are
// "0-31", and their module mlp is "layers.0-31.mlp", everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

// The number that a module is called by; nothing where it is no layer.
std::optional<std::uint64_t> layer_number(std::string_view name);

// "0-31", "0-3, 5": names of layers, in any order.
std::string layer_names(const std::vector<std::string_view>& names);

// Of modules of one parent groups of alike layers, as positions in `names`, in the order of their first ones; each of the
// other modules is a group. `kind_of` is asked for layers alone; a layer of no kind is alike to none.
using KindOf = std::function<std::optional<std::string>(std::size_t position)>;
std::vector<std::vector<std::size_t>> alike_layers(const std::vector<std::string_view>& names, const KindOf& kind_of);

// A row that comes from a module.
struct ModuleRow {
  std::string_view path;  // "layers.0.mlp"; may be empty
  std::string kind;
};

// Rows that are shown as one.
struct FoldedRows {
  std::string path;               // "layers.0-31.mlp"; "stages.*.layers.*" where the numbers do not combine freely
  std::size_t modules = 0;        // how many modules these are
  std::vector<std::size_t> rows;  // positions, ascending
};

// Folds rows of one kind whose paths differ in numbers of layers alone, in the order of their first ones.
std::vector<FoldedRows> fold_rows(const std::vector<ModuleRow>& rows);

}  // namespace fxcut
