// The first screen: title, and the lines with which the command line's report begins, a card for each with its parts; then other
// advice on memory.
"use strict";

// Returns refresh(), which shows another decision.
function showFirstLines(report) {
  byId("title").textContent = report.title;
  byId("totals-more").addEventListener("click", () => {
    const isOpen = byId("totals").classList.toggle("open");
    byId("totals-more").setAttribute("aria-expanded", String(isOpen));
  });
  byId("advice").hidden = byId("advice-link").hidden = report.advice.length === 0;
  byId("advice-list").append(...report.advice.map(adviceItem));
  const refresh = () => {
    const prefix = report.title + ": ", {headline} = report;
    byId("headline").textContent = headline.startsWith(prefix) ? headline.slice(prefix.length) : headline;
    byId("totals").replaceChildren(...cardsOf(report.lines).map(([first, ...parts]) =>
      element("dl", {class: first.detail ? "card detail-card" : "card"}, totalLine(first), ...parts.map(totalLine))));
  };
  refresh();
  return refresh;
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
