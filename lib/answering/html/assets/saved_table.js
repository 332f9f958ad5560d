// The saved values as a table to sort and filter, and all that is known of the one that is chosen.
"use strict";

const COLUMNS = [
  {key: "name", title: "Name", width: 165, cell: nameCell},
  {key: "operator", title: "Operator", width: 170, cell: (row) => element("code", {}, row.operator)},
  {key: "module", title: "Module", width: 245, cell: (row) => element("code", {}, row.module)},
  {key: "dtype", title: "Dtype", width: 84, cell: dtypeText, text: dtypeText},
  {key: "shape", title: "Shape", width: 150, cell: (row) => row.shape},
  {key: "bytes", title: "Bytes", width: 82, isNumber: true, cell: bytesText, hint: "what the value itself takes"},
  {key: "kept", title: "Keeps", width: 82, isNumber: true, cell: (row) => (row.kept > 0 ? formatBytes(row.kept) : ""),
    hint: "the storage that it holds, counted with the first value in it; parameters are always resident"},
  {key: "why", title: "Why", width: 210, cell: whyText, text: whyText},
];

function nameCell(row) {
  if (!row.members) return element("code", {class: row.of ? "member" : null}, row.name);
  return element("span", {class: "folded"}, element("span", {class: "times"}, `×${row.members.length}`),
    element("code", {}, row.name));
}

// "bfloat16", or "bfloat16 as float8_e4m3fn with scales".
function dtypeText(row) {
  return row.dtype + (row.compressed !== "" ? ` as ${row.form}` : "");
}

function bytesText(row) {
  return row.dtype !== "" || row.kind === "random_state" ? formatBytes(row.bytes) : "";
}

function whyText(row) {
  return row.why + (row.isParameter ? "; always resident" : "") + (row.host !== "" ? "; offloaded to the host" : "") +
    (row.compressed !== "" ? `; saved as ${formText(row)}` : "");
}

// "16.8 MB of float8_e4m3fn with scales".
function formText(row) {
  return `${formatBytes(row.formBytes)} of ${row.form}`;
}

// Returns {filterModule(path), refresh()}. `onModule` gets a module that the user wants to see the graph of.
function showSavedTable(report, onModule) {
  const sort = {key: "kept", isDown: true};
  const body = element("tbody");
  const headers = COLUMNS.map((column) => headerCell(column, () => {
    sort.isDown = sort.key === column.key ? !sort.isDown : Boolean(column.isNumber);
    sort.key = column.key;
    update();
  }));
  const table = element("table", {class: "saved", role: "grid", "aria-labelledby": "values-title"},
    element("colgroup", {}, ...COLUMNS.map((column) => element("col", {width: column.width}))),
    element("thead", {}, element("tr", {"aria-rowindex": 1}, ...headers)), body);
  const viewport = byId("table");
  viewport.setAttribute("tabindex", "-1");
  viewport.append(table);
  let chosen = null;
  const fold = byId("saved-fold"), open = new Set();
  const isOpen = (row) => open.has(row.key);
  const view = virtualRows({viewport, body, makeRow: (row) => savedRow(row, row === chosen, isOpen(row)), onChoose: (row) => {
    if (row.members) return toggle(row);
    chosen = row;
    for (const other of body.rows) other.setAttribute("aria-selected", String(other.dataset.name === row.name));
    showDetail(row, onModule);
  }});
  const toggle = (row) => {
    if (!open.delete(row.key)) open.add(row.key);
    update(true);
  };
  const update = (staysInPlace = false) => {
    const filtered = filterSaved(report.saved), folded = fold.checked ? foldSaved(filtered) : filtered;
    const rows = withMembers(sortRows(folded, sort), isOpen);
    COLUMNS.forEach((column, i) => headers[i].setAttribute("aria-sort",
      column.key !== sort.key ? "none" : sort.isDown ? "descending" : "ascending"));
    table.setAttribute("aria-rowcount", rows.length + 1);
    view.show(rows, staysInPlace);
    showSums(filtered, report);
    rememberFilters(sort, fold.checked);
  };
  showFilters(report.saved, () => update());
  fold.addEventListener("change", () => update());
  restoreFilters(sort, fold, () => update());
  update();
  exportMenu(byId("saved-export"), {name: `${report.title}-saved`, table: () => savedRows(sortRows(filterSaved(report.saved), sort))});
  return {
    refresh() {
      chosen = null;
      byId("detail").replaceChildren();
      fillFilters(report.saved);
      update();
    },
    filterModule(path) {
      byId("filters").reset();
      byId("filter-module").value = path;
      byId("filter-parameters").checked = false;
      setTimeout(() => update());
      byId("values").scrollIntoView();
      byId("filter-module").focus({preventScroll: true});
    },
  };
}

