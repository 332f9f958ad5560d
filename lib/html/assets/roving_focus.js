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

// The item whose middle lies nearest in the direction, where a way aside counts twice.
function nearest(from, items, [dx, dy]) {
  const start = middleOf(from);
  let best = null, bestDistance = Infinity;
  for (const item of items) {
    const place = middleOf(item);
    const ahead = (place.x - start.x) * dx + (place.y - start.y) * dy;
    const aside = Math.abs((place.x - start.x) * dy) + Math.abs((place.y - start.y) * dx);
    const distance = ahead + 2 * aside;
    if (item === from || ahead <= 1 || aside > 4 * ahead || distance >= bestDistance) continue;
    best = item;
    bestDistance = distance;
  }
  return best;
}

function middleOf(item) {
  const box = item.getBoundingClientRect();
  return {x: box.left + box.width / 2, y: box.top + Math.min(box.height / 2, 20)};
}
