// The wrapper of one graph, run without data: each statement allocates and frees memory as in Python.
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
  const WrapperCode& wrapper;
  const GraphFacts& facts;
};

// An input by the code's description, in a new block of that kind; or a number.
Object make_input(const SideCode& side, const std::string& name, BlockKind kind, Ledger& ledger);

// Runs "call" on `inputs`, by position, and returns its results; statements that are not understood are noted.
std::vector<Object> run_side(const SideCode& side, std::vector<Object> inputs, Ledger& ledger, std::vector<CodeNote>& notes);

}  // namespace fxcut
