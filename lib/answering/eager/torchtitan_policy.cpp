// The list of operators for torchtitan's apply_ac, as a Python module.
#include <fmt/format.h>

#include <iterator>

#include "eager/python_head.h"
#include "eager/show_eager.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// The values that the list saves beyond the decision, by operator.
std::string beyond_text(const EagerPolicy& policy) {
  std::string text;
  for (const std::string& op : policy.listed) {
    std::size_t calls = 0;
    std::int64_t bytes = 0;
    for (const KeptCall& kept : policy.kept) {
      if (kept.call.op != op || !kept.values.empty()) continue;
      ++calls;
      bytes += kept.more_bytes;
    }
    if (calls == 0) continue;
    fmt::format_to(std::back_inserter(text), "    {}  {} of {}\n", show_bytes(bytes), show_count(calls, "call"),
                   in_docstring(op));
  }
  return text.empty() ? "" : "Saved too, although the decision recomputes them:\n" + text + "\n";
}

}  // namespace

std::string torchtitan_policy(const EagerPolicy& policy, const MadeBy& made_by) {
  std::string text = fmt::format(R"("""What torchtitan's selective checkpointing saves, near to what {} decided of {} ({}).

    {}

Use: in the configuration, activation_checkpoint has mode "selective", selective_ac_option "op" and
per_op_sac_force_recompute_mm_shapes_by_fqns []; and where the model is parallelized:

    apply_ac(model, ac_config, op_sac_save_list=op_sac_save_list)

In each layer torchtitan saves all calls of these operators, but every second one of aten.mm, from the first.
`fxcut policy --as torch --regions "layers.*"` says each call by itself; its apply(model) takes the place of apply_ac.

{}
{}{}"""
)", made_by.program, in_docstring(policy.graph), in_docstring(policy.producer), in_docstring(made_by.command),
                                 totals_head(policy), beyond_text(policy), unsaid_head(policy));
  text += "\nimport torch\n\nop_sac_save_list = ";
  if (policy.listed.empty()) return text + "set()\n";
  text += "{\n";
  for (const std::string& op : policy.listed) {
    fmt::format_to(std::back_inserter(text), "    {},\n", python_operator(op));
  }
  return text + "}\n";
}

}  // namespace fxcut
