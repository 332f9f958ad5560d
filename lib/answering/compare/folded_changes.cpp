#include "compare/folded_changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "compare/phrases.h"
#include "report/layers.h"
#include "report/report.h"
#include "text/text_style.h"

namespace fxcut {
namespace {

// Everything shown of it except its name and module. A value without a module is like no other.
std::string kind_of(const ValueChange& change) {
  const ComparedValue& value = change.value();
  return fmt::format("{} {} {}\n{}\n{}\n{}\n{}", name_of(change.kind), static_cast<std::int64_t>(change.bytes),
                     static_cast<double>(change.flops), value.op, show_extent(change), note_of(change),
                     value.provenance.module.empty() ? show_name(change) : "");
}

Int128 without_sign(Int128 change) { return change < 0 ? -change : change; }

// The order of sort_by_bytes, and of sort_by_flops, whose changes have no bytes.
bool is_larger(const FoldedChange& a, const FoldedChange& b) {
  const auto effect = [](const FoldedChange& row) {
    return row.change.value().static_lifetime ? 0 : without_sign(row.change.bytes);
  };
  return effect(a) != effect(b) ? effect(a) > effect(b) : without_sign(a.change.flops) > without_sign(b.change.flops);
}

}  // namespace

std::vector<FoldedChange> folded(const std::vector<ValueChange>& changes) {
  std::vector<FoldedChange> folded;
  if (!text_style().folds) {
    for (const ValueChange& change : changes) folded.push_back({change, 1, show_place(change.value().provenance)});
    return folded;
  }
  std::vector<ModuleRow> rows;
  for (const ValueChange& change : changes) rows.push_back({change.value().provenance.module, kind_of(change)});
  for (const FoldedRows& alike : fold_rows(rows)) {
    FoldedChange one{changes[alike.rows.front()], alike.rows.size(), alike.path};
    if (one.place.empty()) one.place = show_place(one.change.value().provenance);
    one.change.bytes *= static_cast<Int128>(one.values);
    one.change.flops *= static_cast<Int128>(one.values);
    folded.push_back(std::move(one));
  }
  if (folded.size() < changes.size()) std::stable_sort(folded.begin(), folded.end(), is_larger);
  return folded;
}

}  // namespace fxcut
