// The wrapper of one graph, run without data: each statement does to memory what it would do in Python.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiled/graph_facts.h"
#include "compiled/object.h"
#include "compiled/wrapper.h"

namespace fxcut {

struct SideCode {
  const CompiledCode& code;
  const Wrapper& wrapper;
  const GraphFacts& facts;
};

// An input as the code describes it, in a block of that kind from now on; a number where it is one.
Object make_input(const SideCode& side, const std::string& name, BlockKind kind, Ledger& ledger);

// Runs "call" on `inputs`, by position. Returns what it returns; notes what it did not understand.
std::vector<Object> run_side(const SideCode& side, std::vector<Object> inputs, Ledger& ledger, std::vector<CodeNote>& notes);

}  // namespace fxcut
