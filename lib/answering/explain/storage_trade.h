// The frontier solver's trade-off for one value: the effect of another choice for its storage, with the solver's choice for all
// other storages. Where values may be kept in fewer bits, the problem is the one with forms (frontier/with_forms.h).
#pragma once

#include <optional>

#include "explain/explanation.h"
#include "graph/graph.h"
#include "partition/decision.h"
#include "settings/settings.h"

namespace fxcut {

// The memory of its storage, or of the form that is kept in its place, against the recomputation without it. The decision must be
// the frontier solver's; empty if the value has no storage of its own, or the backward cannot need it.
std::optional<StorageTrade> find_storage_trade(const Decision& decision, const Settings& settings, NodeId value);

// For a value that the decision saves in fewer bits: that form against saving the value as it is.
FormTrade find_form_trade(const Decision& decision, const Settings& settings, NodeId value);

}  // namespace fxcut
