// Round figures along an axis.
"use strict";

// From 0 to at least `largest`, about `count` steps of 1, 2 or 5 times a power of ten.
function axisTicks(largest, count) {
  if (largest <= 0) return [0];
  const power = 10 ** Math.floor(Math.log10(largest / count));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size * count >= largest);
  return Array.from({length: Math.ceil(largest / step - 1e-9) + 1}, (_, i) => i * step);
}

// From at most `low` to at least `high`, in such steps.
function rangeTicks(low, high, count) {
  const above = axisTicks(Math.max(high - low, Math.abs(high) * 1e-3), count), step = above[1] ?? 1;
  const first = Math.floor(low / step + 1e-9), last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return Array.from({length: last - first + 1}, (_, i) => (first + i) * step);
}
