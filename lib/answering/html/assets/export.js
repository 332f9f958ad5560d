// Copies and files of what the page shows: a table as CSV, Markdown or JSON, a chart as SVG or PNG.
//
// A table is {columns: [names], rows: [[texts and numbers]]}.
"use strict";

// Fills the menu with what there is: `table` and `chart` are functions that give it, `name` is that of the files.
function exportMenu(place, {table, chart, name}) {
  const items = [];
  const add = (label, act) => items.push(element("button", {type: "button", onclick: async () => {
    place.open = false;
    await act();
  }}, label));
  if (table) {
    add("Copy as CSV", () => copyText(tableCsv(table())));
    add("Copy as Markdown", () => copyText(tableMarkdown(table())));
    add("Save as CSV", () => saveFile(`${name}.csv`, "text/csv", tableCsv(table())));
    add("Save as JSON", () => saveFile(`${name}.json`, "application/json", tableJson(table())));
  }
  if (chart) {
    add("Save as SVG", () => saveFile(`${name}.svg`, "image/svg+xml", svgText(chart())));
    add("Save as PNG", async () => saveFile(`${name}.png`, "image/png", await svgPng(chart())));
  }
  place.append(element("summary", {}, "Export"), element("div", {class: "items"}, ...items));
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !place.open) return;
    place.open = false;
    place.querySelector("summary").focus();
    event.stopPropagation();
  });
  place.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !place.contains(event.relatedTarget)) place.open = false;
  });
}

// A text that a spreadsheet would run as a formula is preceded by an apostrophe, as in the program's own CSV (text/csv.cpp).
function csvField(value) {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function tableCsv({columns, rows}) {
  return [columns, ...rows].map((row) => row.map(csvField).join(",") + "\n").join("");
}

function tableMarkdown({columns, rows}) {
  const cell = (value) => String(value).replace(/([\\|`*_<>[\]])/g, "\\$1").replace(/\r?\n/g, " ");
  const line = (cells) => `| ${cells.join(" | ")} |\n`;
  const isNumber = columns.map((_, c) => rows.length > 0 && rows.every((row) => typeof row[c] === "number"));
  return line(columns.map(cell)) + line(isNumber.map((yes) => (yes ? "---:" : "---"))) +
    rows.map((row) => line(row.map(cell))).join("");
}

function tableJson({columns, rows}) {
  const objects = rows.map((row) => Object.fromEntries(columns.map((name, c) => [name, row[c]])));
  return JSON.stringify(objects, null, 1) + "\n";
}

// What was copied last, for those who cannot read the clipboard.
let lastCopied = "";

async function copyText(text) {
  lastCopied = text;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", {class: "unseen", "aria-hidden": "true"});
    const focused = document.activeElement;
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    focused?.focus?.();
  }
  say(`Copied ${formatCount(text.split("\n").filter(Boolean).length, "line")}.`);
}

// What was saved last.
let lastSaved = null;

function saveFile(name, type, content) {
  const blob = content instanceof Blob ? content : new Blob([content], {type});
  lastSaved = {name: name.replace(/[^\w.-]+/g, "_"), type, size: blob.size, content};
  const url = URL.createObjectURL(blob);
  element("a", {href: url, download: lastSaved.name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  say(`Saved ${lastSaved.name}.`);
}

// A word to the user that goes away by itself.
let saying = 0;
function say(text) {
  const place = byId("said");
  place.textContent = text;
  clearTimeout(saying);
  saying = setTimeout(() => (place.textContent = ""), 4000);
}

// The properties that the style sheets set, which a file of its own does not have.
const DRAWN = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "text-anchor"];

function svgText(svg) {
  const copy = svg.cloneNode(true);
  const from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of DRAWN) to[i].setAttribute(name, style.getPropertyValue(name));
    to[i].removeAttribute("style");
    to[i].removeAttribute("class");
    to[i].removeAttribute("tabindex");
  });
  const {width, height} = svg.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", Math.round(width));
  copy.setAttribute("height", Math.round(height));
  const box = svg.viewBox.baseVal?.width ? svg.viewBox.baseVal : {x: 0, y: 0, width, height};
  copy.prepend(svgElement("rect", {x: box.x, y: box.y, width: box.width, height: box.height,
    fill: getComputedStyle(document.body).backgroundColor}));
  return new XMLSerializer().serializeToString(copy) + "\n";
}

async function svgPng(svg) {
  const {width, height} = svg.getBoundingClientRect();
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svgText(svg))}`;
  await image.decode();
  const canvas = element("canvas", {width: Math.round(2 * width), height: Math.round(2 * height)});  // sharp on dense screens
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
