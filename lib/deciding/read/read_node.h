// Nodes one after another from JSON.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "classify/operator_table.h"
#include "graph/graph.h"
#include "json/fields.h"
#include "read/call_outline.h"
#include "read/read_argument.h"
#include "read/read_meta.h"
#include "read/read_value.h"

namespace fxcut {

// Reads nodes; equal parts are shared.
class NodeReader {
 public:
  NodeReader(OperatorTable& operators, Mistakes& mistakes)
      : operators_(operators), mistakes_(mistakes), values_(mistakes), meta_(mistakes) {}

  // The node at position `id`. Mistakes: missing or ill-typed fields, references to unknown or later nodes.
  void read(const JsonValue& json, const NodeNames& names, NodeId id, Node& node);

 private:
  // The members of a node.
  struct Fields {
    explicit Fields(const JsonValue& node);
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
  std::unordered_map<std::string, std::shared_ptr<const Arguments>> shared_arguments_;  // by outline
  std::unordered_map<std::string_view, const Operator*> known_operators_;               // by the operator's own target
};

}  // namespace fxcut
