#include <fmt/format.h>

#include <vector>

#include "eager/show_eager.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {

std::string totals_text(const EagerPolicy& policy) {
  std::vector<std::vector<std::string>> rows = {
      {"held", show_bytes(policy.held_bytes), "by the decision, each storage counted once"},
      {"  said", show_bytes(policy.kept_bytes()), "to eager PyTorch, in " + show_count(policy.kept.size(), "call")},
      {"  inputs", show_bytes(policy.input_bytes), "of the step or of a region, in memory in any case"},
      {"  not said", show_bytes(policy.unsaid_bytes()), "in " + show_count(policy.unsaid.size(), "value") + ", which are below"}};
  if (policy.more_bytes() > 0) {
    rows.push_back({"saved too", show_bytes(policy.more_bytes()), "results of these calls that the decision does not hold"});
  }
  if (policy.entering_bytes() > 0) {
    rows.push_back({"held too", show_bytes(policy.entering_bytes()), "inputs of regions"});
  }
  return fmt::format("{}: {}\n\n{}", policy.graph,
                     policy.form == "torch" ? "a policy for eager PyTorch" : "a list of operators for torchtitan",
                     show_columns_within(rows, "lrl"));
}

// The first: names of joint values are long, and JSON has all.
std::string saved_as(const KeptCall& kept) {
  if (kept.values.size() < 2) return kept.values.empty() ? "" : kept.values.front();
  return fmt::format("{} +{}", kept.values.front(), kept.values.size() - 1);
}

Table kept_table(const EagerPolicy& policy) {
  Table table{"nnrrrrn", {{"module", "operator", "call", "of", "bytes", "more", "saved as"}}};
  for (const KeptCall& kept : policy.kept) {
    const EagerCall& call = kept.call;
    table.rows.push_back({call.module, call.op, std::to_string(call.number + 1),
                          std::to_string(policy.calls.counts.at({call.module, call.op})), show_bytes(kept.saved_bytes),
                          kept.more_bytes > 0 ? show_bytes(kept.more_bytes) : "", saved_as(kept)});
  }
  return table;
}

Table entering_table(const EagerPolicy& policy) {
  Table table{"nnr", {{"held too", "by the region", "bytes"}}};
  for (const EnteringValue& value : policy.entering) {
    table.rows.push_back({value.name, value.region, show_bytes(value.size_bytes)});
  }
  return table;
}

// The values that one reason keeps from being said.
std::string unsaid_text(const UnsaidForReason& unsaid) {
  Table table{"nnnr", {{"value", "operator", "module", "bytes"}}};
  for (const UnsaidValue* value : unsaid.values) {
    table.rows.push_back({value->name, value->op, value->module, show_bytes(value->size_bytes)});
  }
  return fmt::format("\nNOT SAID, {}: {}\n{}", show_bytes(unsaid.size_bytes), sentence_on(unsaid.why), table_text(table));
}

}  // namespace

std::string eager_text(const EagerPolicy& policy) {
  std::string text = totals_text(policy);
  if (!policy.kept.empty()) text += "\n" + table_text(kept_table(policy));
  if (!policy.entering.empty()) text += "\n" + table_text(entering_table(policy));
  for (const UnsaidForReason& unsaid : unsaid_by_reason(policy)) text += unsaid_text(unsaid);
  return text;
}

}  // namespace fxcut
