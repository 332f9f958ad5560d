// The ranks of a pipeline over time: for each a band of its actions, and below it its memory.
"use strict";

const RANKS = {left: 70, right: 20, top: 8, bottom: 46, band: 22, memory: 46, gap: 14, letter: 7};
const PART_CLASSES = {F: "forward", B: "backward", I: "backward", W: "weights"};

// What an action computes: itself, or the parts of an overlap; nothing if it is communication.
function actionParts(text) {
  return [...text.matchAll(/(\d+)([FBIW])(\d+)/g)].map(([, stage, kind, microbatch]) =>
    ({stage: Number(stage), kind, microbatch: Number(microbatch)}));
}

// Returns {show(picked)}, where `picked` is {rank, at}, a position in the rank's actions; `onPick` gets the same of what is
// picked by mouse or key. `ranks`: those of the document, their actions with parts only.
function pipelineChart(place, {ranks, endMs, limit}, onPick) {
  let scale = null, picked = null;
  const draw = (width) => {
    scale = rankScale(ranks, endMs, limit, width);
    place.replaceChildren(drawRanks(ranks, limit, scale, width));
    if (picked) place.querySelector("svg").append(...drawPicked(ranks, picked, scale));
  };
  for (const [name, value] of Object.entries({role: "application", tabindex: "0", "aria-label": "Actions of the ranks"})) {
    place.setAttribute(name, value);
  }
  place.addEventListener("click", (event) => {
    const box = place.getBoundingClientRect();
    const rank = limited(Math.floor((event.clientY - box.top - RANKS.top) / scale.row), ranks.length);
    onPick({rank, at: nearestAction(ranks[rank].actions, scale.msAt(event.clientX - box.left))});
  });
  place.addEventListener("keydown", (event) => {
    const moved = movedBy(event.key, picked, ranks);
    if (!moved) return;
    event.preventDefault();
    onPick(moved);
  });
  onWidth(place, draw);
  return {
    show(newPicked) {
      picked = newPicked;
      if (scale) draw(place.clientWidth);
    },
  };
}

function limited(position, count) {
  return Math.max(0, Math.min(count - 1, position));
}

function nearestAction(actions, ms) {
  const distance = (action) => Math.max(action.begin_ms - ms, ms - action.end_ms, 0);
  return actions.reduce((best, action, i) => (distance(action) < distance(actions[best]) ? i : best), 0);
}

// Up and down lead to what the other rank runs at the middle of the action. Null: not a key of the chart.
function movedBy(key, {rank, at}, ranks) {
  const {actions} = ranks[rank], middle = (actions[at].begin_ms + actions[at].end_ms) / 2;
  const inRank = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: actions.length - 1};
  if (key in inRank) return {rank, at: limited(inRank[key], actions.length)};
  const toRank = {ArrowDown: rank + 1, ArrowUp: rank - 1};
  if (!(key in toRank)) return null;
  const other = limited(toRank[key], ranks.length);
  return {rank: other, at: other === rank ? at : nearestAction(ranks[other].actions, middle)};
}

function rankScale(ranks, endMs, limit, width) {
  const ticks = axisTicks(endMs, width < 600 ? 3 : 8);
  const inner = width - RANKS.left - RANKS.right, row = RANKS.band + RANKS.memory + RANKS.gap;
  const most = Math.max(limit ?? 0, ...ranks.map((rank) => rank.peak_bytes), 1);
  const last = ticks.at(-1) || 1;
  return {
    ticks, row, most,
    height: RANKS.top + ranks.length * row + RANKS.bottom,
    x: (ms) => RANKS.left + (ms / last) * inner,
    msAt: (x) => ((x - RANKS.left) / inner) * last,
    top: (rank) => RANKS.top + rank * row,
    ground: (rank) => RANKS.top + rank * row + RANKS.band + RANKS.memory,
    rise: (bytes) => (bytes / most) * (RANKS.memory - 4),
  };
}

function drawRanks(ranks, limit, scale, width) {
  const ground = scale.ground(ranks.length - 1), right = width - RANKS.right;
  return svgElement("svg", {width, height: scale.height, "aria-hidden": "true"},
    ...scale.ticks.flatMap((ms) => [
      svgElement("path", {class: "grid", d: `M${scale.x(ms)} ${RANKS.top}V${ground + 5}`}),
      svgElement("text", {class: "side-label", x: scale.x(ms), y: ground + 20}, formatTime(ms))]),
    svgElement("text", {class: "side-label", x: (RANKS.left + right) / 2, y: ground + 38}, "time in the step"),
    ...ranks.flatMap((rank, r) => [
      svgElement("text", {class: "tick", x: RANKS.left - 8, y: scale.top(r) + 16}, `rank ${rank.rank}`),
      svgElement("text", {class: "tick", x: RANKS.left - 8, y: scale.ground(r) - 4}, formatBytes(rank.peak_bytes)),
      svgElement("path", {class: "rank-memory", d: memoryPath(rank, r, scale)}),
      limit === null ? null : svgElement("path", {class: "limit-line",
        d: `M${RANKS.left} ${scale.ground(r) - scale.rise(limit)}H${right}`}),
      ...rank.actions.flatMap((action) => drawAction(rank, r, action, scale))]));
}

// Parts of an overlap are one above the other.
function drawAction(rank, r, action, scale) {
  const x = scale.x(action.begin_ms), width = Math.max(scale.x(action.end_ms) - x, 0.5);
  const height = RANKS.band / action.parts.length;
  return action.parts.map((part, p) => {
    const y = scale.top(r) + p * height, label = String(part.microbatch);
    const hasRoom = width >= RANKS.letter * label.length + 5 && height >= 12;
    return svgElement("g", {class: `action ${PART_CLASSES[part.kind]}${rank.stages.indexOf(part.stage) > 0 ? " later" : ""}`},
      svgElement("rect", {x, y, width, height}, svgElement("title", {}, action.action)),
      hasRoom ? svgElement("text", {x: x + width / 2, y: y + height / 2 + 4}, label) : null);
  });
}

// Parameters and states at first; the most while an action runs; between two, what stays.
function memoryPath(rank, r, scale) {
  const ground = scale.ground(r), y = (bytes) => (ground - scale.rise(bytes)).toFixed(1);
  let path = `M${scale.x(0)} ${ground}V${y(rank.parameter_bytes + rank.optimizer_bytes)}`;
  rank.actions.forEach((action, i) => {
    path += `H${scale.x(action.begin_ms).toFixed(1)}V${y(action.bytes)}H${scale.x(action.end_ms).toFixed(1)}`;
    if (rank.actions[i + 1]?.begin_ms !== action.end_ms) path += `V${y(action.bytes_after)}`;
  });
  return `${path}H${scale.x(Math.max(0, ...rank.actions.map((action) => action.end_ms))).toFixed(1)}V${ground}z`;
}

function drawPicked(ranks, {rank, at}, scale) {
  const action = ranks[rank].actions[at], x = scale.x(action.begin_ms), width = scale.x(action.end_ms) - x;
  return [svgElement("rect", {class: "picked-mark", x: x - 1, y: scale.top(rank) - 1, width: width + 2,
    height: RANKS.band + RANKS.memory + 2, rx: 2})];
}
