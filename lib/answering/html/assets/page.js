// Puts the page together.
"use strict";

function showPage() {
  const report = readReport();
  showFirstLines(report);
  showMemoryCurve(report, aliveTable(report));
  const graph = showGraphView(report);
  const table = showSavedTable(report, (module, node) => graph.show(module, node));
  showTreemap(report, {values: (path) => table.filterModule(path), graph: (path) => graph.show(path)});
  byId("copy-link").addEventListener("click", () => copyText(location.href));
  followSectionLinks();
  document.documentElement.dataset.state = "ready";
  performance.mark("ready");
}

showPage();
