// JAX's checkpoint policies (jax.checkpoint_policies of JAX 0.10.2) as permissions: JAX queries a policy for each
// operation. A result that may be saved is saved if the backward uses it; all others are recomputed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"
#include "policy/policy_stack.h"
#include "policy/policy_subjects.h"

namespace fxcut {

// Refused: by name, so that no alias of the value is saved either.
enum class Permission { No, Refused, Save, Offload };

// The arguments of a query.
struct JaxQuery {
  const Node& node;           // computes the value
  const ValueNames& names;    // of the value
  const ValueNames& of_copied;  // of the value that it is a copy of, else the same as `names`
};

// The permissions of a policy. Unlike JAX's, a name holds for the value under every alias:
// save_anything_except_these_names saves the excluded value neither under the name of its computation nor as a copy.
class JaxPermission {
 public:
  // `policy` has no mistake and outlives this.
  explicit JaxPermission(const JaxPolicy& policy);
  Permission operator()(const JaxQuery& value) const { return permits_(lists_, value); }

  // Its names for lookup, and its parts.
  struct Lists {
    std::unordered_set<std::string_view> names, save, offload;
    std::vector<JaxPermission> parts;
  };

 private:
  Permission (*permits_)(const Lists&, const JaxQuery&);
  Lists lists_;
};

// The names of JAX's policies.
const std::vector<std::string_view>& jax_policy_names();

// The mistake in a policy, if any: an unknown name (with the nearest known one), lists that do not belong to it or are
// missing, a name both to save and to offload.
std::optional<std::string> mistake_in(const JaxPolicy& policy);

// Its name and arguments: "save_only_these_names(q, k)".
std::string describe(const JaxPolicy& policy);

}  // namespace fxcut
