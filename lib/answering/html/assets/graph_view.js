// The graph of the module that the user chooses: in the field, in a treemap's tile, by a saved value, or by a folded
// module in the picture.
"use strict";

// Returns {show(module, node), refresh()}; the first scrolls to the graph and to the node, if one is given.
function showGraphView(report) {
  const field = byId("graph-module"), place = byId("graph-picture");
  let modules = allModules(report.nodes), first = firstShown(report, modules);
  let shown = "", view = null;

  field.addEventListener("focus", () => {
    if (byId("graph-modules").children.length > 0) return;
    byId("graph-modules").append(...modules.map((value) => element("option", {value})));
  });
  const show = (module, node = null) => {
    shown = module;
    linkState.put("graph", module === first ? "" : module || "(all)");
    field.value = module;
    byId("graph-up").disabled = module === "";
    const graph = moduleGraph(report, module);
    showNote(graph, module);
    byId("graph-place").replaceChildren();
    place.replaceChildren();
    if (graph.vertices.length === 0) return;
    const picture = drawGraph(graph);
    place.append(picture.svg);
    view = panZoom(picture.svg, picture.size, (part) => linkState.put("part",
      part && [part.x, part.y, part.width, part.height].map((value) => Number(value.toFixed(1))).join(",")));
    view.fit();
    const active = Math.max(0, graph.vertices.findIndex((vertex) => vertex.nodes.includes(node)));
    picture.vertices.forEach((group, v) => activate(group, graph, v, picture.boxes[v]));
    rovingFocus(place, picture.vertices, picture.vertices[active]);
    if (!node) return;
    byId("graph").scrollIntoView();
    picture.vertices[active].focus({preventScroll: true});
  };
  const activate = (group, graph, v, box) => {
    const vertex = graph.vertices[v];
    group.addEventListener("focus", () => {
      view.show(box);
      byId("graph-place").replaceChildren(...vertexSentence(graph, v));
    });
    const leadsElsewhere = vertex.canOpen || (vertex.isOutside && vertex.module !== "");
    const open = () => (leadsElsewhere ? show(vertex.module, vertex.nodes[0]) : group.focus());
    group.addEventListener("click", open);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open();
    });
  };
  byId("graph-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = firstModule(field.value.trim());
    if (wanted === "" || modules.includes(wanted)) show(wanted);
    else byId("graph-note").textContent = `There is no module ${wanted}.`;
  });
  const zooms = {"graph-in": () => view?.zoomBy(PAN.step), "graph-out": () => view?.zoomBy(1 / PAN.step),
    "graph-fit": () => view?.fit()};
  for (const [id, act] of Object.entries(zooms)) byId(id).addEventListener("click", act);
  place.addEventListener("keydown", (event) => {
    const keys = {"+": "graph-in", "=": "graph-in", "-": "graph-out", "0": "graph-fit"};
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    zooms[keys[event.key]]();
  });
  onWidth(place, () => view?.isWhole() && view.fit());
  exportMenu(byId("graph-export"), {chart: () => place.querySelector("svg"), name: `${report.title}-graph`});
  byId("graph-up").addEventListener("click", () => show(shown.split(".").slice(0, -1).join(".")));
  show(first);
  linkState.follow("graph", (text) => show(text === "" ? first : modules.includes(text) ? text : ""));
  linkState.follow("part", (text) => {
    const [x, y, width, height] = text.split(",").map(Number);
    if (height > 0) view?.place({x, y, width, height});
    else view?.fit();
  });
  return {
    refresh() {
      const isFirst = shown === first;
      modules = allModules(report.nodes);
      first = firstShown(report, modules);
      byId("graph-modules").replaceChildren();
      show(isFirst ? first : modules.includes(shown) ? shown : "");
    },
    show(path, node) {
      const module = path === NO_MODULE ? "" : firstModule(path);
      show(module, node ?? report.nodes.find((candidate) => isWithin(candidate.module, module)));
    },
  };
}

// All modules and those that enclose them.
function allModules(nodes) {
  const modules = new Set();
  for (const path of new Set(nodes.map((node) => node.module))) {
    const parts = path.split(".");
    for (let depth = 1; depth <= parts.length && path !== ""; ++depth) modules.add(parts.slice(0, depth).join("."));
  }
  return [...modules];
}

// The module to begin with: of those that fit as they are and show something, the one that keeps the most alive, in all
// layers together.
function firstShown(report, modules) {
  if (report.nodes.length <= GRAPH_LIMIT) return "";
  const alike = (path) => path.replace(/(^|\.)\d+(?=\.|$)/g, "$1*");
  const counts = addUp(report.nodes, (node) => node.module, () => 1);
  const kept = addUp(report.saved, (row) => alike(row.module), (row) => row.kept);
  const fitting = modules.filter((module) => counts.get(module) >= 12 && counts.get(module) <= GRAPH_LIMIT);
  return fitting.sort((a, b) => (kept.get(alike(b)) ?? 0) - (kept.get(alike(a)) ?? 0))[0] ?? "";
}

// By module, what its rows and those of the modules below it amount to.
function addUp(rows, moduleOf, amountOf) {
  const sums = new Map();
  for (const row of rows) {
    const parts = moduleOf(row).split(".");
    for (let path = ""; parts.length > 0;) {
      path = path === "" ? parts.shift() : `${path}.${parts.shift()}`;
      sums.set(path, (sums.get(path) ?? 0) + amountOf(row));
    }
  }
  return sums;
}

function showNote(graph, module) {
  const counts = ["forward", "backward"].map((side) => graph.vertices
    .filter((vertex) => vertex.side === side && !vertex.isOutside)
    .reduce((sum, vertex) => sum + vertex.nodes.length, 0));
  const name = module === "" ? "The whole step" : module;
  const text = counts[0] + counts[1] === 0 ? `${name} has no operators.`
    : `${name}: ${formatCount(counts[0], "node")} in the forward, ${counts[1].toLocaleString("en")} in the backward.`;
  const left = graph.left > 0 ? ` Not drawn: ${formatCount(graph.left, "more node")}.` : "";
  byId("graph-note").textContent = text + left;
}

function vertexSentence(graph, v) {
  const vertex = graph.vertices[v];
  const names = (ends) => ends.map((end) => graph.vertices[end].label).slice(0, 8).join(", ") || "nothing here";
  const inputs = names(graph.edges.filter(([, to]) => to === v).map(([from]) => from));
  const users = names(graph.edges.filter(([from]) => from === v).map(([, to]) => to));
  return [element("code", {}, vertex.label), ` · ${vertex.operator} · ${vertex.side}` +
    (vertex.state === "plain" ? "" : ` · ${vertex.state}`) + (vertex.module === "" ? "" : ` · ${vertex.module}`) +
    ` · takes ${inputs} · used by ${users}`];
}
