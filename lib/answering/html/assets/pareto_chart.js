// The trade-off as a chart: saved bytes to the right, the cost of recomputation upwards. It is a slider along the decisions.
"use strict";

const TRADE = {height: 430, left: 92, right: 36, top: 20, bottom: 48, less: 0.07, powers: 5, pieces: 32};

// Returns {show(choices, picked, isLogarithmic)}; `onPick` gets the position of the choice that is picked, by mouse or key.
function paretoChart(place, {unit, byPeak: isByPeak}, onPick) {
  let shown = null, scale = null, width = 0;
  const draw = () => {
    if (!shown || width === 0) return;
    scale = tradeScale(shown.choices, shown.isLogarithmic, width, unit, isByPeak);
    place.replaceChildren(drawTrade(shown, scale, width, isByPeak));
    const choice = shown.choices[shown.picked];
    place.setAttribute("aria-valuemax", shown.choices.length - 1);
    place.setAttribute("aria-valuenow", shown.picked);
    place.setAttribute("aria-valuetext", `${formatBytes(choice.bytes)} ${isByPeak ? "at the peak" : "saved"}, ${formatCost(choice.cost, unit)}`);
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

// Below a logarithmic axis, of at most five powers of ten, is a place for what costs less. Times of steps, which differ by little,
// have an axis that begins near the shortest.
function tradeScale(choices, isLogarithmic, width, unit, isByPeak) {
  const inner = width - TRADE.left - TRADE.right, height = TRADE.height - TRADE.top - TRADE.bottom;
  const sizes = choices.map((choice) => choice.bytes), count = width < 600 ? 3 : 7;
  const bytes = isByPeak ? rangeTicks(Math.min(...sizes), Math.max(...sizes), count) : axisTicks(Math.max(...sizes), count);
  const costs = choices.map((choice) => choice.cost), positive = costs.filter((cost) => cost > 0);
  const share = (value, ticks) => (value - ticks[0]) / (ticks.at(-1) - ticks[0] || 1);
  const x = (value) => TRADE.left + share(value, bytes) * inner;
  const at = (part) => TRADE.top + (1 - part) * height;
  if (!isLogarithmic || positive.length === 0) {
    const ticks = isByPeak ? rangeTicks(Math.min(...costs), Math.max(...costs), 5) : axisTicks(Math.max(...costs), 5);
    return {x, y: (cost) => at(share(cost, ticks)), bytes, ticks, labels: ticks.map((tick) => formatTick(tick, ticks, unit))};
  }
  const end = Math.ceil(Math.log10(Math.max(...positive)));
  const first = Math.max(Math.floor(Math.log10(Math.min(...positive))), end - TRADE.powers), last = Math.max(first + 1, end);
  const powers = Array.from({length: last - first + 1}, (_, i) => 10 ** (first + i));
  const hasLess = costs.some((cost) => cost < powers[0]), less = hasLess ? TRADE.less : 0;
  const y = (cost) => at(cost < powers[0] ? 0 : less + (1 - less) * (Math.log10(cost) - first) / (last - first));
  const labels = powers.map((power) => formatCost(power, unit)), below = positive.some((cost) => cost < powers[0]) ? "less" : "0";
  return {x, y, bytes, ticks: hasLess ? [0, ...powers] : powers, labels: hasLess ? [below, ...labels] : labels};
}

// Costs that formatCost shows alike, as their step is small beside them, as numbers with as many digits as they need.
function formatTick(tick, ticks, unit) {
  const labels = ticks.map((one) => formatCost(one, unit));
  return new Set(labels).size === labels.length ? formatCost(tick, unit) : `${Number(tick.toPrecision(6))} ${unit}`;
}

function drawTrade({choices, picked, isLogarithmic}, scale, width, isByPeak) {
  const ground = TRADE.height - TRADE.bottom, right = width - TRADE.right;
  const corners = choices.filter((choice) => choice.corner), chosen = choices[picked];
  const mark = (choice) => {
    const x = scale.x(choice.bytes), y = scale.y(choice.cost);
    if (choice.isPyTorch) return svgElement("path", {class: "mark pytorch", d: `M${x} ${y - 7}l7 7l-7 7l-7-7z`});
    return svgElement("circle", {class: `mark ${choice.corner ? "corner" : "between"}`, cx: x, cy: y, r: choice.corner ? 4.5 : 2.5});
  };
  const order = (choice) => (choice.isPyTorch ? 2 : choice.corner ? 1 : 0);
  return svgElement("svg", {width, height: TRADE.height, "aria-hidden": "true"},
    ...scale.ticks.flatMap((cost, i) => [
      svgElement("path", {class: "grid", d: `M${TRADE.left} ${scale.y(cost)}H${right}`}),
      svgElement("text", {class: "tick", x: TRADE.left - 8, y: scale.y(cost) + 4}, scale.labels[i])]),
    ...scale.bytes.flatMap((bytes) => [
      svgElement("path", {class: "grid", d: `M${scale.x(bytes)} ${ground}v5`}),
      svgElement("text", {class: "side-label", x: scale.x(bytes), y: ground + 20}, formatBytes(bytes))]),
    svgElement("text", {class: "side-label", x: (TRADE.left + right) / 2, y: ground + 40}, isByPeak ? "peak" : "activations held"),
    svgElement("path", {class: "hull", d: isByPeak ? stepPath(choices, scale) : hullPath(corners, scale, isLogarithmic)}),
    ...[...choices].sort((a, b) => order(a) - order(b)).map(mark),
    svgElement("path", {class: "cursor", d: `M${scale.x(chosen.bytes)} ${TRADE.top}V${ground}`}),
    svgElement("circle", {class: "picked-mark", cx: scale.x(chosen.bytes), cy: scale.y(chosen.cost), r: 9}));
}

// The least time within each peak: it falls where a higher one allows a faster step.
function stepPath(choices, scale) {
  return choices.filter((choice) => !choice.isPyTorch).map((choice, i) => {
    const x = scale.x(choice.bytes).toFixed(1), y = scale.y(choice.cost).toFixed(1);
    return i === 0 ? `M${x} ${y}` : `H${x}V${y}`;
  }).join("");
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
