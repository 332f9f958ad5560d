// A decision for JAX, whose rematerialisation saves values by name: where jax.ad_checkpoint.checkpoint_name has to give which
// names, and the policy that saves those (jax.checkpoint_policies.save_only_these_names).
//
// A value that has a checkpoint name keeps it. Others get one of their module, their operator and its count there. Layers are
// often the body of one jax.lax.scan, in which a name stands for all of them: where the decision is the same in all modules that
// differ in numbers only, they have one name; else each has its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "report/report.h"

namespace fxcut {

struct JaxName {
  std::string name;
  bool has_it = false;        // the graph's values have it already
  bool is_offloaded = false;  // to the host
  std::vector<std::string> values;  // in the report's order
  std::int64_t size_bytes = 0;      // of their storages
  std::size_t modules = 1, of = 1;  // in how many modules, and how many differ in numbers only
  DescribedNode first;              // of these values
};

struct JaxNames {
  std::string graph, producer;
  std::int64_t held_bytes = 0;   // that the decision holds, each storage once
  std::int64_t input_bytes = 0;  // of these, of inputs
  std::vector<JaxName> names;    // in the report's order
  std::vector<DescribedNode> unsaid;  // values that only the backward computes
  std::int64_t unsaid_bytes = 0;

  std::int64_t named_bytes() const;
};

// `joint` is the graph as it was read, `decision` a report of it. Throws Failure (Usage) if that saves values in fewer bits.
JaxNames jax_names(JointGraph joint, const Report& decision);

// The bytes that cannot be said, in a sentence for a warning; empty if there are none.
std::string unsaid_in_short(const JaxNames& names);

}  // namespace fxcut
