// The part of the two graphs that comes from a module, small enough to be seen.
//
// Where the module has more nodes than fit, the modules below it are folded, the largest first, until it fits: each into
// one vertex a side, layers with numbers for names into one together. What is too much even so is counted and left out.
// A saved value is an edge from the forward's node to its users in the backward, whose placeholder is not shown; where
// another module has made it, or it is an input, it is shown as from outside.
"use strict";

const GRAPH_LIMIT = 110;

// {vertices: [{nodes, side, label, operator, fate, isOutside, module}], edges: [[from, to]], left: count}
function moduleGraph(report, module) {
  const saver = new Map();  // the backward's placeholder -> the forward's node
  for (const row of report.saved) if (row.backwardNode && row.forwardNode) saver.set(row.backwardNode.id, row.forwardNode);
  const inside = report.nodes.filter((node) => isWithin(node.module, module) && isShown(node, saver));
  const {groups, left} = groupNodes(inside, module);
  const vertices = groups.map((group) => ({...group, isOutside: false}));
  const vertexOf = new Map();
  vertices.forEach((vertex, v) => vertex.nodes.forEach((node) => vertexOf.set(node.id, v)));
  const dropped = new Set(inside.filter((node) => !vertexOf.has(node.id)).map((node) => node.id));
  const edges = new Map();
  for (const node of inside) {
    if (dropped.has(node.id)) continue;
    for (const input of node.inputs) {
      const from = saver.get(input) ?? report.nodes[input];
      if (!vertexOf.has(from.id) && saver.has(input) && !dropped.has(from.id)) {
        vertexOf.set(from.id, vertices.length);
        vertices.push({nodes: [from], side: "forward", label: from.name, operator: from.operator, fate: from.fate,
          module: from.module, isOutside: true});
      }
      const [a, b] = [vertexOf.get(from.id), vertexOf.get(node.id)];
      if (a === undefined) vertices[b].hasOutsideInputs = true;
      else if (a !== b) edges.set(`${a},${b}`, [a, b]);
    }
  }
  return {vertices, edges: [...edges.values()], left};
}

function isShown(node, saver) {
  return node.operator !== "output" && !saver.has(node.id);
}

function groupNodes(nodes, module) {
  const below = new Map();  // by side and module below: the nodes that folding it would make one
  for (const node of nodes) {
    const child = childModule(node.module, module);
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
    fate: node.fate, module: node.module})));
  groups.sort((a, b) => a.nodes[0].id - b.nodes[0].id);
  return {groups, left: single.length - shown.length};
}

// The name of the module below `module` that the path leads to, "*" for any number; null where it is `module` itself.
function childModule(path, module) {
  if (path === module) return null;
  const rest = module === "" ? path : path.slice(module.length + 1);
  const name = rest.split(".")[0];
  return /^\d+$/.test(name) ? "*" : name;
}

function describeFolded({child, nodes}, module) {
  const depth = module === "" ? 0 : module.split(".").length;
  const names = [...new Set(nodes.map((node) => node.module.split(".")[depth]))];
  const label = child === "*" && names.length > 1 ? `${names.length} layers` : names[0];
  const fates = new Set(nodes.map((node) => node.fate));
  return {side: nodes[0].side, label, operator: formatCount(nodes.length, "operator"), isFolded: true,
    fate: ["offloaded", "saved", "recomputed"].find((fate) => fates.has(fate)) ?? "plain",
    module: module === "" ? names[0] : `${module}.${names[0]}`};
}
