// The curves of other decisions as lines over the one that is shown. They have other steps, as they recompute other operators:
// each phase of a step takes the same room in all of them.
"use strict";

// The place among the steps of `to`, which may be a fraction, that is as far in its phase as `at` is in that of `from`.
function sameMoment(from, to, at) {
  const borders = (memory) => [0, memory.forwardSteps, memory.optimizerFrom, memory.steps.length];
  const own = borders(from), others = borders(to), phase = at < own[1] ? 0 : at < own[2] ? 1 : 2;
  const share = (at - own[phase]) / (own[phase + 1] - own[phase] || 1);
  return others[phase] + share * (others[phase + 1] - others[phase]);
}

// {others: [memory], made: that of the decision that was made, whose line is stronger}, unless it is the one that is shown.
function drawOthers(memory, {others = [], made}, scale) {
  const lines = others.map((other) => svgElement("path", {class: other === made ? "made-line" : "other-line",
    d: otherLine(memory, other, scale)}));
  return lines.sort((a, b) => (a.classList.contains("made-line") ? 1 : 0) - (b.classList.contains("made-line") ? 1 : 0));
}

// In each pixel the most, so that no peak is lost.
function otherLine(memory, other, scale) {
  const points = [];
  for (let x = Math.floor(scale.left); x < scale.right; ++x) {
    const at = (pixel) => Math.max(0, sameMoment(memory, other, Math.max(0, Math.min(memory.steps.length, scale.stepAt(pixel)))));
    const from = Math.min(Math.floor(at(x)), other.bytes.length - 1), to = Math.max(from + 1, Math.ceil(at(x + 1)));
    let most = 0;
    for (let s = from; s < Math.min(to, other.bytes.length); ++s) most = Math.max(most, other.bytes[s]);
    points.push(`${x} ${scale.y(most + scale.base).toFixed(1)}`);
  }
  return `M${points.join("L")}`;
}
