// Regions of checkpointing: the whole call of a model, or each call of the modules that a pattern names. What enters a region is
// in memory from the forward to the backward, and what is outside is saved as ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eager/eager_calls.h"
#include "eager/saved_owners.h"
#include "graph/graph.h"
#include "policy/pattern.h"

namespace fxcut {

class Regions {
 public:
  // A glob of modules' paths; empty: the whole call.
  explicit Regions(const std::string& pattern);

  // The region that a module is in: the outermost module that the pattern names, or "" for the whole call; none outside.
  std::optional<std::string> of(std::string_view module) const;

  // Whether one of the calls is in a region.
  bool have_any(const EagerCalls& calls) const;

 private:
  std::optional<Pattern> pattern_;
};

// A value that a call outside of a region computes, and one within takes, or a view of it.
struct EnteringValue {
  std::string name;
  std::string region;           // the first that it enters
  std::int64_t storage = 0;
  std::int64_t size_bytes = 0;  // of the storage
};

// Each storage once, in the order in which they are first taken, without those of the step's inputs.
std::vector<EnteringValue> find_entering(const Graph& graph, const EagerCalls& calls, const Regions& regions,
                                         const SavedOwners& owners);

}  // namespace fxcut
