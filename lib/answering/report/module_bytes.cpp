#include "report/module_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace fxcut {
namespace {

// What lies deeper is not told apart: no model is nested so deep, but a file may say so.
constexpr std::size_t kDeepest = 64;

// The tree while it grows: children are found by name.
struct Branch {
  std::string name;
  std::int64_t own_bytes = 0;
  std::size_t own_values = 0;
  std::vector<Branch> children;
  std::unordered_map<std::string, std::size_t> position;

  Branch& child(const std::string& child_name) {
    const auto [found, is_new] = position.emplace(child_name, children.size());
    if (is_new) children.emplace_back().name = child_name;
    return children[found->second];
  }
};

Branch grow(const Report& report) {
  Branch root;
  for (const SavedValue& saved : report.saved_values) {
    if (saved.kept_bytes == 0) continue;
    Branch* branch = &root;
    std::string_view path = saved.provenance.module;
    for (std::size_t depth = 1; !path.empty(); ++depth) {
      const std::size_t dot = depth == kDeepest ? path.size() : std::min(path.find('.'), path.size());
      branch = &branch->child(std::string(path.substr(0, dot)));
      path.remove_prefix(std::min(dot + 1, path.size()));
    }
    branch->own_bytes += saved.kept_bytes;
    ++branch->own_values;
  }
  return root;
}

std::optional<std::uint64_t> layer_number(std::string_view name) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return number;
}

std::string join_path(std::string_view parent, std::string_view name) {
  return parent.empty() ? std::string(name) : fmt::format("{}.{}", parent, name);
}

// The names of all modules below, as one text: equal where two layers are built alike.
std::string structure_of(const ModuleBytes& module) {
  std::vector<std::string> parts;
  for (const ModuleBytes& child : module.children) {
    parts.push_back(fmt::format("{}:{}{}", child.name.size(), child.name, structure_of(child)));
  }
  std::sort(parts.begin(), parts.end());
  return fmt::format("({})", fmt::join(parts, ","));
}

// "0-31", "0-3, 5".
std::string show_numbers(std::vector<std::uint64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[i]);
    if (last > i) text += fmt::format("-{}", numbers[last]);
    i = last + 1;
  }
  return text;
}

void set_paths(ModuleBytes& module, const std::string& parent) {
  module.path = join_path(parent, module.name);
  for (ModuleBytes& child : module.children) set_paths(child, module.path);
}

// Adds the bytes of a module that is built like `sum`, in whichever order its children stand.
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
  drop_members(folded);  // what is folded within a layer stays so: one layer's members are not all layers'
  for (std::size_t i = 1; i < layers.size(); ++i) add(layers[i], folded);
  std::vector<std::uint64_t> numbers;
  for (const ModuleBytes& layer : layers) numbers.push_back(*layer_number(layer.name));
  folded.name = show_numbers(std::move(numbers));
  folded.repeats = layers.size();
  folded.members = std::move(layers);
  set_paths(folded, parent);
  return folded;
}

std::vector<ModuleBytes> fold_layers(std::vector<ModuleBytes> siblings, const std::string& parent) {
  std::map<std::string, std::vector<std::size_t>> alike;  // by structure: positions among the siblings
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    if (layer_number(siblings[i].name)) alike[structure_of(siblings[i])].push_back(i);
  }
  std::vector<bool> is_folded(siblings.size());  // into one that stands before it
  for (const auto& [structure, positions] : alike) {
    if (positions.size() == 1) continue;
    std::vector<ModuleBytes> layers;
    for (const std::size_t i : positions) {
      layers.push_back(std::move(siblings[i]));
      is_folded[i] = i != positions.front();
    }
    siblings[positions.front()] = fold(std::move(layers), parent);
  }
  std::vector<ModuleBytes> result;
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    if (!is_folded[i]) result.push_back(std::move(siblings[i]));
  }
  return result;
}

ModuleBytes finish(const Branch& branch, std::string name, const std::string& parent) {
  ModuleBytes module;
  module.path = join_path(parent, name);
  module.name = std::move(name);
  module.bytes = module.own_bytes = branch.own_bytes;
  module.values = branch.own_values;
  for (const Branch& child : branch.children) {
    module.children.push_back(finish(child, child.name, module.path));
    module.bytes += module.children.back().bytes;
    module.values += module.children.back().values;
  }
  module.children = fold_layers(std::move(module.children), module.path);
  return module;
}

}  // namespace

ModuleBytes module_bytes(const Report& report) { return finish(grow(report), "", ""); }

}  // namespace fxcut
