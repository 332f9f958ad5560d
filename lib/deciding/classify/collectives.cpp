#include "classify/collectives.h"

#include <string>
#include <string_view>

namespace fxcut {
namespace {

bool is_form_of(const Operator& callee, std::string_view name) {
  return callee.is_collective() && callee.packet.starts_with("_c10d_functional." + std::string(name));
}

}  // namespace

bool is_all_gather(const Operator& callee) { return is_form_of(callee, "all_gather"); }
bool is_all_reduce(const Operator& callee) { return is_form_of(callee, "all_reduce"); }
bool is_reduce_scatter(const Operator& callee) { return is_form_of(callee, "reduce_scatter"); }

}  // namespace fxcut
