// A part of a row of items that is in sight: zooming in and out about a point, and moving along, within the whole.
"use strict";

const LEAST_IN_SIGHT = 8;

// Ranges are [from, to) in items, which may be fractions.
const zoomRange = {
  whole: (count) => ({from: 0, to: count}),
  isWhole: ({from, to}, count) => from <= 0 && to >= count,
  within({from, to}, count) {
    const size = Math.min(count, Math.max(Math.min(LEAST_IN_SIGHT, count), to - from));
    const begin = Math.max(0, Math.min(count - size, from));
    return {from: begin, to: begin + size};
  },
  scaled({from, to}, factor, about, count) {
    const at = Math.max(from, Math.min(to, about));
    return zoomRange.within({from: at - (at - from) * factor, to: at + (to - at) * factor}, count);
  },
  moved: ({from, to}, by, count) => zoomRange.within({from: from + by, to: to + by}, count),
  // Moved as little as it takes to have the item in sight.
  showing(range, item, count) {
    if (item < range.from) return zoomRange.moved(range, item - range.from, count);
    return item + 1 > range.to ? zoomRange.moved(range, item + 1 - range.to, count) : range;
  },
};