function headerCell(column, onSort) {
  return element("th", {scope: "col", class: column.isNumber ? "number" : null, title: column.hint},
    element("button", {type: "button", onclick: onSort}, column.title));
}

// A folded row has data-folded in place of a value's data-name.
function savedRow(row, isChosen, isOpen) {
  const kind = [row.isParameter && "parameter", row.host !== "" && "offloaded", row.compressed !== "" && "compressed",
    row.of && "member"].filter(Boolean).join(" ");
  const own = row.members ? {"data-folded": row.name, "data-values": row.members.length, "aria-expanded": String(isOpen)}
    : {"data-name": row.name, "aria-selected": String(isChosen)};
  return element("tr", {class: kind || null, ...own},
    ...COLUMNS.map((column) => element("td", column.isNumber ? {class: "number"} : {title: column.text?.(row) ?? row[column.key]},
      column.cell(row))));
}

// By the column, then in the order of the report.
function sortRows(rows, {key, isDown}) {
  const direction = isDown ? -1 : 1;
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  return [...rows].sort((a, b) => direction * compare(a[key], b[key]) || a.output - b.output);
}

// The parts that add up to the head: values' bytes, those of parameters among them, and what is kept alive.
function showSums(rows, report) {
  const values = rows.filter((row) => row.kind === "value");
  const sum = (key, of = values) => of.reduce((total, row) => total + row[key], 0);
  const parameters = sum("bytes", values.filter((row) => row.isParameter));
  const others = rows.length - values.length;
  const line = byId("table-sum");
  line.dataset.bytes = sum("bytes");
  line.dataset.kept = sum("kept");
  line.dataset.parameters = parameters;
  line.textContent = `${values.length.toLocaleString("en")} of ${formatCount(report.totals.saved_values, "value")}: ` +
    `${formatBytes(sum("bytes"))}, of which ${formatBytes(parameters)} are parameters and buffers; they keep ` +
    `${formatBytes(sum("kept"))} alive` +
    (others > 0 ? `; beside them ${others} that are no tensors of the model` : "");
}

function showDetail(row, onModule) {
  const facts = [
    ["Why", whyText(row)],
    ["Operator", row.operator], ["Module", row.module], ["Source", row.source],
    ["Type", [row.dtype, row.shape].filter((text) => text !== "").join(" ") || row.kind.replaceAll("_", " ")],
    ["Bytes", `${formatBytes(row.bytes)} (${row.bytes.toLocaleString("en")})`],
    ["Saved as", row.compressed !== "" ? `${formText(row)} (${row.formBytes.toLocaleString("en")})` : ""],
    ["Keeps", row.kept > 0 ? `${formatBytes(row.kept)} (${row.kept.toLocaleString("en")})`
                           : row.isParameter ? "nothing: it is always resident" : "nothing: it shares storage with another value"],
    ["Crosses as", `output ${row.output} of the forward, input ${row.input} of the backward` +
      (row.host !== "" ? `, as ${row.host}` : "") + (row.compressed !== "" ? `, as ${row.compressed}` : "")],
  ].filter(([, text]) => text !== "");
  const graphButton = element("button", {type: "button", onclick: () => onModule(row.module, row.forwardNode)},
    "Show in the graph");
  const copy = element("button", {type: "button", onclick: () => copyText(tableCsv(savedRows([row])))}, "Copy row");
  byId("detail").replaceChildren(element("h3", {}, element("code", {}, row.name)),
    element("dl", {}, ...facts.flatMap(([term, text]) => [element("dt", {}, term), element("dd", {}, text)])),
    element("p", {class: "actions"}, row.forwardNode ? graphButton : null, copy));
}

function savedRows(rows) {
  const keys = ["name", "kind", "operator", "module", "dtype", "shape", "bytes", "keptBytes", "reason", "source", "form",
    "formBytes"];
  const named = {keptBytes: "kept_bytes", form: "saved_as", formBytes: "saved_as_bytes"};
  return {columns: keys.map((key) => named[key] ?? key), rows: rows.map((row) => keys.map((key) => row[key]))};
}
