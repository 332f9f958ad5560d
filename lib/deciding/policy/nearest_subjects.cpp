#include "policy/nearest_subjects.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "policy/composite_operators.h"

namespace fxcut {
namespace {

// Comparisons of two names, of about a microsecond each: after these there are no more hints.
constexpr std::size_t kMaxComparisons = 1'000'000;

const TextRow& names_row() { return *std::ranges::find(kTextRows, std::string_view("name"), &TextRow::key); }

}  // namespace

void NearestSubjects::Texts::add(std::string_view text) {
  if (all.insert(text).second) in_order.push_back(text);
}

std::string NearestSubjects::hint(std::string_view text, const Texts& known) {
  if (known.has(text) || comparisons_ >= kMaxComparisons) return "";
  comparisons_ += known.in_order.size();
  const std::string hint = did_you_mean(text, known.in_order);
  return hint.empty() ? "" : "; " + hint;
}

bool NearestSubjects::has_name(std::string_view name) { return texts(names_row()).has(name); }

std::string NearestSubjects::to_name(std::string_view name) { return hint(name, texts(names_row())); }

std::string NearestSubjects::hint_to_operator(const TextRow& row, const Pattern& op) {
  const auto parts = parts_of_composite(op.glob());
  if (parts.empty()) return op.is_regex() ? "" : hint(op.glob(), texts(row));
  std::string here;
  for (const std::string_view target : texts(row).in_order) {
    const std::string_view without_overload = target.substr(0, target.rfind('.'));
    if (std::ranges::find(parts, without_overload) == parts.end()) continue;
    here += fmt::format("{}{}", here.empty() ? "" : ", ", target);
  }
  return fmt::format("; PyTorch decomposes {}; {}", op.glob(),
                     here.empty() ? "the forward has none of its parts" : "the forward has " + here);
}

std::string NearestSubjects::to_match(const PolicyMatch& match) {
  for (const TextRow& row : kTextRows) {
    const auto& given = match.*row.member;
    if (!given) continue;
    const bool is_operator = row.form == TextRow::Form::OperatorGlob;
    const std::string nearest = is_operator ? hint_to_operator(row, *given) : hint(given->text(), texts(row));
    if (!nearest.empty()) return nearest;
  }
  return "";
}

const NearestSubjects::Texts& NearestSubjects::texts(const TextRow& row) {
  std::optional<Texts>& known = texts_[position_in(kTextRows, row)];
  if (known) return *known;
  known.emplace();
  const bool of_all = &row == &names_row();
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    if (of_all || subjects_.is_subject[i]) {
      row.texts(graph_, subjects_, node_id(i), [&](std::string_view text) { known->add(text); });
    }
  }
  return *known;
}

}  // namespace fxcut
