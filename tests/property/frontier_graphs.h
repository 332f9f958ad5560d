// Random joint graphs that have a frontier, and the choices along it.
#pragma once

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "random_joint_graph.h"

namespace fxcut {

// Calls `check` with each of `graphs` random graphs that can be cut, and with the choices that `along` makes on it.
void for_each_frontier(std::uint32_t graphs, const auto& along, const auto& check) {
  std::uint32_t checked = 0;
  for (std::uint32_t seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const JointGraph joint =
        joint_graph(random_joint_graph(seed, {.primals = 3, .forward_calls = 14, .backward_calls = 14}));
    decltype(along(joint)) choices;
    try {
      choices = along(joint);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::NoPartition) << failure.what();
    }
    if (choices.empty()) continue;
    check(joint, choices);
    ++checked;
  }
  EXPECT_GT(checked, graphs / 2) << "most graphs have no frontier";
}

}  // namespace fxcut
