#include "classify/host_copies.h"

#include <algorithm>
#include <iterator>

namespace fxcut {

bool is_host_copy(const Node& call) {
  constexpr std::string_view kCopies[] = {kDevicePut, kOffload, kReload, kPlaceToHost, kPlaceToDevice};
  return std::find(std::begin(kCopies), std::end(kCopies), call.callee->target) != std::end(kCopies);
}

bool copies_to_host(const Node& node) {
  return node.calls(kOffload) || node.calls(kPlaceToHost) || (node.calls(kDevicePut) && node.name.starts_with(kOnHost));
}

}  // namespace fxcut
