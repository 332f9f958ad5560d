// A pipeline: its ranks over time, the action that is picked, ranks and stages as tables.
"use strict";

const KIND_NAMES = {F: "forward", B: "backward", I: "backward for inputs", W: "backward for weights"};

function showPipelinePage() {
  const data = JSON.parse(byId("data").textContent);
  const limit = data.memory_limit ?? null, name = `pipeline-${data.schedule}`;
  const ranks = data.ranks.map((rank) => ({...rank, peakAction: rank.actions[rank.peak_at]?.action ?? "", actions: rank.actions
    .map((action) => ({...action, parts: actionParts(action.action)})).filter((action) => action.parts.length > 0)}));
  byId("title").textContent = data.schedule;
  byId("headline").textContent = pipelineHeadline(data, ranks);
  byId("legend-limit").hidden = limit === null;
  const parts = ranks.flatMap((rank) => rank.actions.flatMap((action) => action.parts));
  byId("legend-weights").hidden = parts.every((part) => part.kind !== "W");
  byId("legend-later").hidden = ranks.every((rank) => rank.stages.length < 2);

  const highest = ranks.reduce((best, rank, r) => (rank.peak_bytes > ranks[best].peak_bytes ? r : best), 0);
  const isPeak = (action) => action.action === ranks[highest].peakAction;
  const first = {rank: highest, at: Math.max(0, ranks[highest].actions.findIndex(isPeak))};
  const chart = pipelineChart(byId("chart"), {ranks, endMs: data.step_ms, limit}, (picked) => pick(picked));
  const pick = (picked) => {
    linkState.put("pick", picked.rank === first.rank && picked.at === first.at ? "" : `${picked.rank},${picked.at}`);
    chart.show(picked);
    byId("picked").replaceChildren(...actionCard(ranks[picked.rank], ranks[picked.rank].actions[picked.at]));
  };
  pick(first);
  linkState.follow("pick", (text) => {
    const [rank, at] = text.split(",").map(Number);
    pick(ranks[rank]?.actions[at] ? {rank, at} : first);
  });

  const hasStates = ranks.some((rank) => rank.optimizer_bytes > 0);
  const table = (id, label, columns, rows, firstKey) => {
    const shown = sortableTable({place: byId(`${id}-table`), label, columns, state: id, first: {key: firstKey, isDown: false}});
    shown.show(rows);
    exportMenu(byId(`${id}-export`), {name: `${name}-${id}`, table: () => exported(columns, shown.rows())});
  };
  table("ranks", "Ranks", rankColumns(hasStates), ranks, "rank");
  table("stages", "Stages", stageColumns(data.stages), data.stages.map((stage, i) => stageRow(stage, i)), "stage");
  exportMenu(byId("chart-export"), {name, chart: () => byId("chart").querySelector("svg")});
}

function pipelineHeadline(data, ranks) {
  const waits = formatShare(data.bubble, 1);
  return `${formatCount(data.stages.length, "stage")} on ${formatCount(ranks.length, "rank")}, ` +
    `${formatCount(data.microbatches, "microbatch").replace(/hs$/, "hes")}: ${formatTime(data.step_ms)} a step, estimated for ` +
    `${data.device}; ranks wait ${waits} of it; the highest peak is ${formatBytes(data.peak_bytes)}`;
}

function actionCard(rank, action) {
  const what = action.parts
    .map((part) => `${KIND_NAMES[part.kind]} of stage ${part.stage} for microbatch ${part.microbatch}`).join("; ");
  const figures = [["begins at", formatTime(action.begin_ms)], ["takes", formatTime(action.end_ms - action.begin_ms)],
    ["memory, at most", formatBytes(action.bytes)], ["stays until the next", formatBytes(action.bytes_after)]];
  return [element("dl", {class: "figures", "data-rank": rank.rank, "data-action": action.action, "data-bytes": action.bytes},
    ...figures.map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text)))),
  element("p", {class: "soft"}, `${action.action} on rank ${rank.rank}: ${what}` +
    (action.action === rank.peakAction ? "; the rank's peak" : ""))];
}

function rankColumns(hasStates) {
  const columns = [
    {key: "rank", title: "Rank", isNumber: true},
    {key: "stages", title: "Stages", text: (rank) => rank.stages.join(" ")},
    {key: "parameter_bytes", title: "Parameters", isNumber: true, text: (rank) => formatBytes(rank.parameter_bytes)},
    {key: "optimizer_bytes", title: "States", isNumber: true, text: (rank) => formatBytes(rank.optimizer_bytes)},
    {key: "in_flight", title: "In flight", isNumber: true, hint: "stages and microbatches between forward and backward, at most"},
    {key: "held_bytes_at_peak", title: "Held at the peak", isNumber: true, text: (rank) => formatBytes(rank.held_bytes_at_peak)},
    {key: "peak_bytes", title: "Peak", isNumber: true, text: (rank) => formatBytes(rank.peak_bytes)},
    {key: "peakAction", title: "At"},
    {key: "busy_ms", title: "Busy", isNumber: true, text: (rank) => formatTime(rank.busy_ms)},
    {key: "bubble", title: "Waits", isNumber: true, text: (rank) => formatShare(rank.bubble, 1)}];
  return columns.filter((column) => hasStates || column.key !== "optimizer_bytes");
}

function stageRow(stage, position) {
  return {...stage, ...stage.times, stage: position, held: stage.bytes.held, held_for_weights: stage.bytes.held_for_weights};
}

function stageColumns(stages) {
  const time = (key, title) => ({key, title, isNumber: true, text: (stage) => formatTime(stage[key])});
  const bytes = (key, title) => ({key, title, isNumber: true, text: (stage) => formatBytes(stage[key])});
  const isSplit = stages.some((stage) => stage.times.weight_backward_ms !== undefined);
  return [
    {key: "stage", title: "Stage", isNumber: true}, {key: "rank", title: "Rank", isNumber: true},
    time("forward_ms", "Forward"), time("backward_ms", "Backward"),
    ...(isSplit ? [time("input_backward_ms", "For inputs"), time("weight_backward_ms", "For weights"),
      bytes("held_for_weights", "Between")] : []),
    bytes("saved_bytes_not_static", "Saves"), bytes("held", "Holds"),
    time("recomputed_ms", "Recomputes"),
    {key: "graph", title: "Graph"}];
}

function exported(columns, rows) {
  const value = (row, {key}) => (Array.isArray(row[key]) ? row[key].join(" ") : row[key] ?? "");
  return {columns: columns.map(({key}) => key.replace("peakAction", "peak_at")),
    rows: rows.map((row) => columns.map((column) => value(row, column)))};
}

showPipelinePage();
byId("copy-link").addEventListener("click", () => copyText(location.href));
followSectionLinks();
document.documentElement.dataset.state = "ready";
performance.mark("ready");
