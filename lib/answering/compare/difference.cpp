#include "compare/difference.h"

#include <algorithm>

namespace fxcut {
namespace {

Int128 size_of(Int128 change) { return change < 0 ? -change : change; }

// Parameters and buffers are always resident: saving them takes no memory.
Int128 effect_on_bytes(const ValueChange& change) { return change.value().static_lifetime ? 0 : size_of(change.bytes); }

}  // namespace

bool Difference::is_same() const {
  // Run times also differ where the decision does not: they are estimates for a device.
  const auto differs = [](const FigureChange& figure) { return figure.change() != 0 && figure.unit != "ps"; };
  return saved.empty() && recomputed.empty() && nodes.empty() && std::none_of(figures.begin(), figures.end(), differs);
}

std::string_view name_of(ValueChange::Kind kind) {
  constexpr std::string_view words[] = {"is",        "came",    "went",      "grew",    "shrank", "reshaped", "to_host",
                                        "from_host", "to_form", "from_form", "rewired", "moved"};
  return words[static_cast<std::size_t>(kind)];
}

std::string_view note_of(const ValueChange& change) {
  switch (change.kind) {
    case ValueChange::Kind::Added:
      if (!change.before) return "";
      return change.before->state == ValueState::Recomputed ? "was recomputed"
             : change.before->state == ValueState::Computed ? "was not saved"
                                                     : "was saved";
    case ValueChange::Kind::Removed:
      if (!change.after) return "";
      return change.after->state == ValueState::Recomputed ? "now recomputed"
             : change.after->state == ValueState::Computed ? "no longer saved"
                                                    : "now saved";
    case ValueChange::Kind::ToHost: return "now on the host";
    case ValueChange::Kind::FromHost: return "was on the host";
    case ValueChange::Kind::ToForm: return change.before->form.empty() ? "now in fewer bits" : "now in others";
    case ValueChange::Kind::FromForm: return "was in fewer bits";
    case ValueChange::Kind::Rewired: return "other arguments";
    case ValueChange::Kind::Moved: return "another place among the inputs";
    default: return "";
  }
}

std::optional<ValueChange::Kind> change_of_kept(const ComparedValue& before, const ComparedValue& after) {
  using enum ValueChange::Kind;
  if (before.state != after.state && after.state == ValueState::Offloaded) return ToHost;
  if (before.state != after.state && before.state == ValueState::Offloaded) return FromHost;
  if (after.size_bytes != before.size_bytes) return after.size_bytes > before.size_bytes ? Grew : Shrank;
  if (after.extent != before.extent) return Reshaped;
  if (after.form != before.form) return after.form.empty() ? FromForm : ToForm;
  return std::nullopt;
}

void sort_by_bytes(std::vector<ValueChange>& changes) {
  std::stable_sort(changes.begin(), changes.end(), [](const ValueChange& a, const ValueChange& b) {
    const Int128 of_a = effect_on_bytes(a), of_b = effect_on_bytes(b);
    if (of_a != of_b) return of_a > of_b;
    return size_of(a.bytes) != size_of(b.bytes) ? size_of(a.bytes) > size_of(b.bytes)
                                                : size_of(a.flops) > size_of(b.flops);
  });
}

void sort_by_flops(std::vector<ValueChange>& changes) {
  std::stable_sort(changes.begin(), changes.end(), [](const ValueChange& a, const ValueChange& b) {
    return size_of(a.flops) > size_of(b.flops);
  });
}

}  // namespace fxcut
