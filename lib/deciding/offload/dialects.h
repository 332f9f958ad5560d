// The copies of each dialect: which nodes of offload/copies.h, and in which order.
#pragma once

#include <string>

#include "graph/editing.h"
#include "graph/naming.h"
#include "settings/settings.h"

namespace fxcut {

// Adds the copy of a tensor to the host after a node, and returns it. `names` creates its name from `name`; in the
// dialect ao the node that starts the copy has a name with the prefix "async_".
NodeId add_copy_to_host(Editing& editing, OffloadDialect dialect, NodeId source, NodeId after, const std::string& name,
                        Namespace& names);

// The same for a copy of `source` from the host back to the device of `original`; its nodes are added before a node.
NodeId add_copy_from_host(Editing& editing, OffloadDialect dialect, NodeId source, const Tensor& original,
                          NodeId before, const std::string& name, Namespace& names);

}  // namespace fxcut
