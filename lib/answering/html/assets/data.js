// The page's data (page_json.h): columns turned into rows, numbers of texts into texts.
"use strict";

const STATES = ["plain", "saved", "recomputed", "offloaded"];

function readReport() {
  const data = JSON.parse(byId("data").textContent);
  const nodes = readNodes(data);
  const saved = readSaved(data, nodes);
  return {
    title: data.title,
    headline: data.headline,
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
  return {
    peakBytes: memory.peak_bytes,
    betweenBytes: memory.between_bytes,
    peakStep: memory.peak_step,
    forwardSteps: memory.forward_steps,
    steps: memory.steps.map((node) => nodes[node]),
    bytes: memory.bytes,
    held: memory.held.node.map((node, i) => ({
      node: nodes[node],
      bytes: memory.held.bytes[i],
      lastUse: nodes[memory.held.last[i]] ?? null,
      fold: memory.held.fold[i],
      foldedModule: memory.held.modules[memory.held.fold[i]],
    })),
  };
}
