#include "classify/operator_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "classify/host_copies.h"
#include "classify/purity.h"

namespace fxcut {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The arguments as written, "int n=1", without the lone "*" before keyword-only ones. Commas separate them, but also
// the items of a default such as "int[2] x=[0, 0]".
std::vector<std::string_view> split_arguments(std::string_view schema) {
  const std::size_t open = schema.find('('), close = schema.rfind(')', schema.rfind("->"));
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  schema = schema.substr(open + 1, close - open - 1);
  std::vector<std::string_view> arguments;
  int depth = 0;
  for (std::size_t begin = 0, i = 0; i <= schema.size(); ++i) {
    const char c = i < schema.size() ? schema[i] : ',';
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < schema.size())) continue;
    const std::string_view argument = trim(schema.substr(begin, i - begin));
    if (!argument.empty() && argument != "*") arguments.push_back(argument);
    begin = i + 1;
  }
  return arguments;
}

struct Declaration {
  std::string_view type;
  std::string_view name;
  std::string_view by_default;  // empty for none
};

Declaration parse_declaration(std::string_view argument) {
  const std::size_t equals = argument.find('=');
  const std::string_view declared = trim(argument.substr(0, equals));
  const std::size_t space = declared.rfind(' ');
  if (space == std::string_view::npos) return {declared, "", ""};
  return {declared.substr(0, space), declared.substr(space + 1),
          equals == std::string_view::npos ? "" : argument.substr(equals + 1)};
}

bool is_written(const Declaration& declared) { return declared.type.find('!') != std::string_view::npos; }

constexpr unsigned kMutates = 1;
constexpr unsigned kSeededRandom = 2;
constexpr ReleaseInterval kAll;
constexpr double kNoDefault = std::numeric_limits<double>::quiet_NaN();

// A name may have several rows, for intervals of releases that do not overlap.
struct OverloadFacts {
  std::string_view target;
  ReleaseInterval in;
  unsigned flags;
  int returns;
  std::string_view mutable_arguments;  // comma-separated
};

struct DropoutRow {
  std::string_view target;
  std::size_t position;
  double by_default;
};

struct SideEffectRow {
  std::string_view target;
  ReleaseInterval in;
};

struct PacketClasses {
  std::string_view target;
  ReleaseInterval in;
  unsigned classes;
};

#include "classify/operator_table.inc"

template <typename Rows>
auto find_targets(const Rows& rows, std::string_view target) {
  return std::ranges::equal_range(rows, target, {}, [](const auto& row) { return row.target; });
}

// The row that holds in `release`, or null.
template <typename Rows>
auto find_row_in(const Rows& rows, std::string_view target, Release release) -> decltype(std::begin(rows)) {
  for (const auto& row : find_targets(rows, target)) {
    if (row.in.has(release)) return &row;
  }
  return nullptr;
}

std::optional<Operator::Dropout> find_dropout(std::string_view target) {
  const auto rows = find_targets(kDropouts, target);
  if (rows.empty()) return std::nullopt;
  const DropoutRow& row = rows.front();
  return Operator::Dropout{row.position, std::isnan(row.by_default) ? std::nullopt : std::optional(row.by_default)};
}

// The table has only names: these are first if they are mutable; others are given by keyword.
std::optional<std::size_t> position_of(std::string_view argument) {
  const bool is_first = argument == "self" || argument == "input" || argument == "inputs";
  return is_first ? std::optional<std::size_t>(0) : std::nullopt;
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
  if (parts.empty()) return Operator::Kind::PythonFunction;  // without a name, which is a mistake
  if (parts[0] == "higher_order") return Operator::Kind::HigherOrder;
  if (known_overload || (parts.size() == 3 && !is_python_module(parts[0]))) return Operator::Kind::Overload;
  return Operator::Kind::PythonFunction;
}

Operator make(std::string_view target, Release release, const OperatorFacts* own) {
  const OverloadFacts* row = find_row_in(kOverloads, target, release);
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
  if (const auto* classes = find_row_in(kPackets, op.packet, release)) {
    op.classes = static_cast<std::uint8_t>(classes->classes);
    op.known = true;
  }
  op.has_side_effect = find_row_in(kSideEffects, target, release) != nullptr;
  if (release.has(Change::ZeroDropoutIsNotRandom)) op.dropout = find_dropout(target);
  if (row) {
    op.mutates = (row->flags & kMutates) != 0;
    op.seeded_random = (row->flags & kSeededRandom) != 0;
    op.returns = row->returns;
    op.mutable_arguments = split(row->mutable_arguments, ',');
    for (const std::string& name : op.mutable_arguments) op.mutable_positions.push_back(position_of(name));
  }
  return op;
}

