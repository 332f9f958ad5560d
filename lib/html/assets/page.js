// Puts the page together.
"use strict";

function showPage() {
  const report = readReport();
  showTotals(report);
  showMemoryCurve(report);
  showHeldAtPeak(report);
  const graph = showGraphView(report);
  const table = showSavedTable(report, (module, node) => graph.show(module, node));
  showTreemap(report, (path) => table.filterModule(path));
  document.documentElement.dataset.state = "ready";
  performance.mark("ready");
}

showPage();
