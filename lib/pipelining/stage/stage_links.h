// The values that the stages of a pipeline send to each other.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "schedule/stage_link.h"

namespace fxcut {

// The links between these stages, in order of their ends; times are 0. An output of a stage goes to each later stage that has an
// input of its name, as the stages of a cut graph do (stage/split_at.h), and a gradient to the stage that has a tangent of its
// name. If a stage has no such output, because its graph was captured by itself, all its outputs go to the next stage, and all of
// its tangents come from there.
std::vector<StageLink> find_links(const std::vector<const JointGraph*>& stages);

}  // namespace fxcut
