// Graphs as inductor would run them, in a notation for comparison.
#pragma once

#include <string>
#include <string_view>

#include "graph_text.h"
#include "inductor/fuse.h"
#include "inductor/lower.h"

namespace fxcut {

// The text, with its {} filled.
inline std::string filled(std::string_view text, std::string_view with) {
  std::string result(text);
  return result.replace(result.find("{}"), 2, with);
}

// The text with the same in place of each of its {}.
inline std::string filled_everywhere(std::string_view given, std::string_view with) {
  std::string text(given);
  while (text.find("{}") != std::string::npos) text = filled(text, with);
  return text;
}

// A graph in the notation of graph_text.h, lowered and fused: its kernels in order, separated by spaces, each as the nodes of the
// buffers that it writes, with a + between the parts of one; library calls are in brackets, and buffers that are never allocated
// in parentheses.
inline std::string fused_kernels(std::string_view text, const InductorRules& rules = rules_for_cpu()) {
  const JointGraph joint = joint_graph(text);
  Kernels program = lower(joint.graph, rules).program;
  std::string shown;
  for (const FusedKernel& kernel : fuse(program, rules)) {
    std::string parts;
    for (const BufferId written : kernel.writes) {
      const Buffer& buffer = program.buffers[written];
      const std::string& name = joint.graph[buffer.node].name;
      parts += (parts.empty() ? "" : "+") + (buffer.vanishes ? "(" + name + ")" : name);
    }
    if (kernel.library) parts = "[" + parts + "]";
    shown += (shown.empty() ? "" : " ") + parts;
  }
  return shown;
}

// The nodes of the buffers that are local to a kernel, separated by spaces.
inline std::string local_buffers(std::string_view text) {
  const JointGraph joint = joint_graph(text);
  const InductorRules rules = rules_for_cpu();
  Kernels program = lower(joint.graph, rules).program;
  fuse(program, rules);
  std::string shown;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.is_local) shown += (shown.empty() ? "" : " ") + joint.graph[buffer.node].name;
  }
  return shown;
}

}  // namespace fxcut
