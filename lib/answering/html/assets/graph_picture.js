// A module's graph as a picture: the forward on the left runs down, the backward on the right runs up again, so that a
// saved value crosses from where it is made to where it is used. What is saved elsewhere stands between them, beside
// its first user.
"use strict";

const PICTURE = {vertex: {width: 132, height: 40}, gap: 14, row: 64, between: 80, margin: 24, title: 30};

// {svg, size: {width, height}, boxes: [{x, y, width, height}], vertices: [the SVG groups]}, both in the order of graph.vertices.
// The SVG takes the size of its frame.
function drawGraph(graph) {
  const sides = {};
  for (const side of ["forward", "backward"]) sides[side] = layOutSide(graph, side);
  const rows = Math.max(sides.forward.layers, sides.backward.layers);
  const hasMiddle = graph.vertices.some((vertex) => vertex.isOutside);
  const left = PICTURE.margin;
  const middle = left + sides.forward.width + (sides.forward.width > 0 ? PICTURE.between : 0);
  const right = middle + (hasMiddle ? PICTURE.vertex.width + PICTURE.between : 0);
  const y = (side, layer) => PICTURE.title + PICTURE.vertex.height / 2 +
    PICTURE.row * (side === "forward" ? layer : rows - 1 - layer);
  const at = graph.vertices.map((vertex, v) => {
    const {position, layout} = sides[vertex.side], own = position.get(v);
    if (own === undefined) return null;
    const origin = vertex.side === "forward" ? left : right;
    return {x: origin + layout.x[own], y: y(vertex.side, layout.layer[own])};
  });
  const bottom = placeOutside(graph, at, middle + PICTURE.vertex.width / 2);
  const lines = graph.edges.map(([from, to], edge) => {
    const source = graph.vertices[from], {side} = graph.vertices[to];
    if (source.isOutside || source.side !== side) return crossingEdge(source, at[from], at[to]);
    const origin = side === "forward" ? left : right;
    const bends = (sides[side].bends.get(edge) ?? []).map((bend) => ({x: origin + bend.x, y: y(side, bend.layer)}));
    return sideEdge([at[from], ...bends, at[to]], side === "forward" ? 1 : -1);
  });
  const vertices = graph.vertices.map((vertex, v) => drawVertex(vertex, at[v]));
  const width = right + sides.backward.width + PICTURE.margin;
  const height = Math.max(PICTURE.title + rows * PICTURE.row, bottom);
  const svg = svgElement("svg", {width: "100%", height: "100%", role: "group", "aria-label": "Graph"},
  arrowHead(), ...sideTitle("forward ↓", left, sides.forward.width),
  ...sideTitle("backward ↑", right, sides.backward.width), ...lines, ...vertices);
  const {vertex} = PICTURE;
  const boxes = at.map(({x, y}) => ({x: x - vertex.width / 2, y: y - vertex.height / 2, ...vertex}));
  return {svg, vertices, boxes, size: {width, height}};
}

// Puts the vertices from outside below each other, each beside its first user if it can; returns where they end.
function placeOutside(graph, at, x) {
  const wanted = new Map();
  for (const [from, to] of graph.edges) if (graph.vertices[from].isOutside && at[to]) {
    wanted.set(from, Math.min(wanted.get(from) ?? Infinity, at[to].y));
  }
  let next = PICTURE.title + PICTURE.vertex.height / 2;
  for (const [v, y] of [...wanted].sort((a, b) => a[1] - b[1])) {
    at[v] = {x, y: Math.max(y, next)};
    next = at[v].y + PICTURE.vertex.height + PICTURE.gap;
  }
  return next;
}

