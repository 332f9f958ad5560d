// Puts the page together.
"use strict";

function showPage() {
  const report = readReport();
  let refreshes = [];  // of the parts that show the decision
  showDecisions(report, () => refreshes.forEach((refresh) => refresh()));
  const firstLines = showFirstLines(report), curve = showMemoryCurve(report, aliveTable(report));
  const graph = showGraphView(report);
  const table = showSavedTable(report, (module, node) => graph.show(module, node));
  const treemap = showTreemap(report, {values: (path) => table.filterModule(path), graph: (path) => graph.show(path)});
  refreshes = [firstLines, curve, treemap, table.refresh, graph.refresh];
  byId("copy-link").addEventListener("click", () => copyText(location.href));
  followSectionLinks();
  document.documentElement.dataset.state = "ready";
  performance.mark("ready");
}

showPage();