void apply(const OperatorFacts& facts, Release release, Operator& op) {
  if (facts.tags) {
    op.seeded_random =
        std::find(facts.tags->begin(), facts.tags->end(), "nondeterministic_seeded") != facts.tags->end();
  }
  if (facts.schema) {
    op.mutable_arguments = mutable_arguments(*facts.schema);
    op.mutable_positions = mutable_positions(*facts.schema);
  }
  if (facts.schema && release.has(Change::ZeroDropoutIsNotRandom)) op.dropout = dropout_argument(*facts.schema);
  op.mutates = facts.mutates.value_or(op.mutates || (facts.schema && !op.mutable_arguments.empty()));
  op.returns = facts.returns.value_or(op.returns);
  op.builtin = facts.builtin.value_or(op.builtin);
}

bool is_auto_functionalized(const Operator& op) {
  return op.target == "higher_order.auto_functionalized" || op.target == "higher_order.auto_functionalized_v2";
}

bool needs_no_size(const Operator& op, Release release) {
  if (release.has(Change::ResultlessOperatorsHaveNoSize)) return op.is_overload() && op.returns == 0;
  return release.has(Change::AssertsHaveNoSize) && op.target == "aten._assert_scalar.default";
}

// Sets what follows from the other facts.
void settle(Release release, Operator& op) {
  op.stays_unused = op.has_side_effect || (op.mutates && release.has(Change::WritersHaveSideEffects)) ||
                    (is_registered_random(op) && release.has(Change::DeadRandomCallsStay));
  op.has_effects_of_wrapped = is_auto_functionalized(op) && release.has(Change::EffectsHaveARegistry);
  const bool writes = op.is_overload() && op.mutates;
  const bool is_effect = op.target == "higher_order.with_effects" &&
                         !release.has(Change::EffectsAreForcedSaved);
  op.runs_in_forward = (writes || is_effect) && release.has(Change::MutationsKeepTheirSide);
  op.follows_backward_tag = (writes && release.has(Change::MutationsKeepTheirSide)) ||
                            (is_effect && release.has(Change::BackwardTagsDecide));
  op.needs_no_size = needs_no_size(op, release);
}

struct Unknown {
  std::vector<std::string> targets;
  std::set<const Operator*> seen;
};

void collect(const Graph& graph, const Subgraphs& subgraphs, Unknown& unknown) {
  for (const Node& node : graph.nodes) {
    if (!node.is_call() || !node.callee->is_overload() || node.callee->known || is_host_copy(node)) continue;
    if (unknown.seen.insert(node.callee).second) unknown.targets.push_back(node.callee->target);
  }
  for (const auto& [name, subgraph] : subgraphs) collect(subgraph.graph, subgraph.subgraphs, unknown);
}

}  // namespace

std::vector<std::string> mutable_arguments(std::string_view schema) {
  std::vector<std::string> names;
  for (const std::string_view argument : split_arguments(schema)) {
    if (const Declaration declared = parse_declaration(argument); is_written(declared)) names.emplace_back(declared.name);
  }
  return names;
}

std::vector<std::optional<std::size_t>> mutable_positions(std::string_view schema) {
  std::vector<std::optional<std::size_t>> positions;
  const std::vector<std::string_view> arguments = split_arguments(schema);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (is_written(parse_declaration(arguments[i]))) positions.emplace_back(i);
  }
  return positions;
}

std::optional<Operator::Dropout> dropout_argument(std::string_view schema) {
  std::size_t position = 0;
  for (const std::string_view argument : split_arguments(schema)) {
    const Declaration declared = parse_declaration(argument);
    if (declared.name == "dropout_p") {
      double value = 0;
      const char* const end = declared.by_default.data() + declared.by_default.size();
      const bool has_default = std::from_chars(declared.by_default.data(), end, value).ec == std::errc();
      return Operator::Dropout{position, has_default ? std::optional(value) : std::nullopt};
    }
    ++position;
  }
  return std::nullopt;
}

Operator make_operator(std::string_view target, Release release) {
  Operator op = make(target, release, nullptr);
  settle(release, op);
  return op;
}

void OperatorTable::describe(const std::string& target, OperatorFacts facts) {
  described_.insert_or_assign(target, std::move(facts));
}

const Operator& OperatorTable::find(std::string_view target) {
  auto found = operators_.find(target);
  if (found == operators_.end()) {
    const auto own = described_.find(target);
    const OperatorFacts* facts = own == described_.end() ? nullptr : &own->second;
    Operator op = make(target, release_, facts);
    if (facts) apply(*facts, release_, op);
    settle(release_, op);
    found = operators_.emplace(target, std::make_unique<const Operator>(std::move(op))).first;
  }
  return *found->second;
}

std::vector<std::string> unknown_operators(const JointGraph& joint) {
  Unknown unknown;
  collect(joint.graph, joint.subgraphs, unknown);
  return std::move(unknown.targets);
}

}  // namespace fxcut
