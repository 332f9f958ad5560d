// The page's data (html/page.h): columns turned into rows, numbers of texts into texts.
"use strict";

// MemoryKind of report/memory_kinds.h.
const KINDS = ["saved", "output", "tangent", "gradient", "reloaded", "recomputed", "optimizer", "temporary"];
const STATES = ["plain", "saved", "recomputed", "offloaded", "compressed"];

function readReport() {
  const data = JSON.parse(byId("data").textContent);
  return {
    title: data.title,
    advice: data.advice,
    decisions: data.decisions.map((decision) => readDecision(decision, data.texts)),
  };
}

function readDecision(decision, texts) {
  const nodes = readNodes(decision, texts);
  return {
    peak: decision.peak,
    held: decision.held,
    moreTime: decision.more_time,
    command: decision.command,
    headline: decision.headline,
    lines: decision.lines,
    totals: decision.totals,
    modules: decision.modules,
    nodes,
    saved: readSaved(decision, texts, nodes),
    curves: decision.curves.map((curve) => readCurve(curve, decision, nodes)),
  };
}

// Numbers from the difference of each from the one before it.
function runningSums(differences) {
  let sum = 0;
  return differences.map((difference) => (sum += difference));
}

function readNodes({nodes, forward_nodes: forwardNodes}, texts) {
  return runningSums(nodes.name).map((name, id) => ({
    id,
    name: texts.names[name],
    side: id < forwardNodes ? "forward" : "backward",
    operator: texts.operators[nodes.operator[id]],
    module: texts.modules[nodes.module[id]],
    state: STATES[nodes.state[id]],
    inputs: nodes.inputs[id],
  }));
}

function readSaved({saved}, texts, nodes) {
  return saved.name.map((name, i) => ({
    name,
    kind: saved.kind[i],
    operator: texts.operators[saved.operator[i]],
    module: texts.modules[saved.module[i]],
    dtype: texts.dtypes[saved.dtype[i]],
    shape: saved.shape[i],
    bytes: saved.bytes[i],
    kept: saved.compressed[i] !== "" ? saved.form_bytes[i] : saved.kept[i],
    keptBytes: saved.kept[i],
    isParameter: saved.static[i] === 1,
    host: saved.host[i],
    compressed: saved.compressed[i],
    form: texts.dtypes[saved.form[i]],
    formBytes: saved.form_bytes[i],
    source: texts.sources[saved.source[i]],
    reason: texts.reasons[saved.reason[i]],
    why: texts.whys[saved.why[i]],
    output: saved.output[i],
    input: saved.input[i],
    forwardNode: nodes[saved.forward_node[i]] ?? null,
    backwardNode: nodes[saved.backward_node[i]] ?? null,
  }));
}

function readCurve(curve, {static_bytes: staticBytes, input_bytes: inputBytes}, nodes) {
  const all = curve.allocations, count = curve.steps.length;
  const steps = runningSums(curve.steps).map((node) => nodes[node]), first = runningSums(all.first);
  // Those that the caller keeps last to the end, and have no last use.
  const allocations = runningSums(all.node).map((node, i) => ({
    node: nodes[node],
    bytes: all.bytes[i],
    kind: KINDS[all.kind[i]],
    first: first[i],
    last: all.last[i] < 0 ? count - 1 : all.last[i],
    lastUse: all.last[i] < 0 ? null : steps[all.last[i]],
  }));
  return {
    name: curve.name,
    peakBytes: curve.peak_bytes,
    staticBytes,
    inputBytes,
    residentPeak: curve.peak_bytes + staticBytes + inputBytes,
    peakStep: curve.peak_step,
    forwardSteps: curve.forward_steps,
    phaseOf: (step) => curve.phases.name[curve.phases.first_step.findLastIndex((first) => first <= step)],
    optimizerFrom: curve.phases.first_step[curve.phases.name.indexOf("optimizer")] ?? count,
    steps,
    bytes: bytesOfSteps(allocations, count),
    allocations,
  };
}
