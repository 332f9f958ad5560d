// What holds of every partition, recomputed from the files alone: the joint graph that went in, the two graphs and the
// report that came out. Knows nothing of how the partition was made.
#pragma once

#include <string>
#include <vector>

#include "json_graph.h"

namespace fxcut {

// The content of the three files.
struct WrittenPartition {
  Json forward, backward, report;
};

// What is wrong, a sentence each; empty where all holds:
// - each graph holds by itself (verify_graph.h), and so does the way of values over the host (verify_offload.h);
// - the forward takes the joint graph's primals and seeds; the backward takes what the report says is saved, and
//   besides tangents and seeds; either may take states of generators;
// - the forward returns its own outputs and then what is saved, the backward all other outputs, and each saved value
//   stands where the report says;
// - a call that the joint graph has is the joint graph's call, and those of both sides are reported as recomputed;
// - the report's totals are the sums of its rows.
std::vector<std::string> verify_partition(const Json& joint, const WrittenPartition& written);

}  // namespace fxcut
