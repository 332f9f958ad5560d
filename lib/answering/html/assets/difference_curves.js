// Two memory curves in one chart. The steps of a side take the same room in both, so that forwards and backwards begin together,
// however many nodes they have. Where a curve is not known, the peaks of the report stand for it.
"use strict";

const PAIR = {height: 330, left: 76, right: 18, top: 24, bottom: 30, border: 0.4, points: 1000};

// A curve as bytes over [0, 1): forward, then backward from PAIR.border on.
function curveAt(curve, place) {
  const isForward = place < PAIR.border, steps = curve.bytes.length, forward = curve.forward_steps;
  const step = isForward ? (place / PAIR.border) * forward
    : forward + ((place - PAIR.border) / (1 - PAIR.border)) * (steps - forward);
  return Math.max(0, Math.min(steps - 1, Math.floor(step)));
}

// The most in each part of the chart, so that no peak is lost.
function curveParts(curve, count) {
  return Array.from({length: count}, (_, part) => {
    const from = curveAt(curve, part / count), to = Math.max(from + 1, curveAt(curve, (part + 1) / count));
    let most = 0;
    for (let s = from; s < Math.min(to, curve.bytes.length); ++s) most = Math.max(most, curve.bytes[s]);
    return most;
  });
}

function showPairOfCurves(data) {
  const place = byId("curves"), curves = data.curves.map((curve, side) => curve ?? peaksAsCurve(data.figures, ["before", "after"][side]));
  if (curves.some((curve) => curve === null)) {
    byId("memory").hidden = true;
    return;
  }
  const known = data.curves.every((curve) => curve !== null);
  byId("curves-note").textContent = known ? "Forward and backward begin together, however many nodes they have." :
    "Only the peaks of the reports are known. 'fxcut partition --output-dir DIR --memory-curve' writes the curve beside a report; " +
    "give both directories to 'fxcut diff'.";
  let width = 0, scale = null;
  const most = curves.reduce((largest, curve) => curve.bytes.reduce((a, b) => Math.max(a, b), largest), 0);
  const draw = () => {
    const count = Math.max(2, Math.min(PAIR.points, width - PAIR.left - PAIR.right));
    const ticks = axisTicks(most, 4);
    const inner = width - PAIR.left - PAIR.right, height = PAIR.height - PAIR.top - PAIR.bottom;
    scale = {ticks, inner, x: (part) => PAIR.left + part * inner,
      y: (bytes) => PAIR.top + (1 - bytes / (ticks.at(-1) || 1)) * height};
    place.replaceChildren(drawPair(curves.map((curve) => curveParts(curve, count)), scale, width));
  };
  const describe = (event) => {
    const part = Math.max(0, Math.min(0.999, (event.clientX - place.getBoundingClientRect().left - PAIR.left) / scale.inner));
    const [before, after] = curves.map((curve) => curve.bytes[curveAt(curve, part)]);
    byId("curves-place").textContent = `${part < PAIR.border ? "forward" : "backward"}: ${formatBytes(before)} before, ` +
      `${formatBytes(after)} after, ${formatChange(after - before, "B")}`;
  };
  place.addEventListener("pointermove", describe);
  place.dataset.most = most;
  onWidth(place, (newWidth) => {
    width = newWidth;
    draw();
  });
  exportMenu(byId("curves-export"), {name: `${data.title}-curves`, chart: () => place.querySelector("svg"),
    table: () => pairTable(curves)});
}

// Forward, between, backward: what every report has.
function peaksAsCurve(figures, side) {
  const of = (name) => figures.find((figure) => figure.name === name)?.[side];
  const bytes = ["forward_peak_bytes", "between_bytes", "backward_peak_bytes"].map(of);
  return bytes.some((one) => one === undefined) ? null : {forward_steps: 1, bytes};
}

function drawPair(parts, scale, width) {
  const right = width - PAIR.right, ground = scale.y(0), border = scale.x(PAIR.border);
  const outline = (values) => values.map((bytes, i) => `${scale.x(i / values.length).toFixed(1)} ${scale.y(bytes).toFixed(1)} ` +
    `${scale.x((i + 1) / values.length).toFixed(1)} ${scale.y(bytes).toFixed(1)}`).join("L");
  return svgElement("svg", {width, height: PAIR.height, role: "img", "aria-label": "Memory before and after"},
    svgElement("rect", {class: "side", x: border, y: PAIR.top, width: right - border, height: ground - PAIR.top}),
    ...scale.ticks.flatMap((bytes) => [
      svgElement("path", {class: "grid", d: `M${PAIR.left} ${scale.y(bytes)}H${right}`}),
      svgElement("text", {class: "tick", x: PAIR.left - 8, y: scale.y(bytes) + 4}, formatBytes(bytes))]),
    svgElement("path", {class: "before-area", d: `M${scale.x(0)} ${ground}L${outline(parts[0])}L${right} ${ground}Z`}),
    svgElement("path", {class: "before-line", d: `M${outline(parts[0])}`}),
    svgElement("path", {class: "after-line", d: `M${outline(parts[1])}`}),
    svgElement("text", {class: "side-label", x: (PAIR.left + border) / 2, y: ground + 20}, "forward"),
    svgElement("text", {class: "side-label", x: (border + right) / 2, y: ground + 20}, "backward"));
}

function pairTable(curves) {
  const rows = curves.flatMap((curve, side) => curve.bytes.map((bytes, step) =>
    [["before", "after"][side], step, step < curve.forward_steps ? "forward" : "backward", bytes]));
  return {columns: ["decision", "step", "graph", "bytes"], rows};
}
