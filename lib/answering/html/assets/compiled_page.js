// The memory of compiled code: the curve of one step, whose steps are the statements of its wrappers, and a table of all graphs.
"use strict";

const GRAPH_COLUMNS = [["peak_bytes", "Peak"], ["forward_peak_bytes", "Forward"], ["between_bytes", "Between"],
  ["backward_peak_bytes", "Backward"], ["operators_peak_bytes", "Operator by operator"]];

function showCompiledPage() {
  const data = JSON.parse(byId("data").textContent), {steps} = data;
  const highest = steps.reduce((best, step, i) => (step.peak_bytes > steps[best].peak_bytes ? i : best), 0);
  let chosen = highest;
  linkState.follow("graph", (text) => {
    const number = /^\d+$/.test(text) && Number(text) < steps.length ? Number(text) : highest;
    if (document.documentElement.dataset.state === "ready" && number !== chosen) location.reload();
    chosen = number;
  });
  const choose = (number) => {
    for (const key of ["step", "zoom"]) linkState.put(key, "");
    linkState.put("graph", number === highest ? "" : number);
    if (number !== chosen) location.reload();
  };
  const step = steps[chosen];
  byId("title").textContent = `${step.name}: memory of compiled code`;
  byId("headline").textContent = [step.file, data.producer, `${formatBytes(step.peak_bytes)} at the peak`]
    .filter((part) => part !== "").join(" · ");
  const report = {title: step.name.replaceAll("/", "-"), memory: memoryOfCode(step)};
  showMemoryCurve(report, aliveTable(report));
  showGraphs(steps, choose);
  showNotes(data.notes, step.notes);
  byId("copy-link").addEventListener("click", () => copyText(location.href));
  followSectionLinks();
  document.documentElement.dataset.state = "ready";
}

// As readMemory of data.js: a statement is a step, and a block an allocation, of the source line in place of a module.
function memoryOfCode(step) {
  const steps = step.line.map((line, i) => ({side: step.side[i], name: `line ${line}`, operator: step.code[i], module: ""}));
  return {
    peakBytes: step.peak_bytes,
    betweenBytes: step.between_bytes,
    staticBytes: 0,
    inputBytes: step.input_bytes,
    inputLabel: "inputs, parameters among them",
    placeLabel: "Source",
    residentPeak: step.peak_bytes + step.input_bytes,
    peakStep: step.peak_at,
    forwardSteps: step.forward_statements,
    optimizerFrom: steps.length,
    phaseOf: (statement) => steps[statement].side,
    steps,
    bytes: step.bytes,
    allocations: step.blocks.map((block, id) => ({
      node: {id, name: block.name, side: steps[block.first].side, operator: block.made_by, module: block.source},
      bytes: block.bytes,
      kind: block.kind,
      first: block.first,
      last: block.last < 0 ? steps.length - 1 : block.last,
      lastUse: block.last < 0 ? null : steps[block.last],
    })),
  };
}

function showGraphs(steps, choose) {
  const columns = [
    {key: "name", title: "Graph", cell: (step) => element("button", {type: "button",
      onclick: () => choose(steps.indexOf(step))}, step.name)},
    {key: "file", title: "File", text: (step) => step.file},
    ...GRAPH_COLUMNS.map(([key, title]) => ({key, title, isNumber: true,
      text: (step) => (step[key] === null ? "" : formatBytes(step[key]))}))];
  const table = sortableTable({place: byId("steps-table"), label: "Compiled graphs", state: "sort",
    first: {key: "peak_bytes", isDown: true}, columns});
  table.show(steps);
  exportMenu(byId("steps-export"), {name: "compiled-graphs", table: () => ({
    columns: ["graph", "file", ...GRAPH_COLUMNS.map(([key]) => key)],
    rows: table.rows().map((step) => [step.name, step.file, ...GRAPH_COLUMNS.map(([key]) => step[key] ?? "")])})});
}

function showNotes(general, ofStep) {
  byId("notes").replaceChildren(...general.map((text) => element("li", {}, text)),
    ...ofStep.map(({line, text}) => element("li", {}, `line ${line}: ${text}`)));
}

showCompiledPage();
