// A command to copy.
"use strict";

function commandLine(command) {
  return element("span", {class: "command"}, element("code", {}, command),
    element("button", {type: "button", onclick: () => copyText(command)}, "Copy"));
}
