// One tab stop for many items: the arrow keys move the focus to the nearest item in that direction.
"use strict";

const DIRECTIONS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

// `items` are elements within `container`, which draws them anew as it likes and calls this again.
function rovingFocus(container, items, first = items[0]) {
  for (const item of items) item.setAttribute("tabindex", item === first ? "0" : "-1");
  container.onfocusin = (event) => {
    const item = items.find((candidate) => candidate === event.target);
    if (item) for (const other of items) other.setAttribute("tabindex", other === item ? "0" : "-1");
  };
  container.onkeydown = (event) => {
    const direction = DIRECTIONS[event.key];
    if (!direction || !items.includes(document.activeElement)) return;
    event.preventDefault();
    nearest(document.activeElement, items, direction)?.focus();
  };
}

// The nearest item that lies in the direction, where a way aside counts three times: first what lies straight ahead. Of
// an item that has others on it only its head counts.
function nearest(from, items, [dx, dy]) {
  const start = boxOf(from);
  let best = null, bestDistance = Infinity;
  for (const item of items) {
    const box = boxOf(item);
    const across = gapBetween(start.left, start.right, box.left, box.right);
    const along = gapBetween(start.top, start.bottom, box.top, box.bottom);
    const ahead = (box.x - start.x) * dx + (box.y - start.y) * dy;
    const distance = dx !== 0 ? across + 3 * along : along + 3 * across;
    const isAside = dx !== 0 ? along > 3 * ahead : across > 3 * ahead;
    if (item === from || ahead <= 1 || isAside || distance > bestDistance) continue;
    if (distance === bestDistance && middleGap(start, box) >= middleGap(start, boxOf(best))) continue;
    best = item;
    bestDistance = distance;
  }
  return best;
}

function boxOf(item) {
  const {left, right, top, bottom} = item.getBoundingClientRect();
  const end = item.classList.contains("group") ? top + 18 : bottom;
  return {left, right, top, bottom: end, x: (left + right) / 2, y: (top + end) / 2};
}

function gapBetween(begin, end, otherBegin, otherEnd) {
  return Math.max(0, otherBegin - end, begin - otherEnd);
}

function middleGap(one, other) {
  return Math.abs(one.x - other.x) + Math.abs(one.y - other.y);
}
