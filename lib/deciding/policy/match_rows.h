// The conditions that a rule may set for a node, a row for each: its form in policy files and in messages, and the nodes that
// meet it.
// The reader, the writer, messages, the index and the schema's test go by these rows alone.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy_stack.h"
#include "policy/policy_subjects.h"

namespace fxcut {

using AddText = std::function<void(std::string_view)>;

// A pattern of which the node has texts: one of them has to match.
struct TextRow {
  enum class Form { Glob, OperatorGlob, Dtype };

  std::string_view key;
  std::optional<Pattern> PolicyMatch::*member;
  void (*texts)(const Graph& graph, const PolicySubjects& subjects, NodeId id, const AddText& add);
  Form form = Form::Glob;                                 // in the file
  bool (Pattern::*matches)(std::string_view) const = &Pattern::matches;
};

// A number that the node has to have, or that its own may not be below or above.
struct NumberRow {
  enum class Bound { Equal, Least, Most };

  std::string_view key, told;  // "at least {} bytes"
  std::optional<std::int64_t> PolicyMatch::*member;
  std::optional<std::int64_t> (*number)(const Node& node);
  Bound bound = Bound::Equal;
  bool is_size = false;  // in the file also "100MB"
};

// One of several words. The nodes of each are many, so that no index is worth while.
template <typename Word, typename Words>
struct WordRow {
  std::string_view key, what;  // "kind of node"
  std::optional<Word> PolicyMatch::*member;
  const Words& words;  // with their names
  std::vector<bool> (*nodes)(const Graph& graph, const PolicySubjects& subjects, Word word);  // by node

  static std::string_view name(Word word) { return name_of(word); }
};

extern const std::array<TextRow, 5> kTextRows;
extern const std::array<NumberRow, 3> kNumberRows;

// By node, whether it is of that kind, or of that class.
std::vector<bool> nodes_of(const Graph& graph, const PolicySubjects& subjects, NodeKind kind);
std::vector<bool> nodes_of(const Graph& graph, const PolicySubjects& subjects, OperatorClass operators);

inline constexpr WordRow<NodeKind, decltype(kNodeKinds)> kKindRow = {"kind", "kind of node", &PolicyMatch::kind, kNodeKinds,
                                                                    &nodes_of};

inline constexpr WordRow<OperatorClass, decltype(kOperatorClasses)> kClassRow = {
    "class", "class of operators", &PolicyMatch::operators, kOperatorClasses, &nodes_of};

// The position of one of these rows among them.
template <typename Row, std::size_t count>
std::size_t position_in(const std::array<Row, count>& rows, const Row& row) {
  return static_cast<std::size_t>(&row - rows.data());
}

// Calls `visit` with each row.
void for_each_match_row(const auto& visit) {
  visit(kKindRow);
  visit(kClassRow);
  for (const TextRow& row : kTextRows) visit(row);
  for (const NumberRow& row : kNumberRows) visit(row);
}

// "op aten.mm.*, every 2": the parts of a match.
std::string describe(const PolicyMatch& match);

}  // namespace fxcut
