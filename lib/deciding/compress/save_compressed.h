// The decision within a limit of saved bytes where values may also be kept in fewer bits.
#pragma once

#include "cost/analysis.h"
#include "cost/size.h"
#include "frontier/effort.h"
#include "settings/memory_limit.h"
#include "solve/saved_values.h"

namespace fxcut {

// As save_within_limit(), with the choice of forms_of_fewer_bits() for each value: its time is that of recomputing, of saving
// where that is priced, and of making and restoring the forms. Never slower than without them, by these prices. Throws as that
// does.
SavedValues save_compressed_within_limit(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                                         const SearchLimits& search);

// Has the joint graph's meta say what the choice compresses.
void mark_compressed(JointGraph& joint, const SavedValues& choice);

}  // namespace fxcut
