// What an operator is: one table of facts from PyTorch's registry, compiled in, and what a graph says of its own
// operators on top of it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/operator.h"
#include "release/release.h"

namespace fxcut {

// What a graph's `ops` says of one operator overload; what is not given is taken from the table.
struct OperatorFacts {
  std::optional<std::vector<std::string>> tags;
  std::optional<bool> mutates;
  std::optional<int> returns;
  std::optional<bool> builtin;
  std::optional<std::string> schema;
};

// The operators of one graph: an Operator for each target that is asked for, with a lasting address.
class OperatorTable {
 public:
  // As `release` has them.
  explicit OperatorTable(Release release = kNewestRelease) : release_(release) {}

  // Adds facts on `target` or overrides the table's. Facts only: the classes are PyTorch's fixed lists.
  void describe(const std::string& target, OperatorFacts facts);

  // The operator of that target; made at the first call. Never fails: an unknown operator is one without tags that
  // mutates nothing and returns one value.
  const Operator& find(std::string_view target);

 private:
  Release release_;
  std::map<std::string, OperatorFacts, std::less<>> described_;
  std::map<std::string, std::unique_ptr<const Operator>, std::less<>> operators_;
};

// The operator of that target as the compiled-in table has it for a release, without a graph's facts.
Operator make_operator(std::string_view target, Release release = kNewestRelease);

}  // namespace fxcut
