// Bytes by module as a treemap: tiles within tiles, as deep as there is room. What a module keeps alive itself, and not
// by a module below it, is a tile of its own, so that the tiles of a module add up to it.
"use strict";

const TREEMAP = {height: 420, header: 20, gap: 2, least: {width: 64, height: 52}};
const LAST_TINT = 7;  // of those in charts.css

// Returns refresh(), which shows another decision. `onChoose.values` and `onChoose.graph` get the path of a module of which the
// user wants to see that.
function showTreemap(report, onChoose) {
  const place = byId("treemap"), fold = byId("treemap-fold");
  let path = [report.modules];
  const pathOf = (levels) => levels.slice(1).map((module) => module.path).join("/");
  let tints, whole, width = 0;

  const describe = (tile) => {
    byId("treemap-place").replaceChildren(...tileSentence(tile, whole, onChoose));
  };
  const open = (levels, shouldFocus) => {
    path = levels;
    linkState.put("open", pathOf(path));
    draw(shouldFocus);
  };
  const draw = (shouldFocus = false) => {
    if (width === 0) return;
    place.replaceChildren();
    showBreadcrumb(path, (depth) => open(path.slice(0, depth + 1), true));
    const module = path.at(-1);
    describe(module);
    if (module.bytes === 0) {
      place.replaceChildren(element("p", {class: "soft empty"}, "Saving keeps nothing alive."));
      return;
    }
    const context = {isFolded: fold.checked, tints, whole, describe,
      open: (levels) => open([...path, ...levels], true)};
    drawTiles(module, {x: 0, y: 0, width, height: TREEMAP.height}, place, [], context);
    const tiles = [...place.querySelectorAll(".tile")];
    rovingFocus(place, tiles);
    if (shouldFocus) tiles[0]?.focus();
  };
  const refresh = () => {
    tints = tintsOf(report.modules);
    whole = report.totals.held_bytes;
    byId("treemap-apart").textContent =
      `The tiles add up to ${formatBytes(whole)}. Parameters and buffers are always resident and have none: ` +
      `${formatBytes(report.totals.saved_bytes_static)} of what is saved.`;
    open([report.modules, ...modulesOnPath(report.modules, pathOf(path))], false);
  };
  refresh();
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || path.length === 1) return;
    event.preventDefault();
    open(path.slice(0, -1), true);
  });
  fold.addEventListener("change", () => {
    linkState.put("layers", fold.checked ? "" : "all");
    open([report.modules], false);
  });
  linkState.follow("layers", (text) => {
    fold.checked = text !== "all";
    draw();
  });
  linkState.follow("open", (text) => open([report.modules, ...modulesOnPath(report.modules, text)], false));
  exportMenu(byId("treemap-export"), {name: `${report.title}-modules`, table: () => moduleTable(report.modules),
    chart: () => treemapPicture(place)});
  onWidth(place, (newWidth) => {
    width = newWidth;
    draw();
  });
  return refresh;
}

// The modules of "model.layers.0-31/model.layers.0-31.mlp", as far as there are such.
function modulesOnPath(root, text) {
  const levels = [];
  for (const path of text.split("/").filter(Boolean)) {
    const within = (levels.at(-1) ?? root).children ?? [];
    const next = within.flatMap((child) => [child, ...(child.members ?? [])]).find((child) => child.path === path);
    if (!next) break;
    levels.push(next);
  }
  return levels;
}

// Each module, folded, with what it and those below it hold.
function moduleTable(root) {
  const rows = [];
  const add = (module) => {
    rows.push([module.path, module.bytes, module.own ?? 0, module.values, module.repeats ?? 1]);
    (module.children ?? []).forEach(add);
  };
  add(root);
  return {columns: ["module", "bytes", "own_bytes", "values", "layers"], rows};
}

// The tiles as they stand, as a drawing.
function treemapPicture(place) {
  const whole = place.getBoundingClientRect();
  const picture = svgElement("svg", {width: whole.width, height: whole.height, class: "drawn-treemap"});
  for (const tile of place.querySelectorAll(".tile")) {
    const box = tile.getBoundingClientRect(), style = getComputedStyle(tile);
    const x = box.x - whole.x, y = box.y - whole.y;
    const texts = [...tile.querySelectorAll("span")].map((span) => {
      const at = span.getBoundingClientRect();
      return svgElement("text", {x: at.x - whole.x, y: at.y - whole.y + 12},
        fitText(span.textContent, Math.max(1, Math.floor(at.width / 6.5))));
    });
    picture.append(svgElement("rect", {x, y, width: box.width, height: box.height, rx: 4, fill: style.backgroundColor,
      stroke: style.borderColor}), ...texts);
  }
  picture.setAttribute("aria-hidden", "true");
  byId("unseen-drawing").replaceChildren(picture);
  return picture;
}

