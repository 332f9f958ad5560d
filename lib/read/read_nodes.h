// The nodes of a graph from JSON.
#pragma once

#include <memory>
#include <utility>

#include "classify/operator_table.h"
#include "graph/graph.h"
#include "read/fields.h"
#include "read/read_argument.h"
#include "read/read_value.h"

namespace fxcut {

// Reads the nodes of a document's graph and of its subgraphs, which share their operators.
class NodesReader {
 public:
  NodesReader(std::shared_ptr<OperatorTable> operators, Mistakes& mistakes)
      : operators_(std::move(operators)), mistakes_(mistakes), values_(mistakes) {}

  // The graph of the nodes that `owner` lists as its 'nodes'. Mistakes: missing or ill-typed fields, names that stand
  // twice, references to unknown or later nodes, no output node, several, or one that is not the last.
  Graph read(const JsonValue& owner);

 private:
  NodeNames read_names(const JsonValue& nodes);
  void read_node(const JsonValue& json, const NodeNames& names, NodeId id, Node& node);
  void read_fields(const JsonValue& json, Node& node);
  void read_call(const JsonValue& json, const NodeNames& names, NodeId id, Node& node);
  void check_outputs(const JsonValue& nodes, const Graph& graph);

  std::shared_ptr<OperatorTable> operators_;
  Mistakes& mistakes_;
  ValueReader values_;
};

}  // namespace fxcut
