// A partition as its three files would hold it, without files.
#pragma once

#include "pipeline.h"
#include "read/document.h"
#include "verify_partition.h"

namespace fxcut {

// `document` is what the joint graph was read from.
WrittenPartition write_down(const Partition& made, const Document& document);

}  // namespace fxcut
