// Two decisions, or two graphs: their figures, their curves, and the values that changed, those of alike layers as one row.
"use strict";

const LISTS = [["saved", "Saved values", "bytes"], ["recomputed", "Recomputed operators", "flops"],
  ["at_peak", "In use at the peak", "bytes"], ["nodes", "Nodes", "bytes"]];
const MOST_MEMBERS = 300, MOST_ROWS = 60;

function showDifferencePage() {
  const data = JSON.parse(byId("data").textContent);
  byId("title").textContent = data.title;
  byId("headline").textContent = `${data.before} → ${data.after}: ` +
    (data.what === "report" ? (data.same ? "the decisions are the same" : "the decisions differ")
      : `the ${data.what}s ${data.same ? "are the same" : "differ"}`);
  byId("name-before").textContent = `before: ${data.before}`;
  byId("name-after").textContent = `after: ${data.after}`;
  showFigures(data);
  showPairOfCurves(data);
  showChanges(data);
}

function showFigures(data) {
  byId("cards").append(...data.figures.filter((figure) => figure.main).map((figure) => element("dl", {class: "card"},
    element("div", {class: "total whole"}, element("dt", {}, figure.title.trim()),
      element("dd", {class: "figure"}, formatAmount(figure.after, figure.unit)),
      element("dd", {class: "meaning"}, changeText(figure))))));
  const all = byId("all-figures");
  const table = sortableTable({place: byId("figures-table"), label: "Figures", first: {key: null, isDown: false}, columns: [
    {key: "title", title: "Figure", text: (figure) => figure.title.trim()},
    {key: "before", title: "Before", isNumber: true, text: (figure) => formatAmount(figure.before, figure.unit)},
    {key: "after", title: "After", isNumber: true, text: (figure) => formatAmount(figure.after, figure.unit)},
    {key: "change", title: "Change", isNumber: true, text: (figure) => formatChange(figure.after - figure.before, figure.unit)}],
  rowOf: (figure) => ({"data-name": figure.name, class: figure.before === figure.after ? "same" : null})});
  const figures = data.figures.map((figure) => ({...figure, change: figure.after - figure.before}));
  const show = () => {
    linkState.put("figures", all.checked ? "all" : "");
    table.show(figures.filter((figure) => all.checked || figure.main || figure.change !== 0));
  };
  all.addEventListener("change", show);
  show();
  linkState.follow("figures", (text) => {
    all.checked = text === "all";
    show();
  });
  exportMenu(byId("figures-export"), {name: `${data.title}-figures`, table: () => ({columns: ["figure", "before", "after", "change"],
    rows: figures.map((figure) => [figure.name, figure.before, figure.after, figure.change])})});
  if (data.settings.length === 0) return;
  byId("settings").append(element("h3", {}, "Settings that differ"), element("ul", {class: "settings"}, ...data.settings.map(
    ({name, before, after}) => element("li", {}, element("code", {}, name), `: ${before || "none"} → ${after || "none"}`))));
}

function changeText({before, after, unit}) {
  if (before === after) return "the same";
  const isFar = after > 10 * before || before > 10 * after;  // a percentage says nothing then
  const share = before > 0 && !isFar ? `, ${after > before ? "+" : "-"}${(100 * Math.abs(after / before - 1)).toFixed(1)} %` : "";
  return `${formatChange(after - before, unit)}${share}, from ${formatAmount(before, unit)}`;
}

function showChanges(data) {
  const lists = LISTS.filter(([key]) => data.changes[key].length > 0).map(([key, title, amount]) => changeList(data, key, title, amount));
  byId("change-lists").append(...lists.map((list) => list.node));
  if (lists.length === 0) byId("change-lists").append(element("p", {class: "soft"}, "No value changed."));
  const update = () => {
    const isInModule = modulePattern(byId("filter-module").value), name = byId("filter-name").value.trim().toLowerCase();
    for (const field of ["module", "name"]) linkState.put(`filter-${field}`, byId(`filter-${field}`).value);
    for (const list of lists) {
      list.show((row) => isInModule(row.module) && (row.name.toLowerCase().includes(name) || row.operator.toLowerCase().includes(name)));
    }
  };
  const form = byId("change-filters");
  form.addEventListener("input", update);
  form.addEventListener("reset", () => setTimeout(update));
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const field of ["module", "name"]) {
    linkState.follow(`filter-${field}`, (text) => {
      byId(`filter-${field}`).value = text;
      update();
    });
  }
  update();
}

