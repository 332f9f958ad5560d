// Puts the page together.
"use strict";

function showPage() {
  const report = readReport();
  showTotals(report);
  showMemoryCurve(report);
  showHeldAtPeak(report);
  const graph = showGraphView(report);
  const table = showSavedTable(report, (module, node) => graph.show(module, node));
  showTreemap(report, {values: (path) => table.filterModule(path), graph: (path) => graph.show(path)});
  document.documentElement.dataset.state = "ready";
  performance.mark("ready");
}

showPage();
