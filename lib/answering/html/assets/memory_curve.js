// The memory in use at each step, forward and backward, with the peak marked. A step may be less than a pixel wide:
// each pixel shows the most of its steps, so that no peak is lost. The curve is a slider along the steps.
"use strict";

const CURVE = {height: 260, left: 72, right: 16, top: 34, bottom: 26};

function showMemoryCurve(report) {
  const {memory} = report;
  const place = byId("curve");
  if (memory.steps.length === 0) return;
  let step = memory.peakStep, scale = null, cursor = null;

  const moveTo = (target) => {
    step = Math.max(0, Math.min(memory.steps.length - 1, target));
    cursor.setAttribute("transform", `translate(${scale.x(step + 0.5)} 0)`);
    const text = describeStep(memory, step);
    byId("curve-place").textContent = text;
    place.setAttribute("aria-valuenow", step);
    place.setAttribute("aria-valuetext", text);
  };
  for (const [name, value] of Object.entries({role: "slider", tabindex: "0", "aria-label": "Memory at each step",
    "aria-valuemin": 0, "aria-valuemax": memory.steps.length - 1})) place.setAttribute(name, value);
  onWidth(place, (width) => {
    scale = curveScale(memory, width);
    cursor = svgElement("path", {class: "cursor", d: `M0 ${CURVE.top}V${CURVE.height - CURVE.bottom}`});
    place.replaceChildren(drawCurve(memory, width, scale, cursor));
    moveTo(step);
  });
  const follow = (event) => moveTo(Math.floor(scale.stepAt(event.clientX - place.getBoundingClientRect().left)));
  place.addEventListener("pointermove", follow);
  place.addEventListener("pointerdown", follow);
  place.addEventListener("keydown", (event) => {
    const page = Math.max(10, Math.round(memory.steps.length / 50));
    const moves = {ArrowRight: step + 1, ArrowUp: step + 1, ArrowLeft: step - 1, ArrowDown: step - 1,
      PageUp: step - page, PageDown: step + page, Home: 0, End: memory.steps.length - 1, p: memory.peakStep};
    if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    moveTo(moves[event.key]);
  });
}

function describeStep(memory, step) {
  const node = memory.steps[step];
  const where = [`step ${(step + 1).toLocaleString("en")} of ${memory.steps.length.toLocaleString("en")}`, node.side,
    node.name, node.operator === "output" ? "" : node.operator, node.module];
  return `${formatBytes(memory.bytes[step])} · ${where.filter((part) => part !== "").join(" · ")}`;
}

function curveScale(memory, width) {
  const ticks = axisTicks(memory.peakBytes, 4);
  const largest = ticks.at(-1) || 1;
  const inner = width - CURVE.left - CURVE.right, height = CURVE.height - CURVE.top - CURVE.bottom;
  const count = memory.steps.length;
  return {
    ticks,
    x: (step) => CURVE.left + (step / count) * inner,
    y: (bytes) => CURVE.top + (1 - bytes / largest) * height,
    stepAt: (x) => ((x - CURVE.left) / inner) * count,
  };
}

function drawCurve(memory, width, scale, cursor) {
  const ground = scale.y(0), border = scale.x(memory.forwardSteps), right = width - CURVE.right;
  const outline = curveOutline(memory, scale);
  return svgElement("svg", {width, height: CURVE.height, "aria-hidden": "true"},
    svgElement("rect", {class: "side", x: border, y: CURVE.top, width: Math.max(0, right - border),
      height: ground - CURVE.top}),
    ...scale.ticks.flatMap((bytes) => [
      svgElement("path", {class: "grid", d: `M${CURVE.left} ${scale.y(bytes)}H${right}`}),
      svgElement("text", {class: "tick", x: CURVE.left - 8, y: scale.y(bytes) + 4}, formatBytes(bytes))]),
    svgElement("path", {class: "area", d: `M${scale.x(0)} ${ground}${outline}L${right} ${ground}Z`}),
    svgElement("path", {class: "line", d: "M" + outline.slice(1)}),
    ...sideLabel("forward", scale.x(0), border, ground), ...sideLabel("backward", border, right, ground),
    cursor, ...peakMark(memory, width, scale));
}

// "Lx y" for each pixel that has a step; where pixels are wider than steps, for each step's begin and end.
function curveOutline(memory, scale) {
  const parts = [];
  let column = -1, most = 0;
  const finish = () => column >= 0 && parts.push(`L${column} ${scale.y(most).toFixed(1)}`);
  const isWide = scale.x(1) - scale.x(0) >= 1;
  memory.bytes.forEach((bytes, step) => {
    if (isWide) {
      const y = scale.y(bytes).toFixed(1);
      parts.push(`L${scale.x(step).toFixed(1)} ${y}L${scale.x(step + 1).toFixed(1)} ${y}`);
      return;
    }
    const x = Math.floor(scale.x(step));
    if (x !== column) {
      finish();
      column = x;
      most = 0;
    }
    most = Math.max(most, bytes);
  });
  finish();
  return parts.join("");
}

function sideLabel(text, from, to, ground) {
  if (to - from < 60) return [];
  return [svgElement("text", {class: "side-label", x: (from + to) / 2, y: ground + 18}, text)];
}

function peakMark(memory, width, scale) {
  const x = scale.x(memory.peakStep + 0.5), y = scale.y(memory.peakBytes);
  const isLeft = x > width - 240;  // of the dot, where there is no room on the right
  return [
    svgElement("circle", {class: "peak", cx: x, cy: y, r: 5}),
    svgElement("text", {class: "peak-label", x: isLeft ? x - 8 : x + 8, y: y - 8,
      "text-anchor": isLeft ? "end" : "start"},
      `peak ${formatBytes(memory.peakBytes)} at ${memory.steps[memory.peakStep].name}`)];
}
