// Functional collectives by what they do. Each has forms of one name: plain, _coalesced, in place, and _out.
#pragma once

#include "graph/operator.h"

namespace fxcut {

bool is_all_gather(const Operator& callee);
bool is_all_reduce(const Operator& callee);
bool is_reduce_scatter(const Operator& callee);

}  // namespace fxcut
