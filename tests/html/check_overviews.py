#!/usr/bin/env python3
"""The pages of several decisions: two side by side ('diff'), the trade-off ('pareto'), the index of a batch; and compiled code.

In a headless Chromium; their figures are compared with what the commands print as JSON, and a command that a page shows is run.
"""
import csv
import json
import pathlib
import shlex
import subprocess
import tempfile

from chromium import Browser
from reports import Checks, arguments
from check_use import CONTRAST

ROWS = "[...document.querySelectorAll('#{} tbody tr')]"


def run(*command, may_be=(0,)):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode in may_be, f"{command}: exit {done.returncode}: {done.stderr}"
    return done.stdout


def check_looks(checks, browser, path, name):
    """Light and dark, narrow, and without a word on the console."""
    for scheme in ("light", "dark"):
        page = browser.open(path, scheme=scheme)
        least = page.evaluate(CONTRAST)
        checks.true(least["ratio"] >= 4.5, f"{name}, {scheme}: contrast {least}")
        checks.equal(page.problems() + page.requests(), [], f"{name}, {scheme}: nothing on the console, nothing loaded")
        page.close()
    page = browser.open(path, width=390)
    page.settle()  # a chart is drawn anew once the scroll bar has taken its share of the width
    checks.true(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"),
                f"{name}: a narrow page does not scroll sideways")
    page.close()


def check_difference(checks, browser, given, directory):
    sides = []
    for name, options in (("before", ()), ("after", ("--set", "activation_memory_budget=0.5"))):
        sides.append(directory / name)
        run(given.tool, "partition", given.testdata / "llama3_8b.json", "--output-dir", sides[-1], "--memory-curve", *options)
    path = directory / "difference.html"
    expected = json.loads(run(given.tool, "diff", *sides, "--json", "--html", path, may_be=(1,)))
    page = browser.open(path)
    figures = {row["name"]: row for row in expected["figures"]}
    shown = page.evaluate("Object.fromEntries(" + ROWS.format("figures-table") +
                          ".map(row => [row.dataset.name, [...row.cells].map(cell => cell.textContent)]))")
    checks.true(len(shown) >= 4 and set(shown) <= set(figures), "the figures are those of the difference")
    for name, row in figures.items():
        checks.equal(name in shown, row["before"] != row["after"] or name in
                     ("saved_bytes", "saved_bytes_not_static", "recomputed_flops", "peak_bytes"), f"{name} is shown where it differs")
    curves = []
    for side in sides:
        with (side / "memory_curve.csv").open() as file:
            curves.append([int(row["bytes"]) for row in csv.DictReader(file)])
    checks.equal(page.evaluate("JSON.parse(document.getElementById('data').textContent).curves.map(curve => curve.bytes)"), curves,
                 "both curves are in the page")
    checks.equal(page.evaluate("JSON.parse(document.getElementById('data').textContent).curves.map(curve => Math.max(...curveParts(curve, 500)))"),
                 [max(curve) for curve in curves], "no peak is lost in the chart")
    checks.equal(page.evaluate("document.querySelectorAll('#curves .before-line, #curves .after-line').length"), 2, "and both are drawn")
    rows = page.evaluate("[...document.querySelectorAll('[data-list=saved] tbody tr')].map(row => "
                         "[Number(row.dataset.amount), Number(row.dataset.values)])")
    checks.equal(sum(amount for amount, _ in rows), sum(row["bytes"] for row in expected["saved"]), "the changes add up")
    checks.true(len(rows) < len(expected["saved"]) and any(values >= 31 for _, values in rows), "alike layers are folded")
    checks.equal(sum(values for _, values in rows), len(expected["saved"]), "and none is left out")
    before = page.evaluate("document.querySelectorAll('[data-list=saved] tbody tr').length")
    page.evaluate("document.querySelector('[data-list=saved] button.fold').focus()")
    page.press("Enter")
    checks.true(page.evaluate("document.querySelectorAll('[data-list=saved] tr.member').length") > 1, "Enter opens a folded row")
    page.press("Enter")
    checks.equal(page.evaluate("document.querySelectorAll('[data-list=saved] tbody tr').length"), before, "and closes it")
    page.set_field("filter-module", "layers.*.mlp")
    amounts = page.evaluate("[...document.querySelectorAll('[data-list=saved] tbody tr')].map(row => Number(row.dataset.amount))")
    checks.equal(sum(amounts), sum(row["bytes"] for row in expected["saved"] if ".mlp" in row.get("where", "")), "filtered by module")
    other = browser.open(path, state=page.evaluate("location.hash.slice(1)"))
    checks.equal(other.evaluate("document.getElementById('filter-module').value"), "layers.*.mlp", "a link keeps the filter")
    other.close()
    page.close()
    check_looks(checks, browser, path, "diff")
    for side in sides:
        (side / "memory_curve.csv").unlink()
    run(given.tool, "diff", *sides, "--html", path, "--force", may_be=(1,))
    page = browser.open(path)
    checks.true("--memory-curve" in page.evaluate("document.getElementById('curves-note').textContent"), "without curves it is said how to get them")
    checks.equal(page.evaluate("Number(document.getElementById('curves').dataset.most)"),
                 max(figures["peak_bytes"]["before"], figures["peak_bytes"]["after"]), "and the peaks of the reports are drawn")
    page.close()