function layOutSide(graph, side) {
  const members = graph.vertices.map((_, v) => v)
    .filter((v) => graph.vertices[v].side === side && !graph.vertices[v].isOutside);
  members.sort((a, b) => graph.vertices[a].nodes[0].id - graph.vertices[b].nodes[0].id);
  const position = new Map(members.map((v, i) => [v, i]));
  const edges = [], numbers = [];
  graph.edges.forEach(([from, to], edge) => {
    if (!position.has(from) || !position.has(to)) return;
    edges.push([position.get(from), position.get(to)]);
    numbers.push(edge);
  });
  if (members.length === 0) return {position, width: 0, layers: 0, bends: new Map(), layout: null};
  const layout = layeredLayout(members.length, edges, () => PICTURE.vertex.width, PICTURE.gap);
  const bends = new Map([...layout.bends].map(([index, items]) => [numbers[index], items]));
  return {position, layout, bends, width: layout.width, layers: layout.layers};
}

function sideTitle(text, x, width) {
  return width > 0 ? [svgElement("text", {class: "side-label", x: x + width / 2, y: 18}, text)] : [];
}

function arrowHead() {
  return svgElement("defs", {}, svgElement("marker", {id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7,
    markerHeight: 7, orient: "auto-start-reverse"}, svgElement("path", {class: "head", d: "M0 0L8 4L0 8Z"})));
}

// Along the points, down (direction 1) or up (-1), smooth where it bends.
function sideEdge(points, direction) {
  const half = (PICTURE.vertex.height / 2) * direction;
  const last = points.length - 1;
  const path = points.slice(1).map((to, i) => {
    const from = points[i];
    const begin = from.y + (i === 0 ? half : 0), end = to.y - (i + 1 === last ? half : 0);
    const middle = (begin + end) / 2;
    return `${i === 0 ? `M${from.x} ${begin}` : ""}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${end}`;
  });
  return svgElement("path", {class: "edge", d: path.join(""), "marker-end": "url(#arrow)"});
}

function crossingEdge(source, from, to) {
  const begin = from.x + PICTURE.vertex.width / 2, end = to.x - PICTURE.vertex.width / 2;
  const bend = Math.max(40, (to.x - from.x) / 3);
  return svgElement("path", {class: `edge crossing ${source.state}`, "marker-end": "url(#arrow)",
    d: `M${begin} ${from.y}C${begin + bend} ${from.y} ${end - bend} ${to.y} ${end} ${to.y}`});
}

function drawVertex(vertex, {x, y}) {
  const {width, height} = PICTURE.vertex;
  const kind = `${vertex.state}${vertex.isOutside ? " outside" : ""}${vertex.isFolded ? " folded" : ""}`;
  const lines = [fitText(vertex.label, 17), fitText(shortOperator(vertex.operator), 20)];
  return svgElement("g", {class: `vertex ${kind}`, role: "button", "aria-label": vertexLabel(vertex),
    transform: `translate(${x - width / 2} ${y - height / 2})`},
  vertex.hasOutsideInputs ? drawStub(vertex.side) : null,
  svgElement("rect", {width, height, rx: vertex.isFolded ? 12 : 5}),
  svgElement("text", {x: width / 2, y: 17, class: "name"}, lines[0]),
  svgElement("text", {x: width / 2, y: 32, class: "operator"}, lines[1]),
  svgElement("title", {}, vertexLabel(vertex)));
}

// An input that is not shown.
function drawStub(side) {
  const {height} = PICTURE.vertex;
  return svgElement("path", {class: "stub", d: side === "forward" ? "M12 -9V0" : `M12 ${height + 9}V${height}`});
}

function vertexLabel(vertex) {
  const state = vertex.state === "plain" ? "" : `, ${vertex.isFolded ? "some " : ""}${vertex.state}`;
  return `${vertex.label}, ${vertex.operator}, ${vertex.side}${state}` +
    (vertex.isOutside ? ", of another module" : "") + (vertex.canOpen ? ", opens" : "");
}

// "mm" of "aten.mm.default"; what is no operator stays.
function shortOperator(operator) {
  const parts = operator.split(".");
  return operator.includes(" ") || parts.length < 2 ? operator : parts.length === 3 ? parts[1] : parts.at(-1);
}

function fitText(text, length) {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
