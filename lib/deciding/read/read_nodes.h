// The nodes of a graph from JSON.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "classify/operator_table.h"
#include "graph/graph.h"
#include "json/fields.h"
#include "read/call_outline.h"
#include "read/member_order.h"
#include "read/read_argument.h"
#include "read/read_meta.h"
#include "read/read_value.h"
#include "system/threads.h"

namespace fxcut {

// Reads nodes one after another; equal parts are shared.
class NodeReader {
 public:
  NodeReader(OperatorTable& operators, Mistakes& mistakes)
      : operators_(operators), mistakes_(mistakes), values_(mistakes), meta_(mistakes) {}

  // The node at position `id`. Mistakes: missing or ill-typed fields, references to unknown or later nodes.
  void read(const JsonValue& json, const NodeNames& names, NodeId id, Node& node);
  // The order of members in the nodes read so far.
  const MemberOrder& order() const { return order_; }

 private:
  // The members of a node.
  struct Fields {
    Fields(const JsonValue& node, MemberOrder& order);
    std::optional<JsonValue> name, op, target, args, kwargs, val, tensor_meta, meta;
  };

  const Operator& find_operator(std::string_view target);
  void read_call(const Fields& fields, const NodeNames& names, NodeId id, Node& node);
  void read_arguments(const Fields& fields, const NodeNames& names, NodeId id, Node& node);

  OperatorTable& operators_;
  Mistakes& mistakes_;
  ValueReader values_;
  MetaReader meta_;
  CallOutline outline_;
  MemberOrder order_;
  std::unordered_map<std::string, std::shared_ptr<const Arguments>> shared_arguments_;  // by outline
  std::unordered_map<std::string_view, const Operator*> known_operators_;               // by the operator's own target
};

// Reads the nodes of a document's graph and of its subgraphs, which share their operators. It may run on one thread
// while its creator parses on another.
class alignas(kCacheLine) NodesReader {
 public:
  NodesReader(std::shared_ptr<OperatorTable> operators, Mistakes& mistakes)
      : operators_(std::move(operators)), mistakes_(mistakes), node_(*operators_, mistakes) {}

  // The graph of the array 'nodes' of `owner`. Mistakes: missing or ill-typed fields, duplicate names, references to
  // unknown or later nodes, no output node, several, one that is not the last, or that returns a slice of nodes.
  Graph read(const JsonValue& owner);

  // The same one node at a time, from an incomplete array: `names` are those of the nodes so far, and a mistake may be
  // reported as another one. Call `check_outputs` at the end.
  void append(const JsonValue& json, NodeNames& names, Graph& graph);
  void check_outputs(const JsonValue& nodes, const Graph& graph);
  const MemberOrder& order() const { return node_.order(); }

 private:
  NodeNames read_names(const JsonValue& nodes);
  void read_name(const JsonValue& json, NodeId id, NodeNames& names);

  std::shared_ptr<OperatorTable> operators_;
  Mistakes& mistakes_;
  NodeReader node_;
};

}  // namespace fxcut
