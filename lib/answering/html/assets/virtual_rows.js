// Rows of a table of which only those in sight exist, however many there are. All are equally high, so that two empty
// rows can stand for those above and below.
"use strict";

const ROWS = {height: 30, beyond: 8};

// `viewport` scrolls, `body` is the table's; `makeRow(row, index)` makes a <tr>. The rows are one tab stop: arrow keys,
// Page Up and Down, Home and End move along them, Enter or a click chooses one.
function virtualRows({viewport, body, makeRow, onChoose}) {
  let rows = [], active = 0, from = 0, to = 0;
  const head = () => viewport.querySelector("thead").offsetHeight;
  const inSight = () => Math.max(1, Math.floor((viewport.clientHeight - head()) / ROWS.height));

  const draw = (mustFocus = false) => {
    const hadFocus = mustFocus || body.contains(document.activeElement);
    const first = Math.floor(viewport.scrollTop / ROWS.height);
    from = Math.max(0, first - ROWS.beyond);
    to = Math.min(rows.length, first + inSight() + 1 + ROWS.beyond);
    body.replaceChildren(spacer(from), ...rows.slice(from, to).map((row, i) => drawRow(row, from + i)),
      spacer(rows.length - to));
    if (!hadFocus) return;
    const row = activeRow();
    if (row) row.focus({preventScroll: true});
    else viewport.focus({preventScroll: true});
  };
  const drawRow = (row, index) => {
    const node = makeRow(row, index);
    node.setAttribute("aria-rowindex", index + 2);
    node.setAttribute("tabindex", index === active ? "0" : "-1");
    node.addEventListener("click", () => {
      active = index;
      draw(true);
      onChoose(rows[index]);
    });
    return node;
  };
  const activeRow = () => (active >= from && active < to ? body.rows[active - from + 1] : null);
  const moveTo = (index) => {
    active = Math.max(0, Math.min(rows.length - 1, index));
    const top = active * ROWS.height, seen = inSight() * ROWS.height;
    if (top < viewport.scrollTop) viewport.scrollTop = top;
    if (top + ROWS.height > viewport.scrollTop + seen) viewport.scrollTop = top + ROWS.height - seen;
    draw(true);
  };
  viewport.addEventListener("scroll", () => draw());
  viewport.addEventListener("keydown", (event) => {
    if (event.target.closest("thead") || rows.length === 0) return;
    const moves = {ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + inSight(), PageUp: active - inSight(),
      Home: 0, End: rows.length - 1};
    if (event.key === "Enter" || event.key === " ") onChoose(rows[active]);
    else if (event.key in moves) moveTo(moves[event.key]);
    else return;
    event.preventDefault();
  });
  new ResizeObserver(() => draw()).observe(viewport);
  return {
    // From the first row on, or, where rows open and close, from those in sight.
    show(newRows, staysInPlace = false) {
      rows = newRows;
      active = staysInPlace ? Math.min(active, Math.max(0, rows.length - 1)) : 0;
      if (!staysInPlace) viewport.scrollTop = 0;
      draw();
    },
  };
}

function spacer(count) {
  const row = element("tr", {"aria-hidden": "true", class: "spacer"}, element("td", {}));
  row.style.setProperty("height", `${count * ROWS.height}px`);
  return row;
}
