#include "cost/collective_time.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "classify/collectives.h"

namespace fxcut {
namespace {

// The last text among a functional collective's arguments is its group.
std::string_view group_of(const Node& call) {
  if (const Argument* named = call.arguments->find("group_name")) return named->text;
  std::string_view group;
  for (const Argument& argument : call.arguments->positional) {
    if (argument.kind == Argument::Kind::String) group = argument.text;
  }
  return group;
}

// Gathering and scattering calls have it before their group: (tensor, 8, "0"), (tensor, "sum", 8, "0").
std::optional<std::int64_t> ranks_of(const Node& call) {
  const Argument* named = call.arguments->find("group_size");
  if (named && named->kind == Argument::Kind::Int) return named->integer;
  const std::vector<Argument>& given = call.arguments->positional;
  const bool has_size = is_all_gather(*call.callee) || is_reduce_scatter(*call.callee);
  if (!has_size || given.size() < 3 || given[given.size() - 2].kind != Argument::Kind::Int) return std::nullopt;
  return given[given.size() - 2].integer;
}

}  // namespace

double collective_ms(const Node& call, double bytes, const DeviceProfile& device) {
  constexpr double kMsPerSecond = 1000, kBytesPerGb = 1e9, kMsPerUs = 1e-3;
  const double rounds = is_all_reduce(*call.callee) ? 2 : 1;
  const auto group = std::ranges::find(device.groups, group_of(call), &LinkGroup::name);
  if (group == device.groups.end()) {
    return kMsPerSecond * rounds * bytes / (link_rate(device) * kBytesPerGb);
  }
  const std::int64_t ranks = ranks_of(call).value_or(group->ranks);
  const double share = ranks > 0 ? static_cast<double>(ranks - 1) / static_cast<double>(ranks) : 1;
  return kMsPerUs * group->latency_us + kMsPerSecond * rounds * share * bytes / (group->gb_per_second * kBytesPerGb);
}

}  // namespace fxcut