def check_trade_off(checks, browser, given, directory):
    path = directory / "trade off.html"
    graph = given.testdata / "llama3_8b.json"
    expected = json.loads(run(given.tool, "pareto", graph, "--pytorch", "--json", "--html", path))
    page = browser.open(path)
    points = sorted(expected["points"] + expected["pytorch"], key=lambda point: point["saved_bytes"])
    picked = "({...document.querySelector('#picked dl').dataset})"
    checks.true("PyTorch" in page.evaluate("document.getElementById('picked').textContent"), "PyTorch's defaults are picked at first")
    page.evaluate("document.getElementById('chart').focus()")
    page.press("Home")
    checks.equal(int(page.evaluate(picked)["bytes"]), points[0]["saved_bytes"], "Home is the decision that saves least")
    page.press("End")
    checks.equal(int(page.evaluate(picked)["bytes"]), points[-1]["saved_bytes"], "End the one that saves most")
    checks.true(page.evaluate("document.getElementById('logarithmic').checked"), "costs of such a range have a logarithmic axis")
    check_axes(checks, page)
    page.evaluate("document.getElementById('logarithmic').click()")
    page.settle()
    corner = next(point for point in expected["points"] if point["corner"] and 4e9 < point["saved_bytes"] < 9e9)
    at = page.evaluate(f"""(() => {{ const box = document.getElementById('chart').getBoundingClientRect();
        const data = JSON.parse(document.getElementById('data').textContent);
        const scale = tradeScale([...data.points, ...data.pytorch], false, document.getElementById('chart').clientWidth, data.unit);
        return {{x: box.x + scale.x({corner['saved_bytes']}), y: box.y + scale.y({corner['recompute_cost']})}}; }})()""")
    page.click(at["x"], at["y"])
    checks.equal(int(page.evaluate(picked)["bytes"]), corner["saved_bytes"], "a click picks the nearest decision")
    command = shlex.split(page.evaluate("document.querySelector('#picked .command code').textContent"))
    checks.equal(command[:3], ["fxcut", "partition", str(graph)], "which has its command")
    report = json.loads(run(given.tool, *command[1:], "--json"))
    checks.true(report["totals"]["saved_bytes_not_static"] <= corner["saved_bytes"], "the command saves no more")
    # On a GPU saving has a price as well, so that a faster step may recompute a little longer.
    checks.true(report["run_time"]["recomputed_ms"] <= 1.02 * corner["recompute_cost"], "and recomputes no more than 2 % longer")
    page.evaluate("document.querySelector('#picked .command button').click()")
    checks.equal(shlex.split(page.evaluate("lastCopied")), command, "the command can be copied")
    budget = next(point for point in expected["pytorch"] if point["settings"].get("activation_memory_budget") == 0.5)
    page.evaluate("[...document.querySelectorAll('#table button.pick')].find(one => one.textContent.includes('budget=0.5')).click()")
    page.settle()
    checks.equal(int(page.evaluate(picked)["bytes"]), budget["saved_bytes"], "a row of the table picks, too")
    command = shlex.split(page.evaluate("document.querySelector('#picked .command code').textContent"))
    report = json.loads(run(given.tool, *command[1:], "--json"))
    checks.equal(report["totals"]["saved_bytes_not_static"], budget["saved_bytes"], "the command makes PyTorch's decision")
    state = page.evaluate("location.hash.slice(1)")
    other = browser.open(path, state=state)
    checks.equal(other.evaluate(picked), page.evaluate(picked), "a link keeps the decision that is picked")
    checks.equal(other.evaluate("document.getElementById('logarithmic').checked"), False, "and the axis")
    other.close()
    corners = sum(point["corner"] for point in expected["points"])
    page.evaluate("document.getElementById('all-points').click()")
    page.settle()
    count = page.evaluate("document.querySelectorAll('#table tbody tr').length")
    checks.true(len(expected["points"]) < count <= len(points) and corners < count, "the table has all decisions if asked")
    checks.equal(page.problems(), [], "nothing on the console")
    page.close()
    check_looks(checks, browser, path, "pareto")


