// One graph, decided on as the settings say, for the commands that write partitions.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "json/document.h"
#include "pipeline/pipeline.h"
#include "write/files.h"

namespace fxcut {

// The partition, within the settings' limits of time and of the peak. Shows on `err` what a long search is at. Throws
// Failure as `partition` does, naming `file_name`.
Partition partition_graph(JointGraph joint, const Settings& settings, const PolicyStack& policies,
                          const std::string& file_name, std::ostream& err,
                          const StageDone& done = kNoProgress);

// The files that a partition is: forward.json, backward.json and report.json. They are made while they are written, of
// `partition` and of `document`, which the graph was read from.
std::vector<OutputFile> files_of(const Partition& partition, const Document& document);

}  // namespace fxcut
