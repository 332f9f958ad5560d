// What the user has chosen, in the page's address, so that a link leads to the same view: "#step=2855&zoom=2000-3000".
// What is as it was at first is left out. An address of a section, "#memory", still leads there.
"use strict";

const linkState = (() => {
  const restorers = new Map();
  let given = parseState(location.hash), values = new Map(given);

  function parseState(hash) {
    return new Map(hash.includes("=") ? new URLSearchParams(hash.slice(1)) : []);
  }
  const write = () => {
    const text = new URLSearchParams([...values]).toString().replaceAll("%2C", ",").replaceAll("%2F", "/");
    history.replaceState(null, "", text === "" ? location.pathname + location.search : `#${text}`);
  };
  addEventListener("hashchange", () => {
    if (location.hash !== "" && !location.hash.includes("=")) return;
    const before = new Map(values);
    given = parseState(location.hash);
    values = new Map(given);
    // What the restoring of one changes of another is restored as well.
    for (const [key, restore] of restorers) {
      if (given.get(key) !== before.get(key) || given.get(key) !== values.get(key)) restore(given.get(key) ?? "");
    }
  });
  return {
    // Sets a value; "" and null are the first state.
    put(key, value) {
      const text = value === null ? "" : String(value);
      if ((values.get(key) ?? "") === text) return;
      if (text === "") values.delete(key);
      else values.set(key, text);
      write();
    },
    // Calls `restore` with the value of the address, now if there is one, and whenever the address changes.
    follow(key, restore) {
      restorers.set(key, restore);
      if (given.has(key)) restore(given.get(key));
    },
  };
})();

// Links to sections scroll there without losing the state.
function followSectionLinks() {
  for (const link of document.querySelectorAll("a[href^='#']")) {
    link.addEventListener("click", (event) => {
      const section = byId(link.getAttribute("href").slice(1));
      if (!section) return;
      event.preventDefault();
      section.scrollIntoView();
      section.setAttribute("tabindex", "-1");
      section.focus({preventScroll: true});
    });
  }
}
