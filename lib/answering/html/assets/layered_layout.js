// A picture of a graph in layers (after Sugiyama, Tagawa and Toda): every edge leads to a later layer.
//
//   layers    the longest way from a vertex without inputs; such a vertex itself moves next to its first user
//   bends     an edge that spans several layers gets a bend in each of them, which takes a place as vertices do
//   order     in each layer by the mean position of the neighbours, down and up in turn, which untangles crossings
//   places    each item near the mean of its neighbours, down and up in turn, as far apart as they are wide
//
// Vertices are in an order in which their edges lead forward; edges that lead back, as folding may make them, count
// for nothing here.
"use strict";

const SWEEPS = 12;

// {x: [center by vertex], layer: [by vertex], bends: Map(edge index -> [{layer, x}]), width, layers}
function layeredLayout(count, edges, widthOf, gap) {
  const forward = edges.map(([from, to], index) => ({from, to, index})).filter(({from, to}) => from < to);
  const layer = assignLayers(count, forward);
  const layers = [];
  const items = Array.from({length: count}, (_, v) => ({layer: layer[v], width: widthOf(v), before: [], after: []}));
  const bends = new Map();
  for (const {from, to, index} of forward) {
    let last = items[from];
    bends.set(index, []);
    for (let l = layer[from] + 1; l < layer[to]; ++l) {
      const bend = {layer: l, width: 8, before: [], after: []};
      bends.get(index).push(bend);
      items.push(bend);
      connect(last, bend);
      last = bend;
    }
    connect(last, items[to]);
  }
  for (const item of items) (layers[item.layer] ??= []).push(item);
  untangle(layers);
  place(layers, gap);
  const left = Math.min(...items.map((item) => item.x - item.width / 2));
  for (const item of items) item.x -= left;
  return {x: items.slice(0, count).map((item) => item.x), layer, bends,
    width: Math.max(...items.map((item) => item.x + item.width / 2)), layers: layers.length};
}

function connect(from, to) {
  from.after.push(to);
  to.before.push(from);
}

function assignLayers(count, edges) {
  const layer = new Array(count).fill(0), hasInput = new Array(count).fill(false);
  for (const {from, to} of [...edges].sort((a, b) => a.to - b.to)) {
    layer[to] = Math.max(layer[to], layer[from] + 1);
    hasInput[to] = true;
  }
  const firstUse = new Array(count).fill(Infinity);
  for (const {from, to} of edges) firstUse[from] = Math.min(firstUse[from], layer[to]);
  return layer.map((l, v) => (!hasInput[v] && firstUse[v] < Infinity ? firstUse[v] - 1 : l));
}

function untangle(layers) {
  const number = (layer) => layer.forEach((item, i) => (item.position = i));
  layers.forEach(number);
  for (let sweep = 0; sweep < SWEEPS; ++sweep) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : [...layers].reverse()) {
      for (const item of layer) {
        item.wanted = meanOf(isDown ? item.before : item.after, (other) => other.position, item.position);
      }
      layer.sort((a, b) => a.wanted - b.wanted || a.position - b.position);
      number(layer);
    }
  }
}

function place(layers, gap) {
  for (const layer of layers) {
    let x = 0;
    for (const item of layer) {
      item.x = x + item.width / 2;
      x += item.width + gap;
    }
  }
  for (let sweep = 0; sweep < SWEEPS; ++sweep) {
    const isDown = sweep % 2 === 1;  // the last one is, so that chains are straight
    for (const layer of isDown ? layers : [...layers].reverse()) {
      for (const item of layer) item.wanted = meanOf(isDown ? item.before : item.after, (other) => other.x, item.x);
      spread(layer, gap);
    }
  }
}

// Each item at the place that it wants, but apart from the others: items that get too near each other move as one, to
// the mean of what they want.
function spread(layer, gap) {
  const blocks = [];
  let width = 0;
  for (const item of layer) {
    item.offset = width + item.width / 2;
    width += item.width + gap;
    blocks.push({sum: item.wanted - item.offset, items: [item]});
    while (blocks.length > 1 && meanStart(blocks.at(-2)) > meanStart(blocks.at(-1))) {
      const last = blocks.pop();
      blocks.at(-1).sum += last.sum;
      blocks.at(-1).items.push(...last.items);
    }
  }
  for (const block of blocks) for (const item of block.items) item.x = meanStart(block) + item.offset;
}

function meanStart(block) {
  return block.sum / block.items.length;
}

function meanOf(items, valueOf, otherwise) {
  return items.length === 0 ? otherwise : items.reduce((sum, item) => sum + valueOf(item), 0) / items.length;
}
