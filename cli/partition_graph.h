// The partition of one graph, for the commands that write partitions.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "json/document.h"
#include "partition/partition.h"
#include "sizes/decide_for_sizes.h"
#include "write/files.h"

namespace fxcut {

// The partition, within the settings' limits of time and of the peak. Shows the progress of a long search on `err`. Throws
// Failure as `partition` does, naming `file_name`.
Partition partition_graph(JointGraph joint, const Settings& settings, const PolicyStack& policies,
                          const std::string& file_name, std::ostream& err,
                          const PassDone& done = kNoProgress);

// One decision for the graph at several sizes, within the settings' limits at each, and the same otherwise.
DecidedForSizes partition_for_sizes(const std::vector<JointGraph>& sizes, const Settings& settings, const PolicyStack& policies,
                                    LeastFor least_for, const std::string& file_name, std::ostream& err);

// The files of a partition: forward.json, backward.json and report.json, generated during writing from `partition` and
// `document`, from which the graph was read.
std::vector<OutputFile> files_of(const Partition& partition, const Document& document);

}  // namespace fxcut
