#include "classify/operator_table.h"

#include <algorithm>
#include <iterator>

namespace fxcut {
namespace {

constexpr unsigned kMutates = 1;
constexpr unsigned kSeededRandom = 2;

struct OverloadFacts {
  std::string_view target;
  unsigned flags;
  int returns;
  std::string_view mutable_arguments;  // comma-separated
};

struct PacketClasses {
  std::string_view packet;
  unsigned classes;
};

#include "classify/operator_table.inc"

template <typename Rows, typename Key>
auto find_row(const Rows& rows, std::string_view wanted, const Key& key) -> decltype(std::begin(rows)) {
  const auto found = std::lower_bound(std::begin(rows), std::end(rows), wanted,
                                      [&](const auto& row, std::string_view name) { return key(row) < name; });
  return found != std::end(rows) && key(*found) == wanted ? found : nullptr;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// Modules whose functions appear in joint graphs: their targets are never operator overloads.
bool is_python_module(std::string_view module) {
  return module == "torch" || module == "operator" || module == "math" || module == "builtins";
}

Operator::Kind kind_of(const std::vector<std::string>& parts, bool known_overload) {
  if (!parts.empty() && parts[0] == "higher_order") return Operator::Kind::HigherOrder;
  if (known_overload || (parts.size() == 3 && !is_python_module(parts[0]))) return Operator::Kind::Overload;
  return Operator::Kind::PythonFunction;
}

Operator make(std::string_view target, const OverloadFacts* row, const OperatorFacts* own) {
  const std::vector<std::string> parts = split(target, '.');
  Operator op;
  op.target = target;
  op.kind = kind_of(parts, row != nullptr || own != nullptr);
  op.known = row != nullptr || own != nullptr;
  op.base_name = parts.empty() ? "" : parts.back();
  op.packet = target;
  if (op.is_overload()) {
    op.space = parts.front();
    op.packet = target.substr(0, target.rfind('.'));
    op.builtin = op.space == "aten" || op.space == "prim" || op.space == "prims";
  }
  if (const auto* classes = find_row(kPackets, op.packet, [](const auto& r) { return r.packet; })) {
    op.classes = static_cast<std::uint8_t>(classes->classes);
    op.known = true;
  }
  op.has_side_effect = find_row(kSideEffects, target, [](std::string_view name) { return name; }) != nullptr;
  if (row) {
    op.mutates = (row->flags & kMutates) != 0;
    op.seeded_random = (row->flags & kSeededRandom) != 0;
    op.returns = row->returns;
    op.mutable_arguments = split(row->mutable_arguments, ',');
  }
  return op;
}

void apply(const OperatorFacts& facts, Operator& op) {
  if (facts.tags) {
    op.seeded_random = std::find(facts.tags->begin(), facts.tags->end(), "nondeterministic_seeded") != facts.tags->end();
  }
  if (facts.schema) op.mutable_arguments = mutable_arguments(*facts.schema);
  op.mutates = facts.mutates.value_or(op.mutates || (facts.schema && !op.mutable_arguments.empty()));
  op.returns = facts.returns.value_or(op.returns);
  op.builtin = facts.builtin.value_or(op.builtin);
}

const OverloadFacts* find_overload(std::string_view target) {
  return find_row(kOverloads, target, [](const auto& row) { return row.target; });
}

}  // namespace

Operator make_operator(std::string_view target) { return make(target, find_overload(target), nullptr); }

void OperatorTable::describe(const std::string& target, OperatorFacts facts) {
  described_.insert_or_assign(target, std::move(facts));
}

const Operator& OperatorTable::find(std::string_view target) {
  auto found = operators_.find(target);
  if (found == operators_.end()) {
    const auto own = described_.find(target);
    const OperatorFacts* facts = own == described_.end() ? nullptr : &own->second;
    Operator op = make(target, find_overload(target), facts);
    if (facts) apply(*facts, op);
    found = operators_.emplace(target, std::make_unique<const Operator>(std::move(op))).first;
  }
  return *found->second;
}

std::vector<std::string> mutable_arguments(std::string_view schema) {
  // An argument reads "Tensor(a!) name" or "Tensor(a!)[] name"; after "->" come the returns.
  std::vector<std::string> names;
  schema = schema.substr(0, schema.rfind("->"));
  for (std::size_t mark = schema.find('!'); mark != std::string_view::npos; mark = schema.find('!', mark + 1)) {
    const std::size_t name = schema.find(' ', schema.find(')', mark));
    if (name == std::string_view::npos) break;
    const std::size_t end = schema.find_first_of(",)=", name);
    names.emplace_back(schema.substr(name + 1, end - name - 1));
  }
  return names;
}

}  // namespace fxcut
