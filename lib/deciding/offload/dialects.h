// How each dialect copies a value: which nodes of offload/copies.h it takes, and where they stand.
#pragma once

#include <string>

#include "graph/editing.h"
#include "graph/naming.h"
#include "settings/settings.h"

namespace fxcut {

// Adds the copy of a tensor to the host behind a node, and returns it. It gets the name that `names` makes of `name`,
// and what starts it, in the dialect ao, one with "async_" in front.
NodeId add_copy_to_host(Editing& editing, OffloadDialect dialect, NodeId source, NodeId behind, const std::string& name,
                        Namespace& names);

// The same for a copy of `source`, on the host, back to where `original` was; its nodes stand before a node.
NodeId add_copy_from_host(Editing& editing, OffloadDialect dialect, NodeId source, const Tensor& original,
                          NodeId before, const std::string& name, Namespace& names);

}  // namespace fxcut
