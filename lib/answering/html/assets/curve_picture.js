// The drawing of the memory curve.
"use strict";

function curveScale(memory, others, {range, width, device, withResident}) {
  const base = withResident ? memory.staticBytes + memory.inputBytes : 0;
  const most = Math.max(memory.peakBytes, ...others.map((other) => other.peakBytes)) + base;
  const isInReach = device !== null && withResident && device <= 2.5 * most;
  const ticks = axisTicks(Math.max(most, isInReach ? device * 1.02 : 0), 5);
  const largest = ticks.at(-1) || 1;
  const inner = Math.max(1, width - CURVE.left - CURVE.right), height = CURVE.height - CURVE.top - CURVE.bottom;
  const span = range.to - range.from;
  return {
    ticks, base, isInReach,
    x: (step) => CURVE.left + ((step - range.from) / span) * inner,
    y: (bytes) => CURVE.top + (1 - bytes / largest) * height,
    stepAt: (x) => range.from + ((x - CURVE.left) / inner) * span,
    left: CURVE.left, right: CURVE.left + inner,
  };
}

function drawCurve(memory, bands, otherLines, scale, view) {
  const ground = scale.y(0), clamp = (x) => Math.max(scale.left, Math.min(scale.right, x));
  const border = clamp(scale.x(memory.forwardSteps)), optimizer = clamp(scale.x(memory.optimizerFrom));
  const columns = curveColumns(memory, scale, view.range);
  return svgElement("svg", {width: view.width, height: CURVE.height, "aria-hidden": "true"},
    svgElement("rect", {class: "side", x: border, y: CURVE.top, width: scale.right - border, height: ground - CURVE.top}),
    ...drawBands(bands, columns, scale), ...otherLines,
    ...scale.ticks.flatMap((bytes) => [
      svgElement("path", {class: "grid", d: `M${scale.left} ${scale.y(bytes)}H${scale.right}`}),
      svgElement("text", {class: "tick", x: scale.left - 8, y: scale.y(bytes) + 4}, formatBytes(bytes))]),
    ...sideLabel("forward", scale.left, border, ground), ...sideLabel("backward", border, optimizer, ground),
    ...sideLabel("optimizer", optimizer, scale.right, ground),
    ...deviceLine(view, scale), ...cursorLine(view, scale), ...peakMark(memory, scale, view));
}

// [{from, to, step}]: each pixel with the step that uses most of those in it; where steps are wider than pixels, each step.
function curveColumns(memory, scale, range) {
  const columns = [];
  const first = Math.floor(range.from), last = Math.min(memory.steps.length, Math.ceil(range.to));
  const isWide = scale.x(1) - scale.x(0) >= 1;
  for (let step = first; step < last; ++step) {
    const from = Math.max(scale.left, scale.x(step)), to = Math.min(scale.right, scale.x(step + 1));
    const pixel = Math.floor(from), column = columns.at(-1);
    if (isWide) columns.push({from, to, step});
    else if (!column || column.pixel !== pixel) columns.push({pixel, from: pixel, to: pixel + 1, step});
    else if (memory.bytes[step] > memory.bytes[column.step]) column.step = step;
  }
  return columns;
}

function drawBands(bands, columns, scale) {
  const low = new Float64Array(columns.length);
  return bands.filter((band) => columns.some(({step}) => band.bytes[step] > 0)).map((band) => {
    const upper = [], lower = [];
    columns.forEach(({from, to, step}, i) => {
      const bottom = scale.y(low[i]).toFixed(1);
      low[i] += band.bytes[step];
      const top = scale.y(low[i]).toFixed(1);
      upper.push(`${from.toFixed(1)} ${top} ${to.toFixed(1)} ${top}`);
      lower.push(`${to.toFixed(1)} ${bottom} ${from.toFixed(1)} ${bottom}`);
    });
    const area = svgElement("path", {class: "band-area", "data-key": band.key,
      d: `M${upper.join("L")}L${lower.reverse().join("L")}Z`});
    area.style.fill = bandColour(band);
    return area;
  });
}

function sideLabel(text, from, to, ground) {
  if (to - from < 60) return [];
  return [svgElement("text", {class: "side-label", x: (from + to) / 2, y: ground + 19}, text)];
}

function deviceLine({device}, scale) {
  if (!scale.isInReach) return [];
  const y = scale.y(device);
  return [svgElement("path", {class: "device-line", d: `M${scale.left} ${y}H${scale.right}`}),
    svgElement("text", {class: "device-label", x: scale.left + 8, y: y - 6}, `device ${formatBytes(device)}`)];
}

function cursorLine({step, range}, scale) {
  const at = step + 0.5;
  if (at < range.from || at > range.to) return [];
  return [svgElement("path", {class: "cursor", d: `M${scale.x(at)} ${CURVE.top - 6}V${scale.y(0)}`})];
}

function peakMark(memory, scale, {range, width}) {
  const at = memory.peakStep + 0.5;
  if (at < range.from || at > range.to) return [];
  const x = scale.x(at), y = scale.y(memory.peakBytes + scale.base);
  const isLeft = x > width * 0.6;  // of the dot, where there is no room on the right
  const label = width < 520 ? `peak ${formatBytes(memory.peakBytes)}`
    : `peak ${formatBytes(memory.peakBytes)} at ${memory.steps[memory.peakStep].name}`;
  return [
    svgElement("circle", {class: "peak", cx: x, cy: y, r: 5}),
    svgElement("text", {class: "peak-label", x: isLeft ? x - 9 : x + 9, y: y - 9,
      "text-anchor": isLeft ? "end" : "start"}, label)];
}
