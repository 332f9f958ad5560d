// The trade-off as a chart: saved bytes to the right, the cost of recomputation upwards. It is a slider along the decisions.
"use strict";

const TRADE = {height: 430, left: 92, right: 36, top: 20, bottom: 48, zero: 0.07, pieces: 32};

// Returns {show(choices, picked, isLogarithmic)}; `onPick` gets the position of the choice that is picked, by mouse or key.
function paretoChart(place, unit, onPick) {
  let shown = null, scale = null, width = 0;
  const draw = () => {
    if (!shown || width === 0) return;
    scale = tradeScale(shown.choices, shown.isLogarithmic, width, unit);
    place.replaceChildren(drawTrade(shown, scale, width));
    const choice = shown.choices[shown.picked];
    place.setAttribute("aria-valuemax", shown.choices.length - 1);
    place.setAttribute("aria-valuenow", shown.picked);
    place.setAttribute("aria-valuetext", `${formatBytes(choice.bytes)} saved, ${formatCost(choice.cost, unit)}`);
  };
  for (const [name, value] of Object.entries({role: "slider", tabindex: "0", "aria-label": "Decisions", "aria-valuemin": 0})) {
    place.setAttribute(name, value);
  }
  place.addEventListener("click", (event) => {
    const box = place.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const distance = (choice) => Math.hypot(scale.x(choice.bytes) - x, scale.y(choice.cost) - y) - (choice.isPyTorch ? 3 : 0);
    const distances = shown.choices.map(distance);
    onPick(distances.indexOf(Math.min(...distances)));
  });
  place.addEventListener("keydown", (event) => {
    const last = shown.choices.length - 1, at = shown.picked;
    const moves = {ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, PageUp: at - 20, PageDown: at + 20,
      Home: 0, End: last};
    if (!(event.key in moves)) return;
    event.preventDefault();
    onPick(Math.max(0, Math.min(last, moves[event.key])));
  });
  onWidth(place, (newWidth) => {
    width = newWidth;
    draw();
  });
  return {
    show(choices, picked, isLogarithmic) {
      shown = {choices, picked, isLogarithmic};
      draw();
    },
  };
}

// Costs of nothing have a place of their own below a logarithmic axis.
function tradeScale(choices, isLogarithmic, width, unit) {
  const inner = width - TRADE.left - TRADE.right, height = TRADE.height - TRADE.top - TRADE.bottom;
  const bytes = axisTicks(Math.max(...choices.map((choice) => choice.bytes)), width < 600 ? 3 : 7);
  const costs = choices.map((choice) => choice.cost), positive = costs.filter((cost) => cost > 0);
  const x = (value) => TRADE.left + (value / (bytes.at(-1) || 1)) * inner;
  const at = (share) => TRADE.top + (1 - share) * height;
  if (!isLogarithmic || positive.length === 0) {
    const ticks = axisTicks(Math.max(...costs), 5);
    return {x, y: (cost) => at(cost / (ticks.at(-1) || 1)), bytes, ticks, unit};
  }
  const first = Math.floor(Math.log10(Math.min(...positive))), last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...positive))));
  const step = Math.ceil((last - first) / 8), powers = [];
  for (let power = first; power <= last; power += step) powers.push(10 ** power);
  const hasZero = positive.length < costs.length, zero = hasZero ? TRADE.zero : 0;
  return {x, y: (cost) => at(cost > 0 ? zero + (1 - zero) * (Math.log10(cost) - first) / (last - first) : 0), bytes,
    ticks: hasZero ? [0, ...powers] : powers, unit};
}

function drawTrade({choices, picked, isLogarithmic}, scale, width) {
  const ground = TRADE.height - TRADE.bottom, right = width - TRADE.right;
  const corners = choices.filter((choice) => choice.corner), chosen = choices[picked];
  const mark = (choice) => {
    const x = scale.x(choice.bytes), y = scale.y(choice.cost);
    if (choice.isPyTorch) return svgElement("path", {class: "mark pytorch", d: `M${x} ${y - 7}l7 7l-7 7l-7-7z`});
    return svgElement("circle", {class: `mark ${choice.corner ? "corner" : "between"}`, cx: x, cy: y, r: choice.corner ? 4.5 : 2.5});
  };
  const order = (choice) => (choice.isPyTorch ? 2 : choice.corner ? 1 : 0);
  return svgElement("svg", {width, height: TRADE.height, "aria-hidden": "true"},
    ...scale.ticks.flatMap((cost) => [
      svgElement("path", {class: "grid", d: `M${TRADE.left} ${scale.y(cost)}H${right}`}),
      svgElement("text", {class: "tick", x: TRADE.left - 8, y: scale.y(cost) + 4}, formatCost(cost, scale.unit))]),
    ...scale.bytes.flatMap((bytes) => [
      svgElement("path", {class: "grid", d: `M${scale.x(bytes)} ${ground}v5`}),
      svgElement("text", {class: "side-label", x: scale.x(bytes), y: ground + 20}, formatBytes(bytes))]),
    svgElement("text", {class: "side-label", x: (TRADE.left + right) / 2, y: ground + 40}, "activations held"),
    svgElement("path", {class: "hull", d: hullPath(corners, scale, isLogarithmic)}),
    ...[...choices].sort((a, b) => order(a) - order(b)).map(mark),
    svgElement("path", {class: "cursor", d: `M${scale.x(chosen.bytes)} ${TRADE.top}V${ground}`}),
    svgElement("circle", {class: "picked-mark", cx: scale.x(chosen.bytes), cy: scale.y(chosen.cost), r: 9}));
}

// Lines from corner to corner, which a logarithmic axis bends.
function hullPath(corners, scale, isLogarithmic) {
  const pieces = isLogarithmic ? TRADE.pieces : 1;
  return corners.map((corner, c) => {
    const from = corners[c - 1] ?? corner, parts = c === 0 ? [1] : Array.from({length: pieces}, (_, i) => (i + 1) / pieces);
    return parts.map((part) => {
      const cost = part === 1 ? corner.cost : from.cost + part * (corner.cost - from.cost);
      return `${c === 0 ? "M" : "L"}${scale.x(from.bytes + part * (corner.bytes - from.bytes)).toFixed(1)} ${scale.y(cost).toFixed(1)}`;
    }).join("");
  }).join("");
}
