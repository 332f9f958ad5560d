// An amount of memory as a user types it: "80 GB", "16GiB", "1.5e9".
"use strict";

const SIZE_UNITS = {"": 1, b: 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15};
const BINARY_UNITS = {k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40, p: 2 ** 50};

// Bytes, or null where it is no amount above 0.
function parseSize(text) {
  const match = /^([0-9.]+(?:e\d+)?)\s*([kmgtp]?)(i?)(b?)$/i.exec(text.trim());
  if (!match) return null;
  const unit = match[2].toLowerCase();
  const scale = match[3] === "" ? SIZE_UNITS[unit] : BINARY_UNITS[unit];
  const bytes = Number(match[1]) * (scale ?? NaN);
  return Number.isFinite(bytes) && bytes > 0 ? bytes : null;
}