def check_axes(checks, page):
    labels = page.evaluate("['tick', 'side-label'].map(name => [...document.querySelectorAll(`#chart text.${name}`)].map(one => one.textContent))")
    for axis in labels:
        checks.true(len(axis) > 2 and len(set(axis)) == len(axis), f"no label is twice on an axis: {axis}")


def check_trade_off_by_peak(checks, browser, given, directory):
    path = directory / "by peak.html"
    graph = given.testdata / "llama3_8b.json"
    expected = json.loads(run(given.tool, "pareto", graph, "--by", "peak", "--pytorch", "--json", "--html", path))
    page = browser.open(path)
    picked = "({...document.querySelector('#picked dl').dataset})"
    check_axes(checks, page)
    checks.true(not page.evaluate("document.getElementById('logarithmic').checkVisibility()"), "times that differ by little have no such axis")
    page.evaluate("document.getElementById('chart').focus()")
    page.press("Home")
    lowest = min(expected["points"] + expected["pytorch"], key=lambda point: (point["step_peak_bytes"], -point["step_ms"]))
    checks.equal(int(page.evaluate(picked)["bytes"]), lowest["step_peak_bytes"], "Home is the decision with the lowest peak")
    point = expected["points"][len(expected["points"]) // 2]
    page.evaluate(f"[...document.querySelectorAll('#table tr')].find(one => one.textContent.includes('{point['step_ms']:.5g} ms')).querySelector('button').click()")
    page.settle()
    checks.equal(int(page.evaluate(picked)["bytes"]), point["step_peak_bytes"], "a row of the table picks")
    command = shlex.split(page.evaluate("document.querySelector('#picked .command code').textContent"))
    report = json.loads(run(given.tool, *command[1:], "--json"))
    for figure, told in ((report["memory"]["compiled"]["peak_bytes"], "step_peak_bytes"), (report["run_time"]["step_ms"], "step_ms")):
        checks.true(abs(figure / point[told] - 1) < 0.02, f"the command gives {figure}, told {point[told]}")
    checks.equal(page.problems(), [], "nothing on the console")
    page.close()
    check_looks(checks, browser, path, "pareto_by_peak")


def check_batch(checks, browser, given, directory):
    out, path = directory / "a batch", directory / "pages" / "index.html"
    path.parent.mkdir()
    graphs = [given.testdata / name for name in ("mlp.json", "llama3_8b.json")]
    bad = directory / "bad one.json"
    bad.write_text(json.dumps({"format": "fxcut-joint-graph", "version": 1}))
    lines = [json.loads(line) for line in run(given.tool, "batch", *graphs, bad, "--output-dir", out, "--html", path,
                                              may_be=(1,)).splitlines()]
    page = browser.open(path)
    done = {line["name"]: line["totals"] for line in lines if line["status"] == "done"}
    names = ROWS.format("table") + ".map(row => row.dataset.name)"
    checks.equal(set(page.evaluate(names)), {line["name"] for line in lines}, "the index has all graphs")
    checks.equal(page.evaluate(names)[:2], sorted(done, key=lambda name: -done[name]["peak_bytes"]), "the highest peak first")
    page.evaluate("document.querySelectorAll('#table th button')[0].focus()")
    page.press("Enter")
    checks.equal(page.evaluate(names), sorted(line["name"] for line in lines), "sorted by name, by keyboard")
    checks.equal(int(page.evaluate("document.getElementById('table-sum').dataset.held")),
                 sum(totals["saved_bytes_not_static"] for totals in done.values()), "the figures add up")
    checks.equal(page.evaluate("document.querySelectorAll('#table tr.failed .bad').length"), 1, "what failed says why")
    links = page.evaluate("[...document.querySelectorAll('#table a')].map(link => [link.textContent, link.href])")
    checks.equal({name for name, _ in links}, set(done), "each finished graph has a link")
    page.set_field("filter-name", "mlp")
    small = next(name for name in done if name.endswith("mlp"))
    checks.equal(page.evaluate(names), [small], "filtered by name")
    page.evaluate("void setTimeout(() => document.querySelector('#table a').click())")  # which ends what is evaluated
    page.wait_for("document.documentElement?.dataset.state === 'ready' && document.getElementById('curve')")
    checks.equal(page.evaluate("document.getElementById('title').textContent"), "mlp", "the link leads to the graph's page")
    page.close()
    check_looks(checks, browser, path, "batch")
    (out / "graphs" / small / "report.html").unlink()
    run(given.tool, "batch", *graphs, bad, "--output-dir", out, "--html", path, "--resume", may_be=(1,))
    checks.true((out / "graphs" / small / "report.html").exists(), "a page that is missing is written with --resume")


def check_compiled(checks, browser, given, directory):
    path, log = directory / "memory.html", given.testdata / "compiled" / "steps_213.log"
    steps = json.loads(run(given.tool, "memory", log, "--format", "json", "--html", path))["steps"]
    checks.true(len(steps) > 1, "the log has several graphs")
    highest = max(steps, key=lambda step: step["peak_bytes"])
    lowest = min(steps, key=lambda step: step["peak_bytes"])
    page = browser.open(path)
    alive = ("[...document.querySelectorAll('#alive tfoot td')][0].dataset.bytes")
    checks.equal(page.evaluate("document.getElementById('title').textContent"), f"{highest['name']}: memory of compiled code",
                 "the highest is shown first")
    checks.equal(int(page.evaluate(alive)), highest["peak_bytes"], "what is in use at the peak adds up to it")
    checks.equal(page.evaluate("document.getElementById('curve-place').textContent.includes(" +
                               json.dumps(f"line {highest['peak_at']['line']} ") + ")"), True, "the peak's statement is named")
    shown = page.evaluate("JSON.parse(document.getElementById('data').textContent).steps.map(step => step.bytes)")
    checks.equal(shown, [[point["bytes"] for point in step["curve"]] for step in steps], "the curves are those of the JSON")
    checks.equal(page.evaluate(ROWS.format("steps-table") + ".map(row => row.cells[0].textContent)"),
                 [step["name"] for step in sorted(steps, key=lambda step: -step["peak_bytes"])], "all graphs, the highest first")
    page.close()
    page = browser.open(path, state=f"graph={steps.index(lowest)}")
    checks.equal(page.evaluate("document.getElementById('title').textContent"), f"{lowest['name']}: memory of compiled code",
                 "a link leads to another graph")
    checks.equal(int(page.evaluate(alive)), lowest["peak_bytes"], "and its memory")
    page.close()
    check_looks(checks, browser, path, "compiled code")


def main():
    given = arguments(__doc__)
    checks = Checks()
    with tempfile.TemporaryDirectory() as temporary, Browser() as browser:
        for check in (check_difference, check_trade_off, check_trade_off_by_peak, check_batch, check_compiled):
            directory = pathlib.Path(temporary) / check.__name__
            directory.mkdir()
            check(checks, browser, given, directory)
    checks.finish()


if __name__ == "__main__":
    main()
