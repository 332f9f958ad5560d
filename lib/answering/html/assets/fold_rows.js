// Rows of alike layers as one, as layers/layers.cpp folds them: rows of one kind whose modules differ only in the numbers of
// layers. "model.layers.0-31.mlp" is the module of the folded row; "stages.*.layers.*" where not all combinations occur.
"use strict";

const LAYER_NUMBER = /^(0|[1-9]\d*)$/;

// [{module, rows}] in the order of their first rows.
function foldRows(rows, moduleOf, kindOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = `${modulePatternOf(moduleOf(row))}\n${kindOf(row)}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  return [...groups.values()].map((members) => ({module: foldedModule(members.map(moduleOf)), rows: members}));
}

// The path with 0 for the number of each layer.
const patterns = new Map();
function modulePatternOf(path) {
  if (!patterns.has(path)) {
    patterns.set(path, path.split(".").map((part) => (LAYER_NUMBER.test(part) ? "0" : part)).join("."));
  }
  return patterns.get(path);
}

// Of paths that have the same pattern.
function foldedModule(all) {
  const paths = [...new Set(all)];
  if (paths.length === 1) return paths[0];
  const parts = paths.map((path) => path.split("."));
  const names = parts[0].map((_, i) => [...new Set(parts.map((path) => path[i]))]);
  const combinations = names.reduce((product, of) => product * of.length, 1);
  return names.map((of) => {
    if (of.length === 1) return of[0];
    return combinations === paths.length ? layerNames(of.map(Number)) : "*";
  }).join(".");
}

// "0-31", "0-3, 5".
function layerNames(numbers) {
  const ranges = [];
  for (const number of numbers.sort((a, b) => a - b)) {
    if (ranges.length > 0 && ranges.at(-1)[1] + 1 === number) ranges.at(-1)[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}
