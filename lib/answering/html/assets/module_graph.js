// The part of the two graphs that comes from a module, small enough to be seen.
//
// Where the module has more nodes than fit, the modules below it are folded, the largest first, until it fits: each
// into one vertex a side, layers with numbers for names into one together. What is too much even so is counted and left
// out. A saved value is an edge from the forward's node to its users in the backward, whose placeholder is not shown;
// where another module has made it, or it is an input, it is shown as from outside; many such are one vertex a module.
"use strict";

const GRAPH_LIMIT = 110;
const OUTSIDE_LIMIT = 24;
const INPUTS = "(inputs)";

// {vertices: [{nodes, side, label, operator, state, isOutside, module}], edges: [[from, to]], left: count}
function moduleGraph(report, module) {
  const saver = new Map();  // the backward's placeholder -> the forward's node
  for (const {forwardNode, backwardNode} of report.saved) {
    if (forwardNode && backwardNode) saver.set(backwardNode.id, forwardNode);
  }
  const inside = report.nodes.filter((node) => isWithin(node.module, module) && isShown(node, saver));
  const {groups, left} = groupNodes(inside, module);
  const vertices = groups.map((group) => ({...group, isOutside: false}));
  const vertexOf = new Map();
  vertices.forEach((vertex, v) => vertex.nodes.forEach((node) => vertexOf.set(node.id, v)));
  const edges = new Map();
  const connect = (a, b) => a !== b && edges.set(`${a},${b}`, [a, b]);
  const outside = [];  // {from: a node, to: a vertex}
  const isInside = new Set(inside);
  for (const node of inside) {
    const to = vertexOf.get(node.id);
    for (const input of to === undefined ? [] : node.inputs) {
      const from = saver.get(input) ?? report.nodes[input];
      if (vertexOf.has(from.id)) connect(vertexOf.get(from.id), to);
      else if (saver.has(input) && !isInside.has(from)) outside.push({from, to});
      else vertices[to].hasOutsideInputs = true;
    }
  }
  for (const {group, targets} of groupOutside(outside)) {
    vertices.push(group);
    for (const to of targets) connect(vertices.length - 1, to);
  }
  return {vertices, edges: [...edges.values()], left};
}

// Vertices for what is saved elsewhere, each with those that use it: one a node, or, where these are many, one a
// module, or, where even these are, a single one.
function groupOutside(outside) {
  const keys = [(node) => node.id, (node) => node.module, () => ""];
  const keyOf = keys.find((key, i) => i === keys.length - 1 ||
    new Set(outside.map(({from}) => key(from))).size <= OUTSIDE_LIMIT);
  const groups = new Map();
  for (const {from, to} of outside) {
    const key = keyOf(from);
    if (!groups.has(key)) groups.set(key, {nodes: new Set(), targets: new Set()});
    groups.get(key).nodes.add(from);
    groups.get(key).targets.add(to);
  }
  return [...groups.values()].map(({nodes, targets}) => ({group: describeOutside([...nodes]), targets}));
}

function describeOutside(nodes) {
  const [first] = nodes;
  const common = {nodes, side: "forward", state: first.state, isOutside: true};
  if (nodes.length === 1) return {...common, label: first.name, operator: first.operator, module: first.module};
  const isOneModule = nodes.every((node) => node.module === first.module);
  return {...common, label: formatCount(nodes.length, "value"), module: isOneModule ? first.module : "",
    operator: !isOneModule ? "of other modules" : first.module === "" ? "inputs of the step" : first.module};
}

function isShown(node, saver) {
  return node.operator !== "output" && !saver.has(node.id);
}

function groupNodes(nodes, module) {
  const below = new Map();  // by side and module below: the nodes that folding it would make one
  for (const node of nodes) {
    const child = childModule(node, module);
    if (child === null) continue;
    const key = `${node.side} ${child}`;
    if (!below.has(key)) below.set(key, {child, nodes: []});
    below.get(key).nodes.push(node);
  }
  const groups = [];
  let count = nodes.length;
  const folded = new Set();
  for (const group of [...below.values()].sort((a, b) => b.nodes.length - a.nodes.length)) {
    if (count <= GRAPH_LIMIT || group.nodes.length < 2) break;
    groups.push({...describeFolded(group, module), nodes: group.nodes});
    group.nodes.forEach((node) => folded.add(node.id));
    count -= group.nodes.length - 1;
  }
  const single = nodes.filter((node) => !folded.has(node.id));
  const shown = single.slice(0, Math.max(0, GRAPH_LIMIT - groups.length));
  groups.push(...shown.map((node) => ({nodes: [node], side: node.side, label: node.name, operator: node.operator,
    state: node.state, module: node.module})));
  groups.sort((a, b) => a.nodes[0].id - b.nodes[0].id);
  return {groups, left: single.length - shown.length};
}

// The name of the module below `module` that the node comes from, "*" for any number; null where it comes from `module`
// itself. In the whole step inputs and what comes from no module can be folded as if they were modules.
function childModule(node, module) {
  if (node.module === "" && module === "") return node.operator === "placeholder" ? INPUTS : NO_MODULE;
  if (node.module === module) return null;
  const rest = module === "" ? node.module : node.module.slice(module.length + 1);
  const name = rest.split(".")[0];
  return /^\d+$/.test(name) ? "*" : name;
}

function describeFolded({child, nodes}, module) {
  const depth = module === "" ? 0 : module.split(".").length;
  const names = [...new Set(nodes.map((node) => node.module.split(".")[depth]))];
  const isModule = child !== INPUTS && child !== NO_MODULE;
  const label = !isModule ? child : names.length > 1 ? `${names.length} layers` : names[0];
  const states = new Set(nodes.map((node) => node.state));
  return {side: nodes[0].side, label, isFolded: true, canOpen: isModule,
    operator: formatCount(nodes.length, child === INPUTS ? "input" : "operator"),
    state: ["offloaded", "compressed", "saved", "recomputed"].find((state) => states.has(state)) ?? "plain",
    module: module === "" ? names[0] : `${module}.${names[0]}`};
}
