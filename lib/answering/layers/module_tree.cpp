#include "layers/module_tree.h"

#include <algorithm>

namespace fxcut {

std::uint32_t ModuleTree::add(std::uint32_t above, std::string_view path) {
  while (!path.empty()) {
    const bool is_last = modules[above].depth + 1 == kDeepestModule;
    const std::size_t dot = is_last ? path.size() : std::min(path.find('.'), path.size());
    above = child(above, path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return above;
}

std::uint32_t ModuleTree::child(std::uint32_t parent, std::string_view name) {
  const auto number = static_cast<std::uint32_t>(modules.size());
  const auto [entry, is_new] = children_.try_emplace(std::to_string(parent).append(".").append(name), number);
  if (is_new) {
    modules.push_back({std::string(name), parent, modules[parent].depth + 1, {}});
    modules[parent].children.push_back(number);
  }
  return entry->second;
}

std::string ModuleTree::path(std::uint32_t module, std::uint32_t below_depth) const {
  std::vector<std::string_view> names;
  for (; modules[module].depth > below_depth; module = modules[module].parent) names.push_back(modules[module].name);
  std::string text;
  for (auto name = names.rbegin(); name != names.rend(); ++name) text.append(text.empty() ? "" : ".").append(*name);
  return text;
}

}  // namespace fxcut
