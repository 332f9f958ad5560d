// A partition as its three files would hold it, without files.
#pragma once

#include "json/document.h"
#include "pipeline/pipeline.h"
#include "verify_partition.h"

namespace fxcut {

// `document` is what the joint graph was read from.
WrittenPartition write_down(const Partition& made, const Document& document);

}  // namespace fxcut
