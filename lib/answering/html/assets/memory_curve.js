// The memory in use at each step of forward and backward, stacked by what it is for, with the peak marked. A step may be less
// than a pixel wide: each pixel shows the one of its steps that uses most, so that no peak is lost. The curve is a slider along
// the steps; a part of it can be brought closer.
"use strict";

const CURVE = {height: 340, left: 72, right: 18, top: 40, bottom: 28, dragLeast: 5, zoomStep: 0.7};

// Returns refresh(), which shows another report.memory. `onSelect` gets each step that is chosen, the peak first.
function showMemoryCurve(report, onSelect) {
  const place = byId("curve");
  let {memory} = report, count = memory.steps.length;
  if (count === 0) return () => {};
  let stack = memoryStack(memory);
  const view = {range: zoomRange.whole(count), step: memory.peakStep, width: 0, device: null, withResident: true};
  let scale = null;

  const draw = () => {
    if (view.width === 0) return;
    const bands = stack.bands.filter((band) => view.withResident || !band.isResident);
    scale = curveScale(memory, report.others ?? [], view);
    place.replaceChildren(drawCurve(memory, bands, drawOthers(memory, report, scale), scale, view));
    byId("zoom-note").textContent = zoomRange.isWhole(view.range, count) ? ""
      : `steps ${(Math.floor(view.range.from) + 1).toLocaleString("en")} to ` +
        `${Math.ceil(view.range.to).toLocaleString("en")} of ${count.toLocaleString("en")}`;
    byId("zoom-reset").disabled = zoomRange.isWhole(view.range, count);
  };
  const zoomTo = (range) => {
    view.range = zoomRange.within(range, count);
    linkState.put("zoom", zoomRange.isWhole(view.range, count) ? ""
      : `${Number(view.range.from.toFixed(2))}-${Number(view.range.to.toFixed(2))}`);
    draw();
  };
  const zoomBy = (factor, about = view.step + 0.5) => zoomTo(zoomRange.scaled(view.range, factor, about, count));
  const select = (target) => {
    view.step = Math.max(0, Math.min(count - 1, target));
    linkState.put("step", view.step === memory.peakStep ? "" : view.step);
    zoomTo(zoomRange.showing(view.range, view.step, count));
    const text = describeStep(memory, view.step);
    byId("curve-place").textContent = text;
    place.setAttribute("aria-valuenow", view.step);
    place.setAttribute("aria-valuetext", text);
    showCurveLegend(stack, view.step);
    onSelect(view.step, stack);
  };

  for (const [name, value] of Object.entries({role: "slider", tabindex: "0", "aria-label": "Memory at each step",
    "aria-valuemin": 0, "aria-valuemax": count - 1})) place.setAttribute(name, value);
  // The same part, and the same moment, or again the peak.
  const refresh = () => {
    const before = memory, isPeak = view.step === memory.peakStep, isWhole = zoomRange.isWhole(view.range, count);
    memory = report.memory;
    count = memory.steps.length;
    stack = memoryStack(memory);
    const [from, to, step] = [view.range.from, view.range.to, view.step].map((at) => sameMoment(before, memory, at));
    view.range = isWhole ? zoomRange.whole(count) : {from, to};
    place.setAttribute("aria-valuemax", count - 1);
    device.update();
    select(isPeak ? memory.peakStep : Math.floor(step));
  };
  curvePointer(place, {
    stepAt: (x) => scale.stepAt(x),
    select: (step) => select(Math.floor(step)),
    hover: (step) => (byId("curve-place").textContent = describeStep(memory, step === null ? view.step
      : Math.max(0, Math.min(count - 1, Math.floor(step))))),
    zoomTo, zoomBy,
    moveBy: (share) => zoomTo(zoomRange.moved(view.range, share * (view.range.to - view.range.from), count)),
    reset: () => zoomTo(zoomRange.whole(count)),
  });
  place.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.round((view.range.to - view.range.from) / 25));
    const moves = {ArrowRight: view.step + 1, ArrowUp: view.step + 1, ArrowLeft: view.step - 1, ArrowDown: view.step - 1,
      PageUp: view.step - page, PageDown: view.step + page, Home: 0, End: count - 1, p: memory.peakStep};
    const zooms = {"+": CURVE.zoomStep, "=": CURVE.zoomStep, "-": 1 / CURVE.zoomStep};
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) select(moves[event.key]);
    else if (event.key in zooms) zoomBy(zooms[event.key]);
    else if (event.key === "0") zoomTo(zoomRange.whole(count));
    else return;
    event.preventDefault();
  });
  byId("zoom-in").addEventListener("click", () => zoomBy(CURVE.zoomStep));
  byId("zoom-out").addEventListener("click", () => zoomBy(1 / CURVE.zoomStep));
  byId("zoom-reset").addEventListener("click", () => zoomTo(zoomRange.whole(count)));
  const device = deviceField(report, (bytes) => {
    view.device = bytes;
    draw();
  });
  byId("with-parameters").addEventListener("change", (event) => {
    view.withResident = event.target.checked;
    linkState.put("parameters", view.withResident ? "" : "no");
    draw();
  });
  linkState.follow("parameters", (text) => {
    view.withResident = text !== "no";
    byId("with-parameters").checked = view.withResident;
    draw();
  });
  linkState.follow("zoom", (text) => {
    const [from, to] = text.split("-").map(Number);
    zoomTo(to > from ? {from, to} : zoomRange.whole(count));
  });
  select(memory.peakStep);
  linkState.follow("step", (text) => select(/^\d+$/.test(text) ? Number(text) : memory.peakStep));
  onWidth(place, (width) => {
    view.width = width;
    draw();
  });
  exportMenu(byId("curve-export"), {chart: () => place.querySelector("svg"), name: `${report.title}-memory`,
    table: () => curveTable(memory, stack)});
  return refresh;
}

