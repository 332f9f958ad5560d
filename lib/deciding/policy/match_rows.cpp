#include "policy/match_rows.h"

#include <fmt/format.h>

#include "classify/gathered_parameters.h"
#include "policy/composite_operators.h"

namespace fxcut {
namespace {

std::optional<std::int64_t> bytes_of_value(const Node& node) {
  return node.value ? std::optional(tensor_bytes(*node.value)) : std::nullopt;
}

NodeKind kind_of(const Graph& graph, const PolicySubjects& subjects, NodeId id) {
  const Node& node = graph[id];
  if (!node.is_call()) return node.meta.static_lifetime ? NodeKind::Parameter : NodeKind::Input;
  return node.callee->is(Operator::View) || subjects.same[index_of(id)] != id ? NodeKind::View : NodeKind::Activation;
}

}  // namespace

const std::array<TextRow, 5> kTextRows = {{
    {"node", &PolicyMatch::node,
     [](const Graph& graph, const PolicySubjects&, NodeId id, const AddText& add) { add(graph[id].name); }},
    {"name", &PolicyMatch::name,
     [](const Graph&, const PolicySubjects& subjects, NodeId id, const AddText& add) {
       for (const std::string& name : subjects.names[index_of(id)]) add(name);
     }},
    {"op", &PolicyMatch::op,
     [](const Graph& graph, const PolicySubjects&, NodeId id, const AddText& add) {
       if (!graph[id].is_call()) return;
       add(graph[id].callee->target);
       if (const auto composite = composite_of(graph, graph[id])) add(*composite);
     },
     TextRow::Form::OperatorGlob},
    {"module", &PolicyMatch::module,
     [](const Graph& graph, const PolicySubjects&, NodeId id, const AddText& add) {
       if (graph[id].provenance) add(graph[id].provenance->module);
     },
     TextRow::Form::Glob, &Pattern::matches_path},
    {"dtype", &PolicyMatch::dtype,
     [](const Graph& graph, const PolicySubjects&, NodeId id, const AddText& add) {
       if (graph[id].has_tensor()) add(graph[id].value->tensor.dtype->name);
     },
     TextRow::Form::Dtype},
}};

const std::array<NumberRow, 3> kNumberRows = {{
    {"min_bytes", "at least {} bytes", &PolicyMatch::min_bytes, bytes_of_value, NumberRow::Bound::Least, true},
    {"max_bytes", "at most {} bytes", &PolicyMatch::max_bytes, bytes_of_value, NumberRow::Bound::Most, true},
    {"ac_graph_id", "region {}", &PolicyMatch::ac_graph_id, [](const Node& node) { return node.meta.ac_graph_id; }},
}};

std::vector<bool> nodes_of(const Graph& graph, const PolicySubjects& subjects, NodeKind kind) {
  if (kind == NodeKind::Gathered) return find_gathered_parameters(graph);
  std::vector<bool> are(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) are[i] = kind_of(graph, subjects, node_id(i)) == kind;
  return are;
}

std::vector<bool> nodes_of(const Graph& graph, const PolicySubjects&, OperatorClass operators) {
  return calls_of(graph, operators);
}

std::string describe(const PolicyMatch& match) {
  std::vector<std::string> parts;
  const auto add = [&]<typename Row>(const Row& row) {
    const auto& given = match.*row.member;
    if (!given) return;
    if constexpr (std::is_same_v<Row, TextRow>) {
      parts.push_back(fmt::format("{} {}", row.key, given->text()));
    } else if constexpr (std::is_same_v<Row, NumberRow>) {
      parts.push_back(fmt::format(fmt::runtime(row.told), *given));
    } else {
      parts.push_back(fmt::format("{} {}", row.key, row.name(*given)));
    }
  };
  for_each_match_row(add);
  if (match.every != 1) parts.push_back(fmt::format("every {}", match.every));
  return parts.empty() ? "everything" : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace fxcut
