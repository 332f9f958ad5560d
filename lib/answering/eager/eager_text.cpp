#include <fmt/format.h>

#include <vector>

#include "eager/show_eager.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {

std::string totals_text(const EagerPolicy& policy) {
  std::string text = fmt::format("{}: {} held, of which eager PyTorch is told {} in {}\n", policy.graph,
                                 show_bytes(policy.held_bytes), show_bytes(policy.kept_bytes()),
                                 show_count(policy.kept.size(), "call"));
  if (policy.input_bytes > 0) text += fmt::format("  {} are inputs, which are in memory in any case\n", show_bytes(policy.input_bytes));
  if (policy.more_bytes() > 0) {
    text += fmt::format("  {} more are saved: other results of the same calls\n", show_bytes(policy.more_bytes()));
  }
  if (!policy.unsaid.empty()) {
    text += fmt::format("  {} cannot be said, and are recomputed\n", show_bytes(policy.unsaid_bytes()));
  }
  return text;
}

Table kept_table(const EagerPolicy& policy) {
  Table table{"nnrrrrn", {{"module", "operator", "call", "of", "bytes", "more", "saved as"}}};
  for (const KeptCall& kept : policy.kept) {
    const EagerCall& call = kept.call;
    table.rows.push_back({call.module, call.op, std::to_string(call.number + 1),
                          std::to_string(policy.calls.counts.at({call.module, call.op})), show_bytes(kept.saved_bytes),
                          kept.more_bytes > 0 ? show_bytes(kept.more_bytes) : "",
                          fmt::format("{}", fmt::join(kept.values, ", "))});
  }
  return table;
}

Table unsaid_table(const EagerPolicy& policy) {
  Table table{"nnnrl", {{"not said", "operator", "module", "bytes", "why"}}};
  for (const UnsaidValue& value : policy.unsaid) {
    table.rows.push_back({value.name, value.op, value.module, show_bytes(value.size_bytes), std::string(sentence_on(value.why))});
  }
  return table;
}

}  // namespace

std::string eager_text(const EagerPolicy& policy) {
  std::string text = totals_text(policy);
  if (!policy.kept.empty()) text += "\n" + table_text(kept_table(policy));
  if (!policy.unsaid.empty()) text += "\n" + table_text(unsaid_table(policy));
  return text;
}

}  // namespace fxcut
