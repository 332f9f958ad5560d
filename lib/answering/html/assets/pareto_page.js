// The trade-off: the chart, the decision that is picked with its command, and all of them as a table.
"use strict";

function showParetoPage() {
  const data = JSON.parse(byId("data").textContent);
  const choices = [...data.points, ...data.pytorch.map((point) => ({...point, isPyTorch: true}))]
    .sort((a, b) => a.bytes - b.bytes || b.cost - a.cost);
  byId("title").textContent = data.title;
  byId("headline").textContent = (data.byPeak ? `the fastest step within each peak of ${data.peakOf}; estimated for ${data.device}`
    : `the least recomputation for each amount of activations held; priced by ${data.estimator}`) + (data.pytorch.length > 0 ? `; PyTorch ${data.torch} beside it` : "");
  byId("legend-torch").textContent = `PyTorch ${data.torch}, under the settings that the table names`;
  byId("legend-pytorch").hidden = data.pytorch.length === 0;
  if (choices.length === 0) {
    byId("chart").replaceChildren(element("p", {class: "soft empty"}, "The backward needs nothing of the forward."));
    return;
  }
  const first = Math.max(0, choices.findIndex((choice) => choice.settings?.startsWith("defaults")));
  const isLog = byId("logarithmic"), all = byId("all-points");
  isLog.checked = data.logarithmic;
  if (data.byPeak) showByPeak();
  let picked = first;

  const table = sortableTable({place: byId("table"), label: "Decisions", state: "sort", first: {key: "bytes", isDown: false},
    columns: paretoColumns(data, choices, (choice) => pick(choices.indexOf(choice))),
    rowOf: (choice) => ({"data-choice": choices.indexOf(choice), "aria-selected": String(choices[picked] === choice)})});
  const showRows = () => table.show(choices.filter((choice, i) => data.byPeak || choice.corner || choice.isPyTorch || all.checked || i === picked));
  const chart = paretoChart(byId("chart"), data, (position) => pick(position));
  const pick = (position) => {
    picked = Math.max(0, Math.min(choices.length - 1, position));
    linkState.put("pick", picked === first ? "" : picked);
    chart.show(choices, picked, isLog.checked);
    byId("picked").replaceChildren(...pickedCard(choices[picked], data));
    showRows();
  };
  isLog.addEventListener("change", () => {
    linkState.put("axis", isLog.checked === data.logarithmic ? "" : isLog.checked ? "log" : "linear");
    chart.show(choices, picked, isLog.checked);
  });
  all.addEventListener("change", () => {
    linkState.put("points", all.checked ? "all" : "");
    showRows();
  });
  pick(first);
  linkState.follow("axis", (text) => {
    isLog.checked = text === "" ? data.logarithmic : text === "log";
    chart.show(choices, picked, isLog.checked);
  });
  linkState.follow("points", (text) => {
    all.checked = text === "all";
    showRows();
  });
  linkState.follow("pick", (text) => pick(/^\d+$/.test(text) ? Number(text) : first));
  exportMenu(byId("chart-export"), {name: `${data.title}-trade-off`, chart: () => byId("chart").querySelector("svg")});
  exportMenu(byId("points-export"), {name: `${data.title}-trade-off`, table: () => paretoRows(table.rows(), data)});
}

// What there is of corners and of held bytes says something else, or nothing.
function showByPeak() {
  byId("chart-title").textContent = "What a lower peak costs";
  for (const id of ["logarithmic", "all-points"]) byId(id).closest("label").style.display = "none";
  byId("legend-corner").hidden = true;
  byId("legend-between").lastChild.textContent = "no faster step was found within its peak";
}

function nameOf(choice, data) {
  return choice.isPyTorch ? choice.settings : choice.corner ? "corner" : data.byPeak ? `${formatBytes(choice.saved)} held` : "between";
}

function paretoColumns(data, choices, onPick) {
  const columns = [
    {key: "bytes", title: data.byPeak ? "Peak" : "Held", isNumber: true, text: (choice) => formatBytes(choice.bytes)},
    {key: "cost", title: data.byPeak ? "Step" : "Recomputed", isNumber: true, text: (choice) => formatStep(choice.cost, data)},
    {key: "peak", title: "Peak", isNumber: true, text: (choice) => (choice.peak === null ? "" : formatBytes(choice.peak))},
    {key: "settings", title: "Decision", cell: (choice) => element("button", {type: "button", class: "pick",
      onclick: () => onPick(choice)}, choice.isPyTorch ? element("span", {class: "dot pytorch"})
      : element("span", {class: `dot ${choice.corner ? "corner" : "between"}`}), nameOf(choice, data))}];
  return !data.byPeak && choices.some((choice) => choice.peak !== null) ? columns : columns.filter((column) => column.key !== "peak");
}

// Steps differ by little.
function formatStep(cost, data) {
  return data.byPeak ? `${cost.toPrecision(5)} ms` : formatCost(cost, data.unit);
}

function distanceFrom(choice, data) {
  const percent = 100 * (choice.cost / choice.hull - 1);
  if (!data.byPeak) return `${Math.max(0, percent).toFixed(1)} % above the hull`;
  return `${Math.abs(percent).toFixed(1)} % ${percent < 0 ? "faster" : "slower"} than the line`;
}

function pickedCard(choice, data) {
  const above = choice.isPyTorch && choice.hull > 0 ? ` · ${distanceFrom(choice, data)}` : "";
  const figures = data.byPeak
    ? [["peak", formatBytes(choice.bytes)], ["step", formatStep(choice.cost, data)], ["held", formatBytes(choice.saved)]]
    : [["held", formatBytes(choice.bytes)], ["recomputed", formatCost(choice.cost, data.unit)],
      ["operations", data.unit === "FLOP" ? null : formatScaled(choice.flops, "FLOP")],
      ["peak", choice.peak === null ? null : formatBytes(choice.peak)]];
  return [element("dl", {class: "figures", "data-bytes": choice.bytes, "data-cost": choice.cost}, ...figures
    .filter(([, text]) => text !== null)
    .map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text)))),
  element("p", {class: "soft"}, choice.isPyTorch ? `PyTorch ${data.torch}: ${choice.settings}${above}`
    : data.byPeak ? "No faster step was found within its peak."
    : choice.corner ? "A corner: at its price of memory no decision is better." : "Between two corners."),
  commandLine(choice.command)];
}

function paretoRows(rows, data) {
  if (data.byPeak) {
    return {columns: ["peak_bytes", "step_ms", "saved_bytes", "decision", "command"],
      rows: rows.map((choice) => [choice.bytes, choice.cost, choice.saved, nameOf(choice, data), choice.command])};
  }
  return {columns: ["saved_bytes", "recompute_cost", "recompute_flops", "peak_bytes", "decision", "command"],
    rows: rows.map((choice) => [choice.bytes, choice.cost, choice.flops, choice.peak ?? "", nameOf(choice, data), choice.command])};
}

showParetoPage();
byId("copy-link").addEventListener("click", () => copyText(location.href));
followSectionLinks();
document.documentElement.dataset.state = "ready";
performance.mark("ready");
