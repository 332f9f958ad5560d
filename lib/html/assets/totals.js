// The head: title and totals, in the words of the command line.
"use strict";

function showTotals(report) {
  byId("title").textContent = report.title;
  const prefix = report.title + ": ";
  byId("headline").textContent = report.headline.startsWith(prefix) ? report.headline.slice(prefix.length) : report.headline;
  byId("totals").append(...report.lines.map((line) => element("div", {class: `total ${line.label.replaceAll(" ", "-")}`},
    element("dt", {}, line.label), element("dd", {class: "figure"}, line.figure), element("dd", {}, line.meaning))));
}
