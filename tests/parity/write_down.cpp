#include "write_down.h"

#include "report/show_report.h"
#include "write/graph_json.h"

namespace fxcut {

WrittenPartition write_down(const Partition& made, const Document& document) {
  return {Json::parse(graph_json(made.graphs.forward, made.subgraphs, "forward", document)),
          Json::parse(graph_json(made.graphs.backward, made.subgraphs, "backward", document)),
          Json::parse(report_json(made.report))};
}

}  // namespace fxcut
