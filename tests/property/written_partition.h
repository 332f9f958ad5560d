// A partition as a reader of its three files has it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "broken_partition.h"
#include "graph/graph.h"
#include "partition/partition.h"
#include "verify/verify.h"

namespace fxcut {

struct WrittenPartition {
  JointGraph joint;
  WrittenSides written;

  Verification verify() const { return fxcut::verify(joint, written.forward, written.backward, &written.report); }
};

WrittenPartition write_partition(const JointGraph& joint, const Settings& settings);

// A graph of testdata, by its path in there without ".json".
JointGraph recorded_graph(const std::string& name);

}  // namespace fxcut