function changeList(data, key, title, amount) {
  const place = element("div", {class: "scroll", "data-list": key}), menu = element("details", {class: "menu"});
  const sum = element("p", {class: "note"});
  const node = element("section", {class: "list", "aria-label": title},
    element("div", {class: "bar tools"}, element("h3", {}, title), sum, menu), place);
  const table = sortableTable({place, label: title, state: `sort-${key}`, first: {key: null, isDown: false},
    columns: changeColumns(amount), rowOf: (row) => ({"data-values": row.members?.length ?? 1, "data-amount": row[amount],
      class: row.kind}), onOpen: openMembers});
  let shown = [];
  exportMenu(menu, {name: `${data.title}-${key}`, table: () => ({
    columns: ["change", "name", "operator", "extent", "module", "bytes", "flops", "note"],
    rows: shown.map((row) => [row.kind, row.name, row.operator, row.extent, row.module, row.bytes, row.flops, row.note])})});
  return {node, show(isKept) {
    shown = data.changes[key].filter(isKept);
    const folded = foldChanges(shown);
    const left = folded.slice(MOST_ROWS);
    table.show(left.length === 0 ? folded : [...folded.slice(0, MOST_ROWS), restOf(left)]);
    const unit = amount === "bytes" ? "B" : "FLOP";
    sum.textContent = `${formatCount(shown.length, "change")}, ${formatChange(shown.reduce((total, row) => total + row[amount], 0), unit)}`;
  }};
}

function foldChanges(rows) {
  const kind = (row) => [row.kind, row.operator, row.extent, row.note, row.bytes, row.flops, row.module === "" ? row.name : ""].join("\n");
  const folded = foldRows(rows, (row) => row.module, kind).map(({module, rows: members}) => (members.length === 1 ? members[0]
    : {...members[0], module, place: module, members, bytes: total(members, "bytes"), flops: total(members, "flops")}));
  return folded.sort((a, b) => Math.abs(b.bytes) - Math.abs(a.bytes) || Math.abs(b.flops) - Math.abs(a.flops));
}

// Of rows that are not drawn: their number and sum, so that the list adds up.
function restOf(rows) {
  const members = rows.flatMap((row) => row.members ?? [row]);
  return {kind: "", name: `${rows.length} more rows`, operator: "", extent: "", note: "", place: "", module: "", members, isRest: true,
    bytes: total(rows, "bytes"), flops: total(rows, "flops")};
}

function total(rows, key) {
  return rows.reduce((sum, row) => sum + row[key], 0);
}

function changeColumns(amount) {
  return [
    {key: "kind", title: "Change", text: (row) => row.kind.replaceAll("_", " ")},
    {key: amount, title: amount === "bytes" ? "Bytes" : "FLOPs", isNumber: true,
      text: (row) => formatChange(row[amount], amount === "bytes" ? "B" : "FLOP")},
    {key: "name", title: "Value", cell: (row) => element("span", {}, row.members && !row.isRest
      ? element("button", {type: "button", class: "fold", "aria-expanded": "false"}, `×${row.members.length}`) : null, " ",
    element("code", {}, row.name))},
    {key: "operator", title: "Operator", cell: (row) => element("code", {}, row.operator)},
    {key: "extent", title: "Extent", text: (row) => row.extent},
    {key: "place", title: "Where", cell: (row) => element("code", {}, row.place)},
    {key: "note", title: "", text: (row) => row.note}];
}

function openMembers(node, row, drawRow) {
  const button = node.querySelector("button.fold");
  let details = [];
  button?.addEventListener("click", () => {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    for (const detail of details) detail.remove();
    details = isOpen ? [] : row.members.slice(0, MOST_MEMBERS).map((member) => drawRow(member));
    for (const detail of details) detail.classList.add("member");
    node.after(...details);
  });
}

showDifferencePage();
byId("copy-link").addEventListener("click", () => copyText(location.href));
followSectionLinks();
document.documentElement.dataset.state = "ready";
performance.mark("ready");
