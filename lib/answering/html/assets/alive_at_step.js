// What is in use at the chosen step, largest first. Values that one operator makes in alike layers are one row; it opens to the
// values themselves.
"use strict";

const ALIVE = {groups: 12, members: 200};

// Returns show(step, stack).
function aliveTable(report) {
  const place = byId("alive");
  let current = null;
  exportMenu(byId("alive-export"), {name: `${report.title}-in-use`, table: () => aliveRows(current)});
  return (step, stack) => {
    const {memory} = report;
    if (current !== null && current.step === step && current.memory === memory) return;
    const alive = memory.allocations.map((allocation, i) => ({...allocation, band: stack.bands[stack.bandOf[i]]}))
      .filter(({first, last}) => first <= step && step <= last);
    current = {memory, step, alive};
    const isPeak = step === memory.peakStep;
    byId("alive-title").textContent = isPeak ? "In use at the peak"
      : `In use at step ${(step + 1).toLocaleString("en")}, ${memory.steps[step].name}`;
    place.replaceChildren(drawAlive(groupAlive(alive), memory.bytes[step], alive.length, memory.steps[step].name,
      memory.placeLabel ?? "Module"));
  };
}

function drawAlive(groups, whole, count, name, placeLabel) {
  const body = element("tbody");
  const addRows = (from, to) => body.append(...groups.slice(from, to).flatMap((group) => aliveGroup(group, whole)));
  addRows(0, ALIVE.groups);
  const left = groups.slice(ALIVE.groups);
  if (left.length > 0) {
    const more = element("button", {type: "button", class: "fold", "aria-expanded": "false", onclick: () => {
      body.lastElementChild.remove();
      addRows(ALIVE.groups, groups.length);
      body.rows[ALIVE.groups]?.querySelector("button")?.focus();
    }}, formatCount(left.length, "more row"));
    body.append(element("tr", {class: "rest"}, ...aliveCells(sumBytes(left), whole), element("td", {colspan: 5}, more)));
  }
  return element("table", {class: "held"},
    element("thead", {}, element("tr", {}, ...["Bytes", "Share", "", "Made by", "Operator", placeLabel, "Last used by"].map(
      (title, i) => element("th", {scope: "col", class: i < 2 ? "number" : null}, title || element("span",
        {class: "unseen"}, "Kind"))))),
    body,
    element("tfoot", {}, element("tr", {}, element("td", {class: "number", "data-bytes": sumBytes(groups)},
      formatBytes(sumBytes(groups))), element("td", {class: "number"}, whole > 0 ? "100 %" : ""),
    element("td", {colspan: 5}, `in ${formatCount(count, "allocation")}, at `, element("code", {}, name)))));
}

function sumBytes(rows) {
  return rows.reduce((sum, row) => sum + row.bytes, 0);
}

// Values without a module are not folded.
function groupAlive(alive) {
  const folded = foldRows(alive, ({node}) => node.module,
    ({node, band}) => `${node.operator} ${node.side} ${band.colour} ${node.module === "" ? node.id : ""}`);
  return folded.map(({module, rows}) => ({module, members: rows.sort((a, b) => b.bytes - a.bytes), bytes: sumBytes(rows)}))
    .sort((a, b) => b.bytes - a.bytes);
}

function aliveGroup(group, whole) {
  const [first] = group.members;
  if (group.members.length === 1) return [aliveRow(first, whole)];
  let details = [];
  const button = element("button", {type: "button", class: "fold", "aria-expanded": "false"},
    formatCount(group.members.length, "value"));
  const row = element("tr", {}, ...aliveCells(group.bytes, whole), kindCell(first.band), element("td", {}, button),
    element("td", {}, element("code", {}, first.node.operator)), element("td", {}, element("code", {}, group.module)),
    element("td", {class: "soft"}, first.lastUse ? first.lastUse.side : "the caller"));
  button.addEventListener("click", () => {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    for (const detail of details) detail.remove();
    details = isOpen ? [] : memberRows(group, whole);
    row.after(...details);
  });
  return [row];
}

function memberRows(group, whole) {
  const rows = group.members.slice(0, ALIVE.members).map((one) => aliveRow(one, whole, "member"));
  const left = group.members.slice(ALIVE.members);
  if (left.length === 0) return rows;
  return [...rows, element("tr", {class: "member"}, ...aliveCells(sumBytes(left), whole),
    element("td", {colspan: 5}, `in ${formatCount(left.length, "more value")}`))];
}

function aliveCells(bytes, whole) {
  return [element("td", {class: "number"}, formatBytes(bytes)),
    element("td", {class: "number soft"}, formatShare(bytes, whole))];
}

function kindCell(band) {
  return element("td", {class: "kind", title: band.label}, bandSwatch(band),
    element("span", {class: "unseen"}, band.label));
}

function aliveRow({node, bytes, lastUse, band}, whole, kind = null) {
  return element("tr", {class: kind}, ...aliveCells(bytes, whole), kindCell(band),
    element("td", {}, element("code", {}, node.name)), element("td", {}, element("code", {}, node.operator)),
    element("td", {}, element("code", {}, node.module)),
    element("td", {class: lastUse ? null : "soft"}, lastUse ? element("code", {}, lastUse.name) : "the caller"));
}

function aliveRows({alive}) {
  return {columns: ["bytes", "kind", "graph", "node", "operator", "module", "last_used_by"],
    rows: [...alive].sort((a, b) => b.bytes - a.bytes).map(({bytes, kind, node, lastUse}) =>
      [bytes, kind, node.side, node.name, node.operator, node.module, lastUse?.name ?? ""])};
}
