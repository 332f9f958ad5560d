// The page's data (html/page.h): columns turned into rows, numbers of texts into texts.
"use strict";

// MemoryKind of report/memory_kinds.h.
const KINDS = ["saved", "output", "tangent", "gradient", "reloaded", "recomputed", "optimizer", "temporary"];
const STATES = ["plain", "saved", "recomputed", "offloaded"];

function readReport() {
  const data = JSON.parse(byId("data").textContent);
  const nodes = readNodes(data);
  const saved = readSaved(data, nodes);
  return {
    title: data.title,
    headline: data.headline,
    advice: data.advice,
    lines: data.lines,
    totals: data.totals,
    modules: data.modules,
    nodes,
    saved,
    memory: readMemory(data.memory, nodes),
  };
}

function readNodes({nodes, forward_nodes: forwardNodes, texts}) {
  return nodes.name.map((name, id) => ({
    id,
    name,
    side: id < forwardNodes ? "forward" : "backward",
    operator: texts.operators[nodes.operator[id]],
    module: texts.modules[nodes.module[id]],
    state: STATES[nodes.state[id]],
    inputs: nodes.inputs[id],
  }));
}

function readSaved({saved, texts}, nodes) {
  return saved.name.map((name, i) => ({
    name,
    kind: saved.kind[i],
    operator: texts.operators[saved.operator[i]],
    module: texts.modules[saved.module[i]],
    dtype: texts.dtypes[saved.dtype[i]],
    shape: saved.shape[i],
    bytes: saved.bytes[i],
    kept: saved.kept[i],
    isParameter: saved.static[i] === 1,
    host: saved.host[i],
    source: texts.sources[saved.source[i]],
    reason: texts.reasons[saved.reason[i]],
    why: texts.whys[saved.why[i]],
    output: saved.output[i],
    input: saved.input[i],
    forwardNode: nodes[saved.forward_node[i]] ?? null,
    backwardNode: nodes[saved.backward_node[i]] ?? null,
  }));
}

function readMemory(memory, nodes) {
  const all = memory.allocations, count = memory.steps.length;
  const steps = memory.steps.map((node) => nodes[node]);
  return {
    peakBytes: memory.peak_bytes,
    betweenBytes: memory.between_bytes,
    staticBytes: memory.static_bytes,
    inputBytes: memory.input_bytes,
    residentPeak: memory.peak_bytes + memory.static_bytes + memory.input_bytes,
    peakStep: memory.peak_step,
    forwardSteps: memory.forward_steps,
    phaseOf: (step) => memory.phases.name[memory.phases.first_step.findLastIndex((first) => first <= step)],
    optimizerFrom: memory.phases.first_step[memory.phases.name.indexOf("optimizer")] ?? count,
    steps,
    bytes: memory.bytes,
    // Those that the caller keeps last to the end, and have no last use.
    allocations: all.node.map((node, i) => ({
      node: nodes[node],
      bytes: all.bytes[i],
      kind: KINDS[all.kind[i]],
      first: all.first[i],
      last: all.last[i] < 0 ? count - 1 : all.last[i],
      lastUse: all.last[i] < 0 ? null : steps[all.last[i]],
    })),
  };
}