// The modules within, and what the module keeps itself.
function partsOf(module, isFolded) {
  const parts = (module.children ?? []).flatMap((child) => (isFolded ? [child] : child.members ?? [child]));
  if (module.own && parts.length > 0) {
    const isRoot = module.path === "";
    parts.push({name: isRoot ? NO_MODULE : "itself", path: isRoot ? NO_MODULE : module.path, bytes: module.own,
      isOwn: true});
  }
  return parts.length > 0 ? parts : [{...module, isOwn: true}];
}

function drawTiles(module, box, place, above, context) {
  const parts = partsOf(module, context.isFolded).filter((part) => part.bytes > 0);
  const boxes = squarify(parts.map((part) => part.bytes), box);
  parts.forEach((part, i) => {
    const levels = [...above, part];
    const tile = drawTile(part, boxes[i], place, levels, context);
    const inner = {x: 0, y: TREEMAP.header, width: boxes[i].width - 2 * TREEMAP.gap - 2,
      height: boxes[i].height - TREEMAP.header - 2 * TREEMAP.gap - 2};
    const hasRoom = inner.width >= TREEMAP.least.width && inner.height >= TREEMAP.least.height;
    if (part.isOwn || !part.children || !hasRoom) return;
    tile.classList.add("group");
    const content = element("div", {class: "tiles"});
    tile.after(content);
    setBox(content, {...boxes[i], x: boxes[i].x + TREEMAP.gap + 1, y: boxes[i].y + TREEMAP.gap + 1, width: inner.width,
      height: inner.height + TREEMAP.header});
    drawTiles(part, inner, content, levels, context);
  });
}

function drawTile(part, box, place, levels, context) {
  const canOpen = Boolean(part.children) && !part.isOwn;
  const label = part.repeats ? `${part.name} ×${part.repeats}` : part.name;
  const tile = element("button", {type: "button", class: `tile tint-${context.tints.get(part.name) ?? LAST_TINT}`,
    "data-path": part.path, "data-bytes": part.bytes, "aria-label": tileLabel(part, context.whole, canOpen),
    onclick: () => (canOpen ? context.open(levels) : context.describe(part)),
    onfocus: () => context.describe(part), onpointerenter: () => context.describe(part)});
  if (box.width < 42 || box.height < 20) tile.classList.add("tiny");
  else tile.append(element("span", {class: "tile-name"}, label));
  if (box.width >= 60 && box.height >= 38) tile.append(element("span", {class: "tile-bytes"}, formatBytes(part.bytes)));
  setBox(tile, {...box, width: Math.max(box.width - TREEMAP.gap, 1), height: Math.max(box.height - TREEMAP.gap, 1)});
  place.append(tile);
  return tile;
}

function setBox(node, {x, y, width, height}) {
  for (const [name, value] of Object.entries({left: x, top: y, width, height})) {
    node.style.setProperty(name, `${value}px`);
  }
}

function tileLabel(part, whole, canOpen) {
  const layers = part.repeats ? `, ${part.repeats} layers alike` : "";
  return `${part.path || part.name}${part.isOwn && part.name === "itself" ? " itself" : ""}${layers}, ` +
    `${formatBytes(part.bytes)}, ${formatShare(part.bytes, whole)}${canOpen ? ", opens" : ""}`;
}

function tileSentence(part, whole, onChoose) {
  const layers = part.repeats ? `${part.repeats} layers alike · ` : "";
  const count = part.values === undefined ? "" : ` in ${formatCount(part.values, "value")}`;
  return [element("code", {}, part.path || part.name || "all modules"),
    ` · ${layers}${formatBytes(part.bytes)}${count} · ${formatShare(part.bytes, whole)} `,
    element("button", {type: "button", onclick: () => onChoose.values(part.path)}, "Show the values"), " ",
    element("button", {type: "button", onclick: () => onChoose.graph(part.path)}, "Show the graph")];
}

function showBreadcrumb(path, onOpen) {
  const name = (module) => (module.path === "" ? "All modules" : module.name);
  byId("treemap-path").replaceChildren(...path.flatMap((module, depth) => {
    const here = {"aria-current": "location"}, there = {type: "button", onclick: () => onOpen(depth)};
    const label = depth === path.length - 1
      ? element("span", here, `${name(module)} (${formatBytes(module.bytes)})`)
      : element("button", there, name(module));
    return depth === 0 ? [label] : [" / ", label];
  }));
}

// Modules of the same name have the same tint, the largest names first, so that like parts of layers look alike. The
// last tint is for layers, and for what modules keep themselves.
function tintsOf(root) {
  const bytes = new Map();
  const add = (module) => {
    for (const child of module.children ?? []) {
      if (!/^\d/.test(child.name)) bytes.set(child.name, (bytes.get(child.name) ?? 0) + child.bytes);
      add(child);
    }
  };
  add(root);
  const names = [...bytes.keys()].sort((a, b) => bytes.get(b) - bytes.get(a));
  return new Map(names.map((name, i) => [name, i % LAST_TINT]));
}
