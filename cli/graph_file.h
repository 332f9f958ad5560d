// The input graph of a command.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>

#include "graph/graph.h"
#include "json/document.h"
#include "partition/partition.h"
#include "read/read_graph.h"
#include "release/release.h"

namespace fxcut {

struct GraphFile {
  std::string name;  // for messages
  std::shared_ptr<const Document> document;
  GraphForm form = GraphForm::Joint;
  std::string side;  // as in AnyGraph
  JointGraph joint;
};

// Reads the file (- is standard input) as of that torch_version, and warns on `err` of an unknown release, unknown
// operators, and static inputs that were put right (read/read_static_inputs.h). Throws Failure that lists every mistake with its
// place.
GraphFile read_graph_file(const std::string& path, std::ostream& err,
                          const std::string& torch_version = std::string(kAsProducer),
                          const PassDone& done = kNoProgress);

// The same for a file's text; `name` is for messages.
GraphFile read_graph_text(std::string text, const std::string& name, std::ostream& err,
                          const std::string& torch_version, const PassDone& done = kNoProgress);

// Throws Failure (BadInput) if the graph is a whole step, which cannot be a stage of a pipeline.
void refuse_step(const GraphFile& file);

// The same for a joint graph or one side of a partition.
GraphFile read_any_graph_file(const std::string& path, std::ostream& err,
                              const std::string& torch_version = std::string(kAsProducer));
GraphFile read_any_graph_text(std::string text, const std::string& name, std::ostream& err,
                              const std::string& torch_version = std::string(kAsProducer));

}  // namespace fxcut
