// A drawing that fits its frame at first, and can be brought closer and moved: wheel (with Ctrl, or while something in it has the
// focus), two fingers, drag, buttons and keys. The drawing's viewBox is what is in sight.
"use strict";

const PAN = {closest: 3, step: 0.75, margin: 12};

// `svg` is as wide and high as its frame; `size` {width, height} is that of the drawing. Returns {fit, zoomBy, show(box), inSight,
// place(view)}. `onView` gets each view, null where all is in sight.
function panZoom(svg, size, onView) {
  let view = null;
  const frame = () => ({width: svg.clientWidth || 1, height: svg.clientHeight || 1});
  const whole = () => {
    const {width, height} = frame();
    const scale = Math.min(PAN.closest / 2, width / (size.width + 2 * PAN.margin), height / (size.height + 2 * PAN.margin));
    const seen = {width: width / scale, height: height / scale};
    return {x: (size.width - seen.width) / 2, y: (size.height - seen.height) / 2, ...seen};
  };
  const place = (next, isFit = false) => {
    const all = whole(), {width, height} = frame();
    const largest = Math.max(all.width, width), least = width / PAN.closest;
    const w = Math.max(Math.min(least, largest), Math.min(largest, next.width)), h = (w * height) / width;
    const x = next.x + (next.width - w) / 2, y = next.y + (next.height - h) / 2;
    const keep = (at, seen, of) => Math.max(Math.min(0, of - seen) - seen / 2, Math.min(Math.max(0, of - seen) + seen / 2, at));
    view = isFit ? all : {x: keep(x, w, size.width), y: keep(y, h, size.height), width: w, height: h};
    svg.setAttribute("viewBox", [view.x, view.y, view.width, view.height].map((value) => value.toFixed(1)).join(" "));
    onView(isFit ? null : view);
  };
  const fit = () => place(whole(), true);
  const zoomBy = (factor, about = {x: view.x + view.width / 2, y: view.y + view.height / 2}) => {
    const width = view.width * factor, height = view.height * factor;
    place({x: about.x - (about.x - view.x) * factor, y: about.y - (about.y - view.y) * factor, width, height});
  };
  const at = ({clientX, clientY}) => {
    const box = svg.getBoundingClientRect();
    return {x: view.x + ((clientX - box.left) / box.width) * view.width,
      y: view.y + ((clientY - box.top) / box.height) * view.height};
  };
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !svg.contains(document.activeElement)) return;
    event.preventDefault();
    zoomBy(Math.exp(Math.max(-100, Math.min(100, event.deltaY)) / 250), at(event));
  }, {passive: false});
  fingers(svg, {
    move: (dx, dy) => place({...view, x: view.x - (dx * view.width) / frame().width,
      y: view.y - (dy * view.height) / frame().height}),
    pinch: (factor, middle) => zoomBy(factor, at(middle)),
  });
  return {
    fit, zoomBy, place,
    isWhole: () => view.width >= whole().width - 0.5,
    // Moves as little as it takes to have the box {x, y, width, height} in sight.
    show(box) {
      const along = (begin, seen, from, size_) => (from < begin ? from - PAN.margin
        : from + size_ > begin + seen ? from + size_ + PAN.margin - seen : begin);
      const x = along(view.x, view.width, box.x, box.width), y = along(view.y, view.height, box.y, box.height);
      if (x !== view.x || y !== view.y) place({...view, x, y});
    },
  };
}

// One finger, or the mouse, moves; two pinch. A click is left to the item under it.
function fingers(svg, act) {
  const down = new Map();
  let moved = 0;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    down.set(event.pointerId, {clientX: event.clientX, clientY: event.clientY});
    moved = 0;
  });
  svg.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved < 5) return;
    if (!svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    const distance = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    if (!other) act.move(dx, dy);
    else if (distance(event) > 10) {
      act.pinch(distance(before) / distance(event),
        {clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2});
    }
    down.set(event.pointerId, {clientX: event.clientX, clientY: event.clientY});
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    svg.addEventListener(end, (event) => {
      if (end !== "pointerleave" || !svg.hasPointerCapture(event.pointerId)) down.delete(event.pointerId);
    });
  }
  svg.addEventListener("click", (event) => {
    if (moved < 5) return;
    event.stopPropagation();  // a drag chooses nothing
    moved = 0;
  }, true);
}
