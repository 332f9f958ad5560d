// A partition as somebody else finds it: written to files, and read again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "graph_text.h"
#include "json/document.h"
#include "partition/partition.h"
#include "read/read_graph.h"
#include "report/show_report.h"
#include "verify/verify.h"
#include "write/graph_json.h"

namespace fxcut {

struct ReadBack {
  JointGraph joint, forward, backward;
  ReportJson report;

  Verification verify_with_report() const { return verify(joint, forward, backward, &report); }
  Verification verify_by_names() const { return verify(joint, forward, backward); }
};

// `text` is in the notation of the tests. Throws what `partition` and the readers throw.
inline ReadBack partition_and_read_back(const std::string& text, const Settings& settings,
                                        const PolicyStack& policies = {}) {
  const auto document = Document::parse(joint_json(text), "test.json");
  JointGraph joint = read_joint_graph(*document);
  const Partition made = partition(joint, settings, policies);
  const auto read_side = [&](const Graph& graph, const char* side) {
    return read_any_graph(*Document::parse(graph_json(graph, made.subgraphs, side, *document), side)).joint;
  };
  return {std::move(joint), read_side(made.graphs.forward, "forward"), read_side(made.graphs.backward, "backward"),
          ReportJson::parse(report_json(made.report))};
}

}  // namespace fxcut
