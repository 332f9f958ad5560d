#include "written_partition.h"

#include "json/document.h"
#include "read/read_file.h"
#include "read/read_graph.h"
#include "report/show_report.h"

namespace fxcut {

WrittenPartition write_partition(const JointGraph& joint, const Settings& settings) {
  const Partition made = partition(joint, settings);
  return {joint,
          {side_of(made.graphs.forward, made, joint), side_of(made.graphs.backward, made, joint),
           nlohmann::json::parse(report_json(made.report))}};
}

JointGraph recorded_graph(const std::string& name) {
  const std::string path = FXCUT_TESTDATA "/" + name + ".json";
  return read_joint_graph(*Document::parse(read_file(path), path));
}

}  // namespace fxcut
