// Elements. Their texts are set as text, never as HTML: they come from the graph, which may hold anything.
"use strict";

// element("td", {class: "number", onclick: f}, "text", child): what begins with "on" listens, null and false are left
// out.
function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svgElement(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function byId(id) {
  return document.getElementById(id);
}

// Calls `draw` with the element's width now and whenever it changes.
function onWidth(node, draw) {
  let width = 0;
  const update = () => {
    if (node.clientWidth === width || node.clientWidth === 0) return;
    width = node.clientWidth;
    draw(width);
  };
  new ResizeObserver(update).observe(node);
  update();
}
