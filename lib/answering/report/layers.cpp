#include "report/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace fxcut {
namespace {

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t end = path.find('.'); end != std::string_view::npos; end = path.find('.')) {
    parts.push_back(path.substr(0, end));
    path.remove_prefix(end + 1);
  }
  parts.push_back(path);
  return parts;
}

// The path with 0 for each layer's number; other names never are 0.
std::string pattern_of(std::string_view path) {
  std::vector<std::string_view> parts = parts_of(path);
  for (std::string_view& part : parts) part = layer_number(part) ? "0" : part;
  return fmt::format("{}", fmt::join(parts, "."));
}

// The common path of paths with the same pattern.
std::string folded_path(const std::set<std::string_view>& paths) {
  if (paths.size() == 1) return std::string(*paths.begin());
  std::vector<std::set<std::string_view>> names;  // by part
  for (const std::string_view path : paths) {
    const std::vector<std::string_view> parts = parts_of(path);
    names.resize(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) names[i].insert(parts[i]);
  }
  std::size_t combinations = 1;
  for (const auto& of_part : names) combinations = std::min(combinations * of_part.size(), paths.size() + 1);
  std::vector<std::string> folded;
  for (const auto& of_part : names) {
    const bool is_open = of_part.size() > 1 && combinations != paths.size();
    folded.push_back(is_open ? "*" : layer_names({of_part.begin(), of_part.end()}));
  }
  return fmt::format("{}", fmt::join(folded, "."));
}

}  // namespace

std::optional<std::uint64_t> layer_number(std::string_view name) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = error == std::errc{} && end == name.data() + name.size();
  return is_number && (name.size() == 1 || name.front() != '0') ? std::optional(number) : std::nullopt;
}

std::string layer_names(const std::vector<std::string_view>& names) {
  if (names.size() == 1) return std::string(names.front());
  std::vector<std::uint64_t> numbers;
  for (const std::string_view name : names) numbers.push_back(*layer_number(name));
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

std::vector<std::vector<std::size_t>> alike_layers(const std::vector<std::string_view>& names, const KindOf& kind_of) {
  std::vector<std::vector<std::size_t>> groups;
  std::unordered_map<std::string, std::size_t> group_of;  // by kind
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::optional<std::string> kind = layer_number(names[i]) ? kind_of(i) : std::nullopt;
    const std::size_t group = kind ? group_of.try_emplace(*kind, groups.size()).first->second : groups.size();
    if (group == groups.size()) groups.emplace_back();
    groups[group].push_back(i);
  }
  return groups;
}

std::vector<FoldedRows> fold_rows(const std::vector<ModuleRow>& rows) {
  std::vector<FoldedRows> folded;
  std::vector<std::set<std::string_view>> paths;                             // by folded row
  std::map<std::pair<std::string, std::string_view>, std::size_t> position;  // of the folded row, by pattern and kind
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto [found, is_new] = position.try_emplace({pattern_of(rows[i].path), rows[i].kind}, folded.size());
    if (is_new) {
      folded.emplace_back();
      paths.emplace_back();
    }
    folded[found->second].rows.push_back(i);
    paths[found->second].insert(rows[i].path);
  }
  for (std::size_t f = 0; f < folded.size(); ++f) {
    folded[f].path = folded_path(paths[f]);
    folded[f].modules = paths[f].size();
  }
  return folded;
}

std::uint32_t ModuleTree::add(std::uint32_t above, std::string_view path) {
  while (!path.empty()) {
    const bool is_last = modules[above].depth + 1 == kMaxModuleDepth;
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
