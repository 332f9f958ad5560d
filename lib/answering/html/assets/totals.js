// The head: title and totals, in the words of the command line.
"use strict";

function showTotals(report) {
  byId("title").textContent = report.title;
  const prefix = report.title + ": ";
  const {headline} = report;
  byId("headline").textContent = headline.startsWith(prefix) ? headline.slice(prefix.length) : headline;
  byId("totals").append(...report.lines.map(({label, figure, meaning}) =>
    element("div", {class: `total ${label.replaceAll(" ", "-")}`},
      element("dt", {}, label), element("dd", {class: "figure"}, figure), element("dd", {}, meaning))));
}
