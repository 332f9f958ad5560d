// The form of a call's arguments without the nodes in them.
//
// A tree of arguments has holes for references to nodes (graph/argument.h), so the many calls of a graph that differ
// only in their inputs can share one. The outline is a text that is equal for such calls: the JSON of the arguments,
// with a mark in the place of each reference.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "read/read_argument.h"

namespace fxcut {

class CallOutline {
 public:
  // Begins a call of the node at position `reader`: it can refer to earlier nodes only.
  void begin(const NodeNames& names, NodeId reader);
  void add_positional(const JsonValue& args);
  void add_keyword(const JsonValue& kwargs);

  const std::string& text() const { return text_; }
  // The nodes referred to, in order; incomplete if one is unknown or later.
  const std::vector<NodeId>& inputs() const { return inputs_; }
  bool is_sound() const { return is_sound_; }

 private:
  void add(const JsonValue& argument);
  void add_items(const JsonValue& array);
  void add_members(const JsonValue& object);
  void add_as_written(const JsonValue& json) { json.document().append(json.ticket(), text_); }
  void refer(const JsonValue& name);

  const NodeNames* names_ = nullptr;
  NodeId reader_{0};
  std::string text_;
  std::vector<NodeId> inputs_;
  bool is_sound_ = true;
};

}  // namespace fxcut
