// Repeated layers: which are alike, and their names.
//
// A layer is a module whose name is a number: layers.0, h.11, experts.7. conv1 and conv2, or ln_1 and ln_2, are two modules.
// Layers of one parent are alike if everything that is shown of them is equal. The caller gives that as a text, their kind:
//
//     pictures (show/fold_layers)        all nodes one by one: path, operator, dtype, shape, state, inputs within the layer
//     bytes by module (module_bytes)     the modules below; their bytes are added up
//     rows (explain --top, the page's memory at the peak, show --as summary)
//                                        the contents of the row: its operator, bytes, FLOPs ...
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
#include <unordered_map>
#include <vector>

namespace fxcut {

// The number that is a module's name; empty if it is not a layer.
std::optional<std::uint64_t> layer_number(std::string_view name);

// "0-31", "0-3, 5": names of layers, in any order.
std::string layer_names(const std::vector<std::string_view>& names);

// Groups of alike layers among modules of one parent, as positions in `names`, in the order of their first ones; any other
// module is a group of its own. `kind_of` is called for layers only; a layer without a kind is not alike to any.
using KindOf = std::function<std::optional<std::string>(std::size_t position)>;
std::vector<std::vector<std::size_t>> alike_layers(const std::vector<std::string_view>& names, const KindOf& kind_of);

// A row of a module.
struct ModuleRow {
  std::string_view path;  // "layers.0.mlp"; may be empty
  std::string kind;
};

// Rows that are shown as one.
struct FoldedRows {
  std::string path;               // "layers.0-31.mlp"; "stages.*.layers.*" if not all combinations of the numbers occur
  std::size_t modules = 0;        // the number of modules
  std::vector<std::size_t> rows;  // positions, ascending
};

// Folds rows of one kind whose paths differ only in numbers of layers, in the order of their first ones.
std::vector<FoldedRows> fold_rows(const std::vector<ModuleRow>& rows);

// The modules of a model as a tree, by their paths: "layers.0.mlp" is in "layers.0", and that in "layers".

struct Module {
  std::string name;                     // the last part of its path: "0"
  std::uint32_t parent = 0;             // of the root: itself
  std::uint32_t depth = 0;              // of the root: 0
  std::vector<std::uint32_t> children;  // in the order in which they were added
};

// The rest of a deeper path is one last name: no model is nested that deeply, but a file may be, and functions over the tree
// are recursive.
inline constexpr std::uint32_t kMaxModuleDepth = 24;

class ModuleTree {
 public:
  static constexpr std::uint32_t kRoot = 0;

  // The module of that path below `above`, added if missing; `above` itself if the path is empty.
  std::uint32_t add(std::uint32_t above, std::string_view path);

  // The path without the modules up to that depth: "layers.0" below the root.
  std::string path(std::uint32_t module, std::uint32_t below_depth = 0) const;

  std::vector<Module> modules = std::vector<Module>(1);  // the root first, a parent before its children

 private:
  std::uint32_t child(std::uint32_t parent, std::string_view name);

  std::unordered_map<std::string, std::uint32_t> children_;  // by parent and name
};

}  // namespace fxcut
