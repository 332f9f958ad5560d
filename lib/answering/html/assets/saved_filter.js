// Which saved values the user wants to see, by the form above the table.
"use strict";

function showFilters(saved, onChange) {
  fillFilters(saved);
  const form = byId("filters");
  form.addEventListener("input", onChange);
  form.addEventListener("reset", () => setTimeout(onChange));
  form.addEventListener("submit", (event) => event.preventDefault());
}

function fillFilters(saved) {
  fillSelect(byId("filter-dtype"), saved.map((row) => row.dtype), (dtype) => dtype);
  fillSelect(byId("filter-reason"), saved.map((row) => row.reason), formatReason);
}

// What is chosen stays so where there is such a value.
function fillSelect(select, values, show) {
  const known = [...new Set(values)].filter((value) => value !== "").sort(), chosen = select.value;
  select.replaceChildren(element("option", {value: ""}, "any"),
    ...known.map((value) => element("option", {value}, show(value))));
  select.value = known.includes(chosen) ? chosen : "";
}

// The form, the order and the folding are part of the page's address.
const FILTER_FIELDS = ["name", "operator", "module", "dtype", "reason"];

function rememberFilters(sort, isFolded) {
  for (const field of FILTER_FIELDS) linkState.put(`filter-${field}`, byId(`filter-${field}`).value);
  linkState.put("filter-parameters", byId("filter-parameters").checked ? "" : "no");
  linkState.put("sort", sort.key === "kept" && sort.isDown ? "" : `${sort.key} ${sort.isDown ? "down" : "up"}`);
  linkState.put("fold", isFolded ? "" : "no");
}

function restoreFilters(sort, fold, onChange) {
  const follow = (key, restore) => linkState.follow(key, (text) => {
    restore(text);
    onChange();
  });
  for (const field of FILTER_FIELDS) follow(`filter-${field}`, (text) => (byId(`filter-${field}`).value = text));
  follow("filter-parameters", (text) => (byId("filter-parameters").checked = text !== "no"));
  follow("fold", (text) => (fold.checked = text !== "no"));
  follow("sort", (text) => {
    const [key, direction] = text === "" ? ["kept", "down"] : text.split(" ");
    if (COLUMNS.some((column) => column.key === key)) Object.assign(sort, {key, isDown: direction === "down"});
  });
}

// The rows that the form lets through, in their order.
function filterSaved(saved) {
  const text = (id) => byId(id).value.trim().toLowerCase();
  const name = text("filter-name"), operator = text("filter-operator");
  const dtype = byId("filter-dtype").value, reason = byId("filter-reason").value;
  const isInModule = modulePattern(byId("filter-module").value);
  const withParameters = byId("filter-parameters").checked;
  return saved.filter((row) => row.name.toLowerCase().includes(name) && row.operator.toLowerCase().includes(operator) &&
    isInModule(row.module) && (dtype === "" || row.dtype === dtype) && (reason === "" || row.reason === reason) &&
    (withParameters || !row.isParameter));
}
