// The decisions of the page: a row to pick from, and the fields of the report, which are those of the picked decision, and of the
// memory that is chosen among its curves.
"use strict";

// Gives `report` the picked decision's fields, at first those of the first; `onPick` is called when they have changed.
function showDecisions(report, onPick) {
  const {decisions} = report, names = decisions[0].curves.map(({name}) => name);
  const choices = decisions.map((decision, number) => decisionChoice(decision, number, () => pick(number)));
  let picked = 0, curve = 0;
  const curveOf = (decision) => decision.curves[curve] ?? decision.curves.at(-1);
  const take = () => {
    Object.assign(report, decisions[picked], {memory: curveOf(decisions[picked]),
      others: decisions.map(curveOf).filter((_, i) => i !== picked), made: curveOf(decisions[0])});
    choices[picked].querySelector("input").checked = true;
    byId("decision-row").scrollLeft = choices[picked].offsetLeft - choices[0].offsetLeft;
    byId("decision-command").replaceChildren(commandLine(report.command));
    byId("curve-of").value = String(curve);
  };
  const pick = (number) => {
    picked = number;
    linkState.put("decision", picked || "");
    take();
    onPick();
  };
  const show = (number) => {
    curve = number;
    linkState.put("of", curve || "");
    take();
    onPick();
  };
  const within = (text, count) => (/^\d+$/.test(text) && Number(text) < count ? Number(text) : 0);
  byId("decisions").hidden = byId("curve-others").hidden = decisions.length < 2;
  byId("decision-row").append(...choices);
  byId("curve-of").append(...names.map((name, i) => element("option", {value: i}, name)));
  byId("curve-of").closest("label").hidden = names.length < 2;
  byId("curve-of").addEventListener("change", (event) => show(Number(event.target.value)));
  take();
  linkState.follow("decision", (text) => pick(within(text, decisions.length)));
  linkState.follow("of", (text) => show(within(text, names.length)));
}

function decisionChoice({peak, held, moreTime}, number, onChoose) {
  return element("label", {class: "decision"},
    element("input", {type: "radio", name: "decision", value: number, onchange: onChoose}),
    element("span", {class: "figure"}, peak), element("span", {class: "meaning"}, `${held} held`),
    element("span", {class: "more"}, number === 0 ? "as it is" : moreTime));
}
