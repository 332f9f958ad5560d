#include "bench/micro/passes.h"

#include <utility>

#include "normalise/common_subexpressions.h"
#include "normalise/dead_code.h"
#include "policy/recompute_tags.h"
#include "read/read_file.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

JointGraph normalise(JointGraph joint, const Settings& settings) {
  joint = merge_common_subexpressions(std::move(joint));
  resolve_recompute_tags(joint, Users(joint.graph), settings, Partitioner::MinCut);
  return joint;
}

}  // namespace

GraphAfterPasses::GraphAfterPasses()
    : text(read_file(FXCUT_BENCHMARK_GRAPH)),
      document(Document::parse(text, FXCUT_BENCHMARK_GRAPH)),
      read(read_joint_graph(*document)),
      live(eliminate_dead_code(read)),
      decided(normalise(live, settings)),
      users(decided.graph),
      roles(classify(decided, users)),
      distance(distance_from_backward(decided.graph, users, roles)),
      choice(choose_saved_values(analysis(), 1)) {}

const GraphAfterPasses& graph_after_passes() {
  static const GraphAfterPasses made;
  return made;
}

}  // namespace fxcut
