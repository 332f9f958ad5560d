// A table that is sorted by the column whose head is pressed, a second time the other way. The order is part of the address.
"use strict";

// `columns` are {key, title, isNumber, text(row) or cell(row), hint}; a row without a figure sorts last. `rowOf(row)` gives the
// attributes of its <tr>; `below(row)` further rows that open below it. Returns {show(rows), rows(): those shown, in their order}.
function sortableTable({place, columns, label, first, state, rowOf = () => ({}), onOpen = null}) {
  const sort = {...first};
  let rows = [];
  const body = element("tbody");
  const heads = columns.map((column) => element("th", {scope: "col", class: column.isNumber ? "number" : null,
    title: column.hint}, element("button", {type: "button", onclick: () => {
    sort.isDown = sort.key === column.key ? !sort.isDown : Boolean(column.isNumber);
    sort.key = column.key;
    draw();
  }}, column.title)));
  place.append(element("table", {class: "sortable", "aria-label": label}, element("thead", {}, element("tr", {}, ...heads)), body));

  const draw = () => {
    if (state) linkState.put(state, sort.key === first.key && sort.isDown === first.isDown ? ""
      : `${sort.key} ${sort.isDown ? "down" : "up"}`);
    columns.forEach((column, i) => heads[i].setAttribute("aria-sort",
      column.key !== sort.key ? "none" : sort.isDown ? "descending" : "ascending"));
    rows = sorted(rows, sort);
    body.replaceChildren(...rows.map((row) => drawRow(row)));
  };
  const drawRow = (row) => {
    const node = element("tr", rowOf(row), ...columns.map((column) => element("td", {class: column.isNumber ? "number" : null},
      column.cell ? column.cell(row) : column.text ? column.text(row) : row[column.key] ?? "")));
    if (onOpen) onOpen(node, row, drawRow);
    return node;
  };
  if (state) {
    linkState.follow(state, (text) => {
      const [key, direction] = text.split(" ");
      Object.assign(sort, columns.some((column) => column.key === key) ? {key, isDown: direction === "down"} : first);
      draw();
    });
  }
  return {
    show(newRows) {
      rows = newRows;
      draw();
    },
    rows: () => rows,
  };
}

function sorted(rows, {key, isDown}) {
  const isMissing = (value) => value === null || value === undefined;
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  return rows.map((row, i) => [row, i]).sort(([a, i], [b, j]) =>
    (isMissing(a[key]) - isMissing(b[key])) || (isDown ? -1 : 1) * compare(a[key], b[key]) || i - j).map(([row]) => row);
}
