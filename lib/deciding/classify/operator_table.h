// Facts about operators: a compiled-in table from PyTorch's registry, and a graph's own facts on top of it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "graph/operator.h"
#include "release/release.h"

namespace fxcut {

// The names of the mutable arguments in the text of a schema, such as "my::op(Tensor(a!) x, int n=1, *, Tensor? y=None) -> ()".
std::vector<std::string> mutable_arguments(std::string_view schema);

// Their positions among all arguments.
std::vector<std::optional<std::size_t>> mutable_positions(std::string_view schema);

// The argument dropout_p, if any (PyTorch's get_schema_arg_idx).
std::optional<Operator::Dropout> dropout_argument(std::string_view schema);

// Facts in a graph's `ops` on one operator overload; missing ones are taken from the table.
struct OperatorFacts {
  std::optional<std::vector<std::string>> tags;
  std::optional<bool> mutates;
  std::optional<int> returns;
  std::optional<bool> builtin;
  std::optional<std::string> schema;
};

// The operators of one graph: an Operator for each target, with a lasting address.
class OperatorTable {
 public:
  // The operators of `release`.
  explicit OperatorTable(Release release = kNewestRelease) : release_(release) {}

  // Adds facts about `target` or overrides the table's. Not the classes, which are PyTorch's fixed lists.
  void describe(const std::string& target, OperatorFacts facts);

  // The operator of that target, created on first use. Never fails: an unknown operator has no tags, mutates nothing
  // and returns one value.
  const Operator& find(std::string_view target);

 private:
  Release release_;
  std::map<std::string, OperatorFacts, std::less<>> described_;
  std::map<std::string, std::unique_ptr<const Operator>, std::less<>> operators_;
};

// The operator of that target in the compiled-in table for a release, without a graph's facts.
Operator make_operator(std::string_view target, Release release = kNewestRelease);

// The operator overloads that are neither in the table nor in the graph's `ops`, each once, in execution order,
// subgraphs last. They are treated as pure, not random, and returning one value.
std::vector<std::string> unknown_operators(const JointGraph& joint);

}  // namespace fxcut
