// The modules of a model as a tree, by their paths: "layers.0.mlp" is in "layers.0", and that in "layers".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fxcut {

struct Module {
  std::string name;                     // the last part of its path: "0"
  std::uint32_t parent = 0;             // of the root: itself
  std::uint32_t depth = 0;              // of the root: 0
  std::vector<std::uint32_t> children;  // in the order in which they were added
};

// The rest of a deeper path is one last name: no model is nested that deeply, but a file may be, and functions over the tree
// are recursive.
inline constexpr std::uint32_t kDeepestModule = 24;

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
