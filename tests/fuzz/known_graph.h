// The graph on which an entry tries inputs that are not graphs.
#pragma once

#include "graph/graph.h"
#include "read/read_file.h"
#include "read/read_graph.h"

namespace fxcut {

inline const JointGraph& known_graph() {
  static const auto document = Document::parse(read_file(FXCUT_TESTDATA "/mlp.json"), "mlp.json");
  static const JointGraph joint = read_joint_graph(*document);
  return joint;
}

}  // namespace fxcut
