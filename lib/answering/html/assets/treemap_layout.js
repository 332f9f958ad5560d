// Rectangles for parts of a whole, in a rectangle of the same shape: Bruls, Huizing and van Wijk's squarified treemaps.
//
// Parts are laid out largest first, in rows along the shorter side of what is left. A row takes parts as long as its
// worst tile gets no more oblong; then the next row begins. Areas are in proportion to the weights.
"use strict";

// For each weight, which must be above 0, {x, y, width, height} within `box`, in the order of `weights`.
function squarify(weights, box) {
  const order = weights.map((_, i) => i).sort((a, b) => weights[b] - weights[a] || a - b);
  const scale = (box.width * box.height) / weights.reduce((sum, weight) => sum + weight, 0);
  const areas = order.map((i) => weights[i] * scale);
  const tiles = new Array(weights.length);
  let left = {...box};
  for (let begin = 0; begin < areas.length;) {
    const end = rowEnd(areas, begin, Math.min(left.width, left.height));
    left = placeRow(areas, order, begin, end, left, tiles);
    begin = end;
  }
  return tiles;
}

function rowEnd(areas, begin, side) {
  let sum = areas[begin], worst = worstShape(areas[begin], areas[begin], sum, side);
  let end = begin + 1;
  for (; end < areas.length; ++end) {
    const next = worstShape(areas[begin], areas[end], sum + areas[end], side);
    if (next > worst) break;
    worst = next;
    sum += areas[end];
  }
  return end;
}

// How oblong the worst tile of a row is, whose tiles are between these areas.
function worstShape(largest, smallest, sum, side) {
  return Math.max((side * side * largest) / (sum * sum), (sum * sum) / (side * side * smallest));
}

// Places the row; returns what is left of the box.
function placeRow(areas, order, begin, end, box, tiles) {
  const sum = areas.slice(begin, end).reduce((total, area) => total + area, 0);
  const isColumn = box.width >= box.height;
  const thickness = Math.min(sum / Math.min(box.width, box.height), isColumn ? box.width : box.height);
  let along = isColumn ? box.y : box.x;
  for (let i = begin; i < end; ++i) {
    const length = thickness > 0 ? areas[i] / thickness : 0;
    tiles[order[i]] = isColumn ? {x: box.x, y: along, width: thickness, height: length}
                               : {x: along, y: box.y, width: length, height: thickness};
    along += length;
  }
  return isColumn ? {...box, x: box.x + thickness, width: box.width - thickness}
                  : {...box, y: box.y + thickness, height: box.height - thickness};
}
