#include "partition/above_limit.h"

#include <fmt/format.h>

#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxNamed = 5;

struct Wording {
  std::string_view found_none, is_none;  // followed by the limit
  std::string_view lowest;
};

constexpr Wording kOfOperators = {"found no decision with a peak", "no decision has a peak", "possible"};
constexpr Wording kOfCode = {"found no decision whose code, as predicted of inductor, has a peak",
                             "no decision's code, as predicted of inductor, has a peak", "that is found"};

std::string largest_of(const std::vector<MemoryHeld>& in_use) {
  std::string text = in_use.empty() ? "" : "\n  the largest in use there:";
  for (const MemoryHeld& held : in_use | std::views::take(kMaxNamed)) {
    const GraphPlace& made = held.made_at;
    text += fmt::format("\n    {:>9}  {} ({}) of the {}", show_bytes(held.size_bytes), made.node, made.op, made.graph);
  }
  return text;
}

}  // namespace

Failure above_limit(const MemoryLimit& limit, const Report& lowest, MemoryOf whose, const std::optional<Int128>& floor_bytes) {
  const MemoryReport& memory = lowest.memory;
  const bool is_of_code = whose == MemoryOf::Compiled, is_proven = floor_bytes && *floor_bytes > limit.bytes;
  const Wording& wording = is_of_code ? kOfCode : kOfOperators;
  const Int128 bytes = is_of_code ? memory.compiled->peak_bytes : memory.peak_bytes;
  const GraphPlace& at = is_of_code ? memory.compiled->peak_at : memory.peak_at;
  std::string text = fmt::format("{} of at most {} bytes", is_proven ? wording.is_none : wording.found_none, limit.bytes);
  if (is_proven) text += fmt::format(", as it needs {} bytes or more", *floor_bytes);
  text += fmt::format(": the lowest found is {} bytes ({}), in the {} at '{}'", bytes,
                      show_scaled(static_cast<double>(bytes), "B"), at.graph, at.node);
  text += largest_of(is_of_code ? memory.compiled->at_peak : memory.at_peak);
  std::string hint = fmt::format("allow {} bytes, or 'least' for the lowest {}", bytes, wording.lowest);
  if (lowest.settings.host_bytes_limit) hint += "; or allow more host memory with --host-bytes";
  return Failure(ExitStatus::NoPartition, std::move(text), std::move(hint));
}

}  // namespace fxcut
