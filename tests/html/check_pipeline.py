#!/usr/bin/env python3
"""The page of a pipeline: its figures are those of the JSON, actions are picked by mouse, keys and links; its trace agrees, too.

In a headless Chromium; a graph of testdata is cut into stages, under a schedule of each kind.
"""
import json
import pathlib
import tempfile

from chromium import Browser
from reports import Checks, arguments
from check_overviews import ROWS, check_looks, run

PICKED = "({...document.querySelector('#picked dl').dataset})"
SCHEDULES = {"1F1B": ("--memory", "40GB"), "InterleavedZeroBubble": ("--ranks", "2", "--optimizer", "adamw"), "DualPipeV": ()}
MODULES = "model.layers.8,model.layers.16,model.layers.24"


def check_trace(checks, trace, expected, name):
    slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    counters = [event for event in trace["traceEvents"] if event["ph"] == "C"]
    actions = [(rank["rank"], action) for rank in expected["ranks"] for action in rank["actions"]]
    checks.equal([(one["pid"], one["name"], one["args"]["bytes"]) for one in slices],
                 [(rank, action["action"], action["bytes"]) for rank, action in actions], f"{name}: a slice an action")
    checks.true(all(abs(one["ts"] - 1e3 * action["begin_ms"]) < 1e-3 and
                    abs(one["ts"] + one["dur"] - 1e3 * action["end_ms"]) < 1e-3
                    for one, (_, action) in zip(slices, actions)), f"{name}: at its time")
    for rank in expected["ranks"]:
        checks.equal(max(one["args"]["bytes"] for one in counters if one["pid"] == rank["rank"]), rank["peak_bytes"],
                     f"{name}: the counter reaches the rank's peak")


def check_picking(checks, browser, path, page, expected, name):
    highest = max(expected["ranks"], key=lambda rank: rank["peak_bytes"])
    checks.equal(page.evaluate(PICKED), {"rank": str(highest["rank"]), "action": highest["actions"][highest["peak_at"]]["action"],
                                         "bytes": str(highest["peak_bytes"])}, f"{name}: the highest peak is picked at first")
    page.evaluate("document.getElementById('chart').focus()")
    page.press("Home")
    checks.equal(page.evaluate(PICKED)["action"], highest["actions"][0]["action"], f"{name}: Home is the rank's first action")
    page.press("ArrowRight")
    checks.equal(page.evaluate(PICKED)["action"], highest["actions"][1]["action"], f"{name}: right is its next")
    page.press("End")
    checks.equal(page.evaluate(PICKED)["action"], highest["actions"][-1]["action"], f"{name}: End its last")
    for _ in expected["ranks"]:
        page.press("ArrowDown")
    checks.equal(page.evaluate(PICKED)["rank"], str(len(expected["ranks"]) - 1), f"{name}: down leads to the last rank")
    at = page.evaluate("""(() => { const block = document.querySelectorAll('#chart g.action')[0].getBoundingClientRect();
        return {x: block.x + block.width / 2, y: block.y + block.height / 2}; })()""")
    page.click(at["x"], at["y"])
    first = {"rank": "0", "action": expected["ranks"][0]["actions"][0]["action"]}
    checks.equal({key: page.evaluate(PICKED)[key] for key in first}, first, f"{name}: a click picks what is drawn there")
    other = browser.open(path, state=page.evaluate("location.hash.slice(1)"))
    checks.equal(other.evaluate(PICKED), page.evaluate(PICKED), f"{name}: a link keeps what is picked")
    other.close()


def check_schedule(checks, browser, given, directory, name, options):
    path = directory / f"{name}.html"
    trace = directory / f"{name}.trace.json"
    graph = given.testdata / "llama3_8b.json"
    expected = json.loads(run(given.tool, "pipeline", graph, "--split-at", MODULES, "--schedule", name, "--microbatches", "8",
                              *options, "--json", "--html", path, "--format", f"perfetto={trace}"))
    check_trace(checks, json.loads(trace.read_text()), expected, name)
    page = browser.open(path)
    parts = sum(len(action["action"].split(";")) for rank in expected["ranks"] for action in rank["actions"])
    checks.equal(page.evaluate("document.querySelectorAll('#chart g.action').length"), parts, f"{name}: each action is drawn")
    checks.equal(page.evaluate("document.querySelectorAll('#chart .limit-line').length"),
                 len(expected["ranks"]) if "memory_limit" in expected else 0, f"{name}: the limit, if there is one")
    checks.equal(page.evaluate(ROWS.format("stages-table") + ".length"), len(expected["stages"]), f"{name}: a row a stage")
    checks.equal(page.evaluate(ROWS.format("ranks-table") + ".map(row => row.cells[1].textContent)"),
                 [" ".join(map(str, rank["stages"])) for rank in expected["ranks"]], f"{name}: a row a rank, with its stages")
    check_picking(checks, browser, path, page, expected, name)
    checks.equal(page.problems(), [], f"{name}: nothing on the console")
    page.close()
    check_looks(checks, browser, path, name)


def main():
    given = arguments(__doc__)
    checks = Checks()
    with tempfile.TemporaryDirectory() as temporary, Browser() as browser:
        for name, options in SCHEDULES.items():
            check_schedule(checks, browser, given, pathlib.Path(temporary), name, options)
    checks.finish()


if __name__ == "__main__":
    main()
