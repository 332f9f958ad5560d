// A partition as its three files would hold it, without files.
#pragma once

#include "json/document.h"
#include "json_graph.h"
#include "partition/partition.h"

namespace fxcut {

struct WrittenPartition {
  Json forward, backward, report;
};

// `document` is what the joint graph was read from.
WrittenPartition write_down(const Partition& made, const Document& document);

}  // namespace fxcut
