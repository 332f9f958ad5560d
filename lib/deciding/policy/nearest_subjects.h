// What may have been meant by a policy that speaks of nothing in the graph.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"
#include "policy/policy_match.h"
#include "policy/policy_stack.h"

namespace fxcut {

class NearestSubjects {
 public:
  // Both must outlive this.
  NearestSubjects(const Graph& graph, const PolicySubjects& subjects) : graph_(graph), subjects_(subjects) {}

  // Whether a value has that name.
  bool has_name(std::string_view name) { return names().has(name); }

  // "; did you mean 'q'?", where no value has the name but one a name like it. Empty also once so many texts have been
  // compared that more would take long: who mistook thousands of names reads the first few hints.
  std::string to_name(std::string_view name);

  // The same for the first part of a match that speaks of nothing.
  std::string to_match(const PolicyMatch& match);

 private:
  // Texts, each once, in the order in which the graph has them.
  struct Texts {
    std::vector<std::string_view> in_order;
    std::unordered_set<std::string_view> all;

    void add(std::string_view text);
    bool has(std::string_view text) const { return all.contains(text); }
  };

  const Texts& names();
  const Texts& operators();
  const Texts& modules();
  const Texts& dtypes();
  std::string hint(std::string_view wanted, const Texts& known);

  const Graph& graph_;
  const PolicySubjects& subjects_;
  std::optional<Texts> names_, operators_, modules_, dtypes_;  // each made when first asked for
  std::size_t comparisons_ = 0;
};

}  // namespace fxcut
