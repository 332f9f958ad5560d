// Who is alive at the peak. Values that one operator makes in alike layers are one row; it opens to the values themselves.
"use strict";

const HELD = {groups: 12, members: 200};

function showHeldAtPeak(report) {
  const groups = groupHeld(report.memory.held);
  const peak = report.memory.peakBytes;
  const body = element("tbody");
  const addRows = (from, to) => body.append(...groups.slice(from, to).flatMap((group) => groupRows(group, peak)));
  addRows(0, HELD.groups);
  const table = element("table", {class: "held"},
    element("thead", {}, element("tr", {}, ...["Bytes", "Share", "Made by", "Operator", "Module", "Last used by"].map(
      (title, i) => element("th", {scope: "col", class: i < 2 ? "number" : null}, title)))),
    body,
    element("tfoot", {}, element("tr", {}, element("td", {class: "number", "data-bytes": sumBytes(report.memory.held)},
      formatBytes(sumBytes(report.memory.held))), element("td", {class: "number"}, "100 %"),
    element("td", {colspan: 4}, `in ${formatCount(report.memory.held.length, "allocation")}, at `,
      element("code", {}, report.memory.steps[report.memory.peakStep]?.name ?? "")))));
  byId("held").append(table);
  if (groups.length <= HELD.groups) return;
  const more = element("button", {type: "button", onclick: () => {
    addRows(HELD.groups, groups.length);
    body.rows[HELD.groups]?.querySelector("button")?.focus();
    more.remove();
  }}, `Show ${formatCount(groups.length - HELD.groups, "more row")}`);
  byId("held").after(more);
}

function sumBytes(rows) {
  return rows.reduce((sum, row) => sum + row.bytes, 0);
}

function groupHeld(held) {
  const groups = new Map();
  for (const one of held) {
    if (!groups.has(one.fold)) groups.set(one.fold, {module: one.foldedModule, members: []});
    groups.get(one.fold).members.push(one);
  }
  const rows = [...groups.values()].map((group) => ({...group, bytes: sumBytes(group.members)}));
  return rows.sort((a, b) => b.bytes - a.bytes);
}

function groupRows(group, peak) {
  const [first] = group.members;
  if (group.members.length === 1) return [heldRow(first, peak)];
  let details = [];
  const button = element("button", {type: "button", class: "fold", "aria-expanded": "false"},
    formatCount(group.members.length, "value"));
  const row = element("tr", {}, ...heldCells(group.bytes, peak), element("td", {}, button),
    element("td", {}, element("code", {}, first.node.operator)), element("td", {}, element("code", {}, group.module)),
    element("td", {class: "soft"}, first.lastUse ? first.lastUse.side : "the caller"));
  button.addEventListener("click", () => {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    for (const detail of details) detail.remove();
    details = isOpen ? [] : memberRows(group, peak);
    row.after(...details);
  });
  return [row];
}

function memberRows(group, peak) {
  const rows = group.members.slice(0, HELD.members).map((held) => heldRow(held, peak, "member"));
  const left = group.members.slice(HELD.members);
  if (left.length === 0) return rows;
  return [...rows, element("tr", {class: "member"}, ...heldCells(sumBytes(left), peak),
    element("td", {colspan: 4}, `in ${formatCount(left.length, "more value")}`))];
}

function heldCells(bytes, peak) {
  return [element("td", {class: "number"}, formatBytes(bytes)),
    element("td", {class: "number soft"}, formatShare(bytes, peak))];
}

function heldRow({node, bytes, lastUse}, peak, kind = null) {
  return element("tr", {class: kind}, ...heldCells(bytes, peak), element("td", {}, element("code", {}, node.name)),
    element("td", {}, element("code", {}, node.operator)), element("td", {}, element("code", {}, node.module)),
    element("td", {class: lastUse ? null : "soft"}, lastUse ? element("code", {}, lastUse.name) : "the caller"));
}
