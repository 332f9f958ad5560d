// Which modules a text means.
//
// "mlp"                    every path that holds the text
// "layers.*.mlp"           that module in every layer, and what is below, wherever the layers are
// "model.layers.0-31.mlp"  the same of layers that are folded, whose numbers are so written
// "(no module)"            what comes from no module
"use strict";

const NO_MODULE = "(no module)";

function modulePattern(text) {
  const wanted = text.trim();
  if (wanted === "") return () => true;
  if (wanted === NO_MODULE) return (path) => path === "";
  const isPattern = /[*]|\d-\d|\d, \d/.test(wanted);
  if (!isPattern) return (path) => path.toLowerCase().includes(wanted.toLowerCase());
  const parts = wanted.split(".").map(partPattern);
  return (path) => {
    const found = path.split(".");
    const isAt = (begin) => parts.every((matches, i) => matches(found[begin + i]));
    for (let begin = 0; begin + parts.length <= found.length; ++begin) if (isAt(begin)) return true;
    return false;
  };
}

function partPattern(part) {
  if (part === "*") return () => true;
  if (!/^\d+(-\d+)?(, \d+(-\d+)?)*$/.test(part)) return (name) => name === part;
  const ranges = part.split(", ").map((range) => range.split("-").map(Number));
  const isIn = (range, number) => range[0] <= number && number <= range.at(-1);
  return (name) => /^\d+$/.test(name) && ranges.some((range) => isIn(range, Number(name)));
}

// The first of the modules that a path with folded layers stands for.
function firstModule(path) {
  return path.split(".").map((part) => (/^\d+[-,]/.test(part) ? part.match(/^\d+/)[0] : part)).join(".");
}

function isWithin(path, module) {
  return module === "" || path === module || path.startsWith(module + ".");
}
