// All graphs of a batch with their figures, each linked to its page.
"use strict";

function showBatchPage() {
  const data = JSON.parse(byId("data").textContent);
  const failed = data.graphs.filter((graph) => graph.status !== "done").length;
  byId("title").textContent = data.title;
  byId("headline").textContent = `${formatCount(data.graphs.length, "graph")}` +
    (failed > 0 ? `, ${failed} of which failed` : ", all done") +
    `; saved ${formatBytes(total(data.graphs, "saved_bytes"))}, held ${formatBytes(total(data.graphs, "held_bytes"))}`;
  const table = sortableTable({place: byId("table"), label: "Graphs", state: "sort", first: {key: "peak_bytes", isDown: true},
    columns: batchColumns(), rowOf: (graph) => ({"data-name": graph.name, class: graph.status === "done" ? null : "failed"})});
  const field = byId("filter-name");
  const update = () => {
    const text = field.value.trim().toLowerCase();
    linkState.put("filter-name", field.value);
    const rows = data.graphs.filter((graph) => graph.name.toLowerCase().includes(text));
    table.show(rows);
    const sum = byId("table-sum");
    sum.dataset.held = total(rows, "held_bytes");
    sum.textContent = `${rows.length.toLocaleString("en")} of ${formatCount(data.graphs.length, "graph")}: ` +
      `${formatBytes(total(rows, "saved_bytes"))} saved, ${formatBytes(total(rows, "held_bytes"))} held`;
  };
  field.addEventListener("input", update);
  update();
  linkState.follow("filter-name", (text) => {
    field.value = text;
    update();
  });
  exportMenu(byId("graphs-export"), {name: data.title, table: () => ({
    columns: ["name", "status", "saved_bytes", "held_bytes", "recomputed_flops", "recomputed_ms", "recomputed_operators",
      "peak_bytes", "decided_by"],
    rows: table.rows().map((graph) => [graph.name, graph.status, graph.saved_bytes ?? "", graph.held_bytes ?? "",
      graph.recomputed_flops ?? "", graph.recomputed_ms ?? "", graph.recomputed_operators ?? "", graph.peak_bytes ?? "",
      graph.decided_by ?? ""])})});
}

function total(rows, key) {
  return rows.reduce((sum, row) => sum + (row[key] ?? 0), 0);
}

function batchColumns() {
  const bytes = (key) => (graph) => (graph[key] === undefined ? "" : formatBytes(graph[key]));
  return [
    {key: "name", title: "Graph", cell: (graph) => (graph.page ? element("a", {href: graph.page}, graph.name) : graph.name)},
    {key: "saved_bytes", title: "Saved", isNumber: true, text: bytes("saved_bytes")},
    {key: "held_bytes", title: "Held", isNumber: true, text: bytes("held_bytes")},
    {key: "recomputed_ms", title: "Recomputed", isNumber: true, hint: "its run time, as estimated",
      text: (graph) => (graph.recomputed_ms === undefined ? "" : formatTime(graph.recomputed_ms))},
    {key: "recomputed_flops", title: "Operations", isNumber: true, hint: "recomputed, by PyTorch's counter",
      text: (graph) => (graph.recomputed_flops === undefined ? "" : formatScaled(graph.recomputed_flops, "FLOP"))},
    {key: "recomputed_operators", title: "Operators", isNumber: true, hint: "recomputed",
      text: (graph) => graph.recomputed_operators?.toLocaleString("en") ?? ""},
    {key: "peak_bytes", title: "Peak", isNumber: true, text: bytes("peak_bytes")},
    {key: "decided_by", title: "Decided by", cell: (graph) => (graph.status === "done" ? graph.decided_by
      : element("span", {class: "bad"}, graph.message ?? graph.status))}];
}

showBatchPage();
byId("copy-link").addEventListener("click", () => copyText(location.href));
followSectionLinks();
document.documentElement.dataset.state = "ready";
performance.mark("ready");
