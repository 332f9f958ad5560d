// The trade-off: the chart, the decision that is picked with its command, and all of them as a table.
"use strict";

function showParetoPage() {
  const data = JSON.parse(byId("data").textContent);
  const choices = [...data.points, ...data.pytorch.map((point) => ({...point, isPyTorch: true}))]
    .sort((a, b) => a.bytes - b.bytes || b.cost - a.cost);
  byId("title").textContent = data.title;
  byId("headline").textContent = `the least recomputation for each amount of activations held; priced by ${data.estimator}` +
    (data.pytorch.length > 0 ? `; PyTorch ${data.torch} beside it` : "");
  byId("legend-torch").textContent = `PyTorch ${data.torch}, under the settings that the table names`;
  byId("legend-pytorch").hidden = data.pytorch.length === 0;
  if (choices.length === 0) {
    byId("chart").replaceChildren(element("p", {class: "soft empty"}, "The backward needs nothing of the forward."));
    return;
  }
  const first = Math.max(0, choices.findIndex((choice) => choice.settings?.startsWith("defaults")));
  const isLog = byId("logarithmic"), all = byId("all-points");
  isLog.checked = data.logarithmic;
  let picked = first;

  const table = sortableTable({place: byId("table"), label: "Decisions", state: "sort", first: {key: "bytes", isDown: false},
    columns: paretoColumns(data.unit, choices, (choice) => pick(choices.indexOf(choice))),
    rowOf: (choice) => ({"data-choice": choices.indexOf(choice), "aria-selected": String(choices[picked] === choice)})});
  const showRows = () => table.show(choices.filter((choice, i) => choice.corner || choice.isPyTorch || all.checked || i === picked));
  const chart = paretoChart(byId("chart"), data.unit, (position) => pick(position));
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
  exportMenu(byId("points-export"), {name: `${data.title}-trade-off`, table: () => paretoRows(table.rows())});
}

function nameOf(choice) {
  return choice.isPyTorch ? choice.settings : choice.corner ? "corner" : "between";
}

function paretoColumns(unit, choices, onPick) {
  const columns = [
    {key: "bytes", title: "Held", isNumber: true, text: (choice) => formatBytes(choice.bytes)},
    {key: "cost", title: "Recomputed", isNumber: true, text: (choice) => formatCost(choice.cost, unit)},
    {key: "peak", title: "Peak", isNumber: true, text: (choice) => (choice.peak === null ? "" : formatBytes(choice.peak))},
    {key: "settings", title: "Decision", cell: (choice) => element("button", {type: "button", class: "pick",
      onclick: () => onPick(choice)}, choice.isPyTorch ? element("span", {class: "dot pytorch"})
      : element("span", {class: `dot ${choice.corner ? "corner" : "between"}`}), nameOf(choice))}];
  return choices.some((choice) => choice.peak !== null) ? columns : columns.filter((column) => column.key !== "peak");
}

function pickedCard(choice, data) {
  const above = choice.isPyTorch && choice.hull > 0 ? ` · ${Math.max(0, 100 * (choice.cost / choice.hull - 1)).toFixed(1)} % above the hull`
    : "";
  const figures = [["held", formatBytes(choice.bytes)], ["recomputed", formatCost(choice.cost, data.unit)],
    ["operations", formatScaled(choice.flops, "FLOP")], ["peak", choice.peak === null ? null : formatBytes(choice.peak)]];
  return [element("dl", {class: "figures", "data-bytes": choice.bytes, "data-cost": choice.cost}, ...figures
    .filter(([name, text], i) => text !== null && !(i === 2 && data.unit === "FLOP"))
    .map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text)))),
  element("p", {class: "soft"}, choice.isPyTorch ? `PyTorch ${data.torch}: ${choice.settings}${above}`
    : choice.corner ? "A corner: at its price of memory no decision is better." : "Between two corners."),
  commandLine(choice.command)];
}

function paretoRows(rows) {
  return {columns: ["saved_bytes", "recompute_cost", "recompute_flops", "peak_bytes", "decision", "command"],
    rows: rows.map((choice) => [choice.bytes, choice.cost, choice.flops, choice.peak ?? "", nameOf(choice), choice.command])};
}

showParetoPage();
byId("copy-link").addEventListener("click", () => copyText(location.href));
followSectionLinks();
document.documentElement.dataset.state = "ready";
performance.mark("ready");
