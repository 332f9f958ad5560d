// The memory in use at each step, by what it is for. The bands of a step add up to its memory, and the bands of inputs and
// parameters, which stay throughout, lie below the others.
//
// Saved values are a band for each of the modules with most of them, alike layers together, and one for all others.
"use strict";

const STACK_MODULES = 5;

// {bands: [{key, label, colour, share, isResident, bytes: by step}], bandOf: by allocation}; `share` is how strong the colour is.
function memoryStack(memory) {
  const steps = memory.steps.length;
  const {modules, moduleOf} = savedModules(memory.allocations);
  const resident = [
    {key: "parameter", label: "parameters and buffers", colour: "parameter", share: 60, fixed: memory.staticBytes},
    {key: "input", label: memory.inputLabel ?? "other inputs", colour: "unused", share: 60, fixed: memory.inputBytes}];
  const saved = modules.map((module, i) => ({key: `saved ${module}`, label: `saved, ${module}`, colour: "saved",
    share: 88 - 11 * i}));
  const isWholeStep = memory.allocations.some(({kind}) => kind === "optimizer");
  const optimizer = isWholeStep ? [{key: "optimizer", label: "optimizer", colour: "gradient", share: 35}] : [];
  const bands = [
    ...resident.map((band) => ({...band, isResident: true, bytes: new Float64Array(steps).fill(band.fixed)})),
    {key: "gradient", label: "gradients", colour: "gradient", share: 70},
    {key: "caller", label: "outputs and tangents", colour: "output", share: 70},
    ...saved,
    {key: "saved", label: modules.length > 0 ? "saved, other modules" : "saved", colour: "saved", share: 24},
    {key: "reloaded", label: "reloaded from the host", colour: "offloaded", share: 70},
    {key: "recomputed", label: "recomputed", colour: "recomputed", share: 75},
    ...optimizer,
    {key: "temporary", label: "temporary", colour: "temporary", share: 65}];
  const position = new Map(bands.map((band, b) => [band.key, b]));
  const bandOf = memory.allocations.map((allocation) => position.get(keyOf(allocation, moduleOf)));
  const allocations = bands.map(() => []);  // by band
  memory.allocations.forEach((allocation, i) => allocations[bandOf[i]].push(allocation));
  bands.forEach((band, b) => (band.bytes = band.isResident ? band.bytes : bytesOfSteps(allocations[b], steps)));
  return {bands, bandOf};
}

// What the allocations of each step add up to.
function bytesOfSteps(allocations, count) {
  const bytes = new Float64Array(count + 1);
  for (const {bytes: size, first, last} of allocations) {
    bytes[first] += size;
    bytes[last + 1] -= size;
  }
  for (let s = 1; s < count; ++s) bytes[s] += bytes[s - 1];
  return bytes.subarray(0, count);
}

function keyOf({kind, node}, moduleOf) {
  if (kind === "output" || kind === "tangent") return "caller";
  if (kind !== "saved") return kind;
  const module = moduleOf(node.module);
  return module === null ? "saved" : `saved ${module}`;
}

// The modules that get a band of their own: those below the layers, "model.layers.0-31.mlp", or two names deep.
function savedModules(allocations) {
  const groups = new Map();
  for (const {kind, node, bytes} of allocations) {
    if (kind !== "saved" || node.module === "") continue;
    const key = modulePatternOf(cutModule(node.module));
    if (!groups.has(key)) groups.set(key, {bytes: 0, paths: new Set()});
    groups.get(key).bytes += bytes;
    groups.get(key).paths.add(cutModule(node.module));
  }
  const largest = [...groups].sort((a, b) => b[1].bytes - a[1].bytes).slice(0, STACK_MODULES);
  const names = new Map(largest.map(([key, {paths}]) => [key, foldedModule([...paths])]));
  const known = new Map();
  const moduleOf = (path) => {
    if (!known.has(path)) known.set(path, path === "" ? null : names.get(modulePatternOf(cutModule(path))) ?? null);
    return known.get(path);
  };
  return {modules: [...names.values()], moduleOf};
}

function cutModule(path) {
  const parts = path.split(".");
  const layer = parts.findIndex((part) => LAYER_NUMBER.test(part));
  return parts.slice(0, layer < 0 ? 2 : layer + 2).join(".");
}
