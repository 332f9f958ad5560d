// The forms in which a decision for eager PyTorch is shown.
#pragma once

#include <string>
#include <string_view>

#include "eager/eager_policy.h"
#include "eager/jax_policy.h"

namespace fxcut {

// The origin that a written policy names.
struct MadeBy {
  std::string program;  // "fxcut 1.0"
  std::string command;  // by which it is made again
};

// A Python module, from assets/torch_policy.py.
std::string torch_policy(const EagerPolicy& policy, const MadeBy& made_by);

// The list of operators that torchtitan's apply_ac takes, as a Python module; `policy` is torchtitan_list()'s.
std::string torchtitan_policy(const EagerPolicy& policy, const MadeBy& made_by);

// That file, which the build makes (embed_text.cmake).
std::string_view torch_policy_template();

// The calls that are saved, and the values that cannot be said.
std::string eager_text(const EagerPolicy& policy);

// schemas/eager_policy.schema.json.
std::string eager_json(const EagerPolicy& policy);

// The names and the policy for JAX: a Python module, a table, and schemas/jax_names.schema.json.
std::string jax_policy(const JaxNames& names, const MadeBy& made_by);
std::string jax_text(const JaxNames& names);
std::string jax_json(const JaxNames& names);

}  // namespace fxcut
