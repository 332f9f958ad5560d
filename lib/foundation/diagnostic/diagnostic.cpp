#include "diagnostic/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/printable.h"

namespace fxcut {

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMaxNamesListed = 20;
  const auto shown = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMaxNamesListed));
  const std::string more = names.size() > kMaxNamesListed ? fmt::format(" and {} more", names.size() - kMaxNamesListed) : "";
  return fmt::format("{}{}", fmt::join(names.begin(), shown, ", "), more);
}

namespace {

// Each line on a new line, indented.
std::string below(std::string_view lines, std::string_view indentation) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    ((text += '\n') += indentation) += lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return text;
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  return printable_paragraph(fmt::format("{}{}error: {}{}{}{}", diagnostic.place, diagnostic.place.empty() ? "" : ": ",
                                         diagnostic.message, below(diagnostic.excerpt, "    "),
                                         diagnostic.hint.empty() ? "" : "\n  ", diagnostic.hint));
}

Failure::Failure(ExitStatus status, std::vector<Diagnostic> diagnostics)
    : status_(status), diagnostics_(std::move(diagnostics)) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : diagnostics_) lines.push_back("fxcut: " + to_string(diagnostic));
  text_ = fmt::format("{}", fmt::join(lines, "\n"));
}

Failure::Failure(ExitStatus status, std::string message, std::string hint)
    : Failure(status, {Diagnostic{"", std::move(message), std::move(hint)}}) {}

namespace {

// Longer names are not compared: the table below is quadratic in the length.
constexpr std::size_t kLongestName = 80;

// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    std::swap(above, row);
  }
  return above[b.size()];
}

// Case is ignored: must_save means MUST_SAVE.
std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; });
  return lower;
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.size() > kLongestName) return {};
  const std::string meant = lower_case(word);
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const std::size_t difference =
        candidate.size() > word.size() ? candidate.size() - word.size() : word.size() - candidate.size();
    if (difference >= best || candidate.size() > kLongestName) continue;
    if (const std::size_t d = distance(meant, lower_case(candidate)); d < best) {
      best = d;
      found = candidate;
    }
  }
  if (found.empty()) {
    constexpr std::size_t kShortestBeginning = 3;
    const auto begins = std::find_if(candidates.begin(), candidates.end(), [&](std::string_view candidate) {
      return lower_case(candidate).starts_with(meant);
    });
    if (begins != candidates.end() && word.size() >= kShortestBeginning) found = *begins;
  }
  return std::string(found);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string found = nearest(word, candidates);
  return found.empty() ? "" : fmt::format("did you mean '{}'?", found);
}

std::string did_you_mean_or_known(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string hint = did_you_mean(word, candidates);
  return hint.empty() ? fmt::format("expected one of {}", fmt::join(candidates, ", ")) : hint;
}

}  // namespace fxcut
