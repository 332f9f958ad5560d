// Call arguments from JSON.
#pragma once

#include <string_view>
#include <vector>

#include "classify/operator_table.h"
#include "graph/graph.h"
#include "graph/text_map.h"
#include "json/fields.h"

namespace fxcut {

// The names of a graph's nodes, later ones included.
using NodeNames = TextMap<NodeId>;

// Reads the arguments of one node. `reader` is that node's position: it can refer to earlier nodes only.
class ArgumentReader {
 public:
  ArgumentReader(const NodeNames& names, OperatorTable& operators, NodeId reader, std::string_view node,
                 Mistakes& mistakes)
      : names_(names), operators_(operators), reader_(reader), node_(node), mistakes_(mistakes) {}

  // Mistakes: a form that is not in schemas/joint_graph.schema.json; a reference to an unknown node, a later one or
  // itself.
  Argument read(const JsonValue& json);

  // The nodes referred to so far, in order; Argument::index is a position in it.
  std::vector<NodeId> take_inputs() { return std::move(inputs_); }

 private:
  Argument read_tagged(const JsonValue& json);
  Argument read_reference(const JsonValue& name);
  Argument read_sequence(const JsonValue& json, Argument::Kind kind);
  Argument read_slice(const JsonValue& json);
  Argument read_dict(const JsonValue& json);
  Argument read_non_finite(const JsonValue& json);
  Argument read_complex(const JsonValue& json);
  void read_items(const JsonValue& json, Argument& argument);
  std::vector<std::string_view> known_names() const;

  const NodeNames& names_;
  OperatorTable& operators_;
  NodeId reader_;
  std::string_view node_;
  Mistakes& mistakes_;
  std::vector<NodeId> inputs_;
};

}  // namespace fxcut
