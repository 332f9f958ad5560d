// Hints for policies that match nothing in the graph.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"
#include "policy/match_rows.h"
#include "policy/policy_stack.h"
#include "policy/policy_subjects.h"

namespace fxcut {

class NearestSubjects {
 public:
  // Both must outlive this.
  NearestSubjects(const Graph& graph, const PolicySubjects& subjects) : graph_(graph), subjects_(subjects) {}

  // Whether a value has that name.
  bool has_name(std::string_view name);

  // "; did you mean 'q'?" if no value has the name but one has a similar name. Empty once too many texts were compared:
  // with thousands of wrong names, the first few hints are enough.
  std::string to_name(std::string_view name);

  // The same for the first part of a match that matches nothing; of an operator that PyTorch decomposes, what it becomes.
  std::string to_match(const PolicyMatch& match);

 private:
  // Texts without repeats, in the graph's order.
  struct Texts {
    std::vector<std::string_view> in_order;
    std::unordered_set<std::string_view> all;

    void add(std::string_view text);
    bool has(std::string_view text) const { return all.contains(text); }
  };

  // The texts of the nodes that policies match: a hint to another would match nothing either. But every value may be named.
  const Texts& texts(const TextRow& row);
  std::string hint(std::string_view text, const Texts& known);
  std::string hint_to_operator(const TextRow& row, const Pattern& op);

  const Graph& graph_;
  const PolicySubjects& subjects_;
  std::array<std::optional<Texts>, std::tuple_size_v<decltype(kTextRows)>> texts_;  // by row, each computed on first use
  std::size_t comparisons_ = 0;
};

}  // namespace fxcut
