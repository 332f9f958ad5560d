// JAX's checkpoint policies (jax.checkpoint_policies of JAX 0.10.2), as permissions: JAX asks a policy for each
// operation whether its result may be saved; what may be is, where the backward uses it, and the rest is recomputed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"
#include "policy/policy_match.h"
#include "policy/policy_stack.h"

namespace fxcut {

// Refused: by name, so that the value is not to be saved as another either.
enum class Permission { No, Refused, Save, Offload };

// The value that a policy is asked of.
struct JaxQuery {
  const Node& node;           // that computes it
  const ValueNames& names;    // its own
  const ValueNames& of_copied;  // those of the value that it is a copy of; the same where it is none
};

// What a policy permits. Unlike JAX's, a name holds for the value under every alias, so
// save_anything_except_these_names does not save the excluded value as what it was computed as, nor a copy of it.
class JaxPermission {
 public:
  // Of a policy without a mistake, which must outlive this.
  explicit JaxPermission(const JaxPolicy& policy);
  Permission operator()(const JaxQuery& value) const { return permits_(lists_, value); }

  // What the policy names, to be looked up, and the policies that it is made of.
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

// What is wrong with a policy, if something is: an unknown name (with the nearest), lists that it does not take or
// lacks, a name to be saved and offloaded.
std::optional<std::string> mistake_in(const JaxPolicy& policy);

// Its name and arguments: "save_only_these_names(q, k)".
std::string describe(const JaxPolicy& policy);

}  // namespace fxcut
