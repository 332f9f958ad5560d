#include "report/module_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "report/layers.h"

namespace fxcut {
namespace {

struct OwnBytes {
  std::int64_t bytes = 0;
  std::size_t values = 0;
};

std::string join_path(std::string_view parent, std::string_view name) {
  return parent.empty() ? std::string(name) : fmt::format("{}.{}", parent, name);
}

// The names of all modules below, as one text: equal for layers of equal structure.
std::string structure_of(const ModuleBytes& module) {
  std::vector<std::string> parts;
  for (const ModuleBytes& child : module.children) {
    parts.push_back(fmt::format("{}:{}{}", child.name.size(), child.name, structure_of(child)));
  }
  std::sort(parts.begin(), parts.end());
  return fmt::format("({})", fmt::join(parts, ","));
}

void set_paths(ModuleBytes& module, const std::string& parent) {
  module.path = join_path(parent, module.name);
  for (ModuleBytes& child : module.children) set_paths(child, module.path);
}

// Adds the bytes of a module with the structure of `sum`; the order of children may differ.
void add(const ModuleBytes& module, ModuleBytes& sum) {
  sum.bytes += module.bytes;
  sum.own_bytes += module.own_bytes;
  sum.values += module.values;
  std::unordered_map<std::string_view, ModuleBytes*> children;
  for (ModuleBytes& child : sum.children) children.emplace(child.name, &child);
  for (const ModuleBytes& child : module.children) add(child, *children.at(child.name));
}

void drop_members(ModuleBytes& module) {
  module.members.clear();
  for (ModuleBytes& child : module.children) drop_members(child);
}

ModuleBytes fold(std::vector<ModuleBytes> layers, const std::string& parent) {
  ModuleBytes folded = layers.front();
  drop_members(folded);  // members of folds within one layer do not represent all layers
  for (std::size_t i = 1; i < layers.size(); ++i) add(layers[i], folded);
  std::vector<std::string_view> names;
  for (const ModuleBytes& layer : layers) names.push_back(layer.name);
  folded.name = layer_names(names);
  folded.repeats = layers.size();
  folded.members = std::move(layers);
  set_paths(folded, parent);
  return folded;
}

std::vector<ModuleBytes> fold_layers(std::vector<ModuleBytes> siblings, const std::string& parent) {
  std::vector<std::string_view> names;
  for (const ModuleBytes& sibling : siblings) names.push_back(sibling.name);
  std::vector<ModuleBytes> result;
  for (const auto& group : alike_layers(names, [&](std::size_t i) { return structure_of(siblings[i]); })) {
    std::vector<ModuleBytes> layers;
    for (const std::size_t i : group) layers.push_back(std::move(siblings[i]));
    result.push_back(layers.size() > 1 ? fold(std::move(layers), parent) : std::move(layers.front()));
  }
  return result;
}

class Summing {
 public:
  explicit Summing(const Report& report) {
    for (const SavedValue& saved : report.saved_values) {
      if (saved.held_bytes() == 0) continue;
      const std::uint32_t module = tree_.add(ModuleTree::kRoot, saved.provenance.module);
      own_.resize(tree_.modules.size());
      own_[module].bytes += saved.held_bytes();
      ++own_[module].values;
    }
    own_.resize(tree_.modules.size());
  }

  ModuleBytes sum(std::uint32_t number, const std::string& parent) const {
    ModuleBytes module;
    module.name = tree_.modules[number].name;
    module.path = join_path(parent, module.name);
    module.bytes = module.own_bytes = own_[number].bytes;
    module.values = own_[number].values;
    for (const std::uint32_t child : tree_.modules[number].children) {
      module.children.push_back(sum(child, module.path));
      module.bytes += module.children.back().bytes;
      module.values += module.children.back().values;
    }
    module.children = fold_layers(std::move(module.children), module.path);
    return module;
  }

 private:
  ModuleTree tree_;
  std::vector<OwnBytes> own_;  // by module
};

}  // namespace

ModuleBytes module_bytes(const Report& report) { return Summing(report).sum(ModuleTree::kRoot, ""); }

}  // namespace fxcut