// Wheel (with Ctrl, or while the curve has the focus), drag and double click.
function curvePointer(place, act) {
  const xOf = (event) => event.clientX - place.getBoundingClientRect().left;
  let from = null, mark = null;
  place.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== place) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) act.moveBy(event.deltaX / 600);
    else act.zoomBy(Math.exp(Math.max(-100, Math.min(100, event.deltaY)) / 250), act.stepAt(xOf(event)));
  }, {passive: false});
  place.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = xOf(event);
    place.setPointerCapture(event.pointerId);
  });
  place.addEventListener("pointermove", (event) => {
    const x = xOf(event);
    act.hover(act.stepAt(x));
    if (from === null || (Math.abs(x - from) < CURVE.dragLeast && !mark)) return;
    if (!mark) place.querySelector("svg").append(mark = svgElement("rect", {class: "brush", y: CURVE.top,
      height: CURVE.height - CURVE.top - CURVE.bottom}));
    mark.setAttribute("x", Math.min(from, x));
    mark.setAttribute("width", Math.abs(x - from));
  });
  place.addEventListener("pointerleave", () => act.hover(null));
  place.addEventListener("pointerup", (event) => {
    if (from === null) return;
    const [begin, end] = [from, xOf(event)].sort((a, b) => a - b), isDrag = mark !== null;
    from = null;
    mark?.remove();
    mark = null;
    if (isDrag) act.zoomTo({from: act.stepAt(begin), to: act.stepAt(end)});
    else act.select(act.stepAt(end));
  });
  place.addEventListener("pointercancel", () => {
    from = null;
    mark?.remove();
    mark = null;
  });
  place.addEventListener("dblclick", act.reset);
}

// The field for the device's memory, and what that says of the step.
function deviceField(report, onChange) {
  const field = byId("device"), note = byId("device-note");
  const update = () => {
    const bytes = parseSize(field.value), isEmpty = field.value.trim() === "";
    field.setAttribute("aria-invalid", String(bytes === null && !isEmpty));
    note.textContent = isEmpty ? "" : bytes === null ? "expected an amount, such as 80 GB" : describeFit(report.memory, bytes);
    note.classList.toggle("bad", bytes !== null && bytes < report.memory.residentPeak);
    linkState.put("device", bytes === null ? "" : field.value.trim());
    onChange(bytes);
  };
  field.addEventListener("input", update);
  linkState.follow("device", (text) => {
    field.value = text;
    update();
  });
  return {update};
}

function describeFit(memory, device) {
  const left = device - memory.residentPeak;
  if (left >= 0) return `fits: ${formatBytes(left)} left at the peak`;
  const most = device - memory.staticBytes - memory.inputBytes;
  const over = memory.bytes.filter((bytes) => bytes > most).length;
  return `does not fit: ${formatBytes(-left)} too much at the peak, and too much at ${formatCount(over, "step")}`;
}

function describeStep(memory, step) {
  const node = memory.steps[step];
  const where = [`step ${(step + 1).toLocaleString("en")} of ${memory.steps.length.toLocaleString("en")}`, memory.phaseOf(step),
    node.name, node.operator === "output" ? "" : node.operator, node.module];
  const resident = memory.staticBytes + memory.inputBytes;
  return `${formatBytes(memory.bytes[step])} + ${formatBytes(resident)} resident · ` +
    where.filter((part) => part !== "").join(" · ");
}

// The bands with their bytes at the step; bands that are empty throughout are left out.
function showCurveLegend(stack, step) {
  const rows = stack.bands.filter((band) => band.bytes.some((bytes) => bytes > 0));
  byId("curve-legend").replaceChildren(...rows.reverse().map((band) => element("li", {"data-key": band.key,
    "data-bytes": band.bytes[step], class: band.bytes[step] > 0 ? null : "none"},
  bandSwatch(band), element("span", {class: "band"}, band.label),
  element("span", {class: "figure"}, formatBytes(band.bytes[step])))));
}

function bandSwatch(band) {
  const swatch = svgElement("svg", {class: "band-swatch", width: 12, height: 12, "aria-hidden": "true"},
    svgElement("rect", {width: 12, height: 12, rx: 3}));
  swatch.firstChild.style.fill = bandColour(band);
  return swatch;
}

function bandColour({colour, share}) {
  return `color-mix(in srgb, var(--${colour}) ${share}%, var(--ground-fill))`;
}

function curveTable(memory, stack) {
  return {columns: ["step", "graph", "node", "operator", "module", "bytes", ...stack.bands.map((band) => band.label)],
    rows: memory.steps.map((node, s) => [s, memory.phaseOf(s), node.name, node.operator, node.module, memory.bytes[s],
      ...stack.bands.map((band) => band.bytes[s])])};
}
