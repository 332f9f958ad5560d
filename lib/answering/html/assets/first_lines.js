// The first screen: title, and the lines with which the command line's report begins, a card for each with its parts; then what
// would need less memory.
"use strict";

function showFirstLines(report) {
  byId("title").textContent = report.title;
  const prefix = report.title + ": ";
  const {headline} = report;
  byId("headline").textContent = headline.startsWith(prefix) ? headline.slice(prefix.length) : headline;
  byId("totals").append(...cardsOf(report.lines).map(([first, ...parts]) => element("dl", {class: "card"},
    totalLine(first), ...parts.map(totalLine))));
  byId("totals-more").addEventListener("click", () => {
    const isOpen = byId("totals").classList.toggle("open");
    byId("totals-more").setAttribute("aria-expanded", String(isOpen));
  });
  byId("advice").hidden = byId("advice-link").hidden = report.advice.length === 0;
  byId("advice-list").append(...report.advice.map(adviceItem));
}

function cardsOf(lines) {
  const cards = [];
  for (const line of lines) {
    if (line.part && cards.length > 0) cards.at(-1).push(line);
    else cards.push([line]);
  }
  return cards;
}

function totalLine({label, figure, meaning, part}) {
  return element("div", {class: `total ${part ? "part" : "whole"} ${label.replaceAll(" ", "-")}`},
    element("dt", {}, label), element("dd", {class: "figure"}, figure), element("dd", {class: "meaning", title: meaning}, meaning));
}

function adviceItem({effect, command}) {
  return element("li", {}, element("span", {}, effect), commandLine(command));
}
