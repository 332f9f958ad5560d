#include "graph/arguments_by_name.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace fxcut {
namespace {

using Keyword = std::pair<std::string, Argument>;

const std::string& name_of_keyword(const Keyword& keyword) { return keyword.first; }

bool is_by_name(const Argument& argument) {
  return std::ranges::is_sorted(argument.keys) && std::ranges::all_of(argument.items, is_by_name);
}

void order_members(Argument& dictionary) {
  std::vector<std::size_t> places(dictionary.keys.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::sort(places, {}, [&](std::size_t place) -> const std::string& { return dictionary.keys[place]; });
  std::vector<Argument> items;
  for (const std::size_t place : places) items.push_back(std::move(dictionary.items[place]));
  dictionary.items = std::move(items);
  std::ranges::sort(dictionary.keys);
}

void order(Argument& argument, std::vector<std::uint32_t>& inputs) {
  if (argument.kind == Argument::Kind::Node) {
    inputs.push_back(std::exchange(argument.index, static_cast<std::uint32_t>(inputs.size())));
  }
  if (argument.kind == Argument::Kind::Dict) order_members(argument);
  for (Argument& item : argument.items) order(item, inputs);
}

}  // namespace

bool are_by_name(const Arguments& arguments) {
  return std::ranges::is_sorted(arguments.keyword, {}, name_of_keyword) &&
         std::ranges::all_of(arguments.positional, is_by_name) &&
         std::ranges::all_of(arguments.keyword, is_by_name, &Keyword::second);
}

ArgumentsByName by_name(Arguments arguments) {
  ArgumentsByName ordered{std::move(arguments), {}};
  std::ranges::sort(ordered.arguments.keyword, {}, name_of_keyword);
  for (Argument& argument : ordered.arguments.positional) order(argument, ordered.inputs);
  for (auto& [name, argument] : ordered.arguments.keyword) order(argument, ordered.inputs);
  return ordered;
}

std::vector<NodeId> inputs_at(const std::vector<std::uint32_t>& positions, const std::vector<NodeId>& inputs) {
  std::vector<NodeId> taken;
  taken.reserve(positions.size());
  for (const std::uint32_t position : positions) taken.push_back(inputs[position]);
  return taken;
}

}  // namespace fxcut
