#!/usr/bin/env python3
"""The memory curves: the operators' stack is the curve of memory_curve.csv at every step, and that of the code, where it is
predicted, comes first and has the report's peak; zoom, the device's memory, and the chosen step.

The stack is compared on all graphs of testdata that were traced from models, the use of it is tried on testdata/llama3_8b.json,
in a headless Chromium.
"""
import csv
import pathlib
import subprocess
import tempfile

from chromium import Browser
from reports import Checks, NoPartition, Report, arguments, recorded_graphs, shown_peak

STACK = """(() => { const memory = readReport().decisions[0].curves.at(%d), stack = memoryStack(memory);
  const sum = bands => memory.steps.map((_, s) => bands.reduce((total, band) => total + band.bytes[s], 0));
  return {name: memory.name, peak: [memory.peakBytes, memory.bytes[memory.peakStep]],
    top: sum(stack.bands.filter(band => !band.isResident)), whole: sum(stack.bands), least:
    Math.min(0, ...stack.bands.map(band => band.bytes.reduce((a, b) => Math.min(a, b), 0))),
    keys: stack.bands.filter(band => band.bytes.some(bytes => bytes > 0)).map(band => band.key)}; })()"""
STEP = "Number(document.getElementById('curve').getAttribute('aria-valuenow'))"
NOTE = "document.getElementById('zoom-note').textContent"
LEGEND = "Object.fromEntries([...document.querySelectorAll('#curve-legend li')].map(row => [row.dataset.key, Number(row.dataset.bytes)]))"
ALIVE = "Number(document.querySelector('#alive tfoot td').dataset.bytes)"
TITLE = "document.getElementById('alive-title').textContent"
AREA_TOP = "Math.min(...[...document.querySelectorAll('.band-area')].map(area => area.getBBox().y))"


def curve_of(tool, graph, directory):
    out = directory / f"{graph.stem}-out"
    subprocess.run([tool, "partition", graph, "--output-dir", out, "--memory-curve"], check=True, capture_output=True)
    with (out / "memory_curve.csv").open() as file:
        return [int(row["bytes"]) for row in csv.DictReader(file)]


def check_stack(checks, name, page, report, curve):
    memory = report.json["memory"]
    resident = memory["static_bytes"] + memory["input_bytes"]
    stack, first = page.evaluate(STACK % -1), page.evaluate(STACK % 0)
    peak = shown_peak(memory)
    checks.equal(first["peak"] + [max(first["top"])], 3 * [peak], f"{name}: the first curve has the peak of the first lines")
    checks.true(first["least"] == 0 and min(first["top"]) >= 0, f"{name}: and no band below zero")
    checks.equal(stack["top"], curve, f"{name}: the stack's top is the curve at every step")
    checks.equal(stack["whole"], [bytes_ + resident for bytes_ in curve], f"{name}: and with what is resident")
    checks.equal(stack["least"], 0, f"{name}: no band is below zero")
    for held in memory["at_peak"]:
        kinds = ("saved", "output", "tangent", "gradient", "reloaded", "recomputed", "optimizer", "temporary")
        checks.true(held.get("kind", "saved") in kinds,
                    f"{name}: the kind {held.get('kind')} has a band")
    return first if first["name"] != stack["name"] else stack


def check_zoom(checks, page, report, curve):
    steps = len(curve)
    checks.equal(page.evaluate(NOTE), "", "all steps at first")
    checks.true(page.evaluate("document.getElementById('zoom-reset').disabled"), "there is nothing to reset")
    box = page.box("#curve")
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wheel(*middle, -400, ctrl=False)
    checks.equal(page.evaluate(NOTE), "", "the wheel alone scrolls the page")
    box = page.box("#curve")
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wheel(*middle, -100)
    first = page.evaluate(NOTE)
    checks.true(first.startswith("steps ") and first.endswith(f"of {steps:,}"), f"the wheel with Ctrl brings a part closer: {first}")
    page.click(*middle, times=2)
    checks.equal(page.evaluate(NOTE), "", "a double click shows all")
    page.drag(box["x"] + 400, middle[1], box["x"] + 600, middle[1])
    from_step, to_step = (int(word.replace(",", "")) for word in page.evaluate(NOTE).split()[1:4:2])
    per_pixel = steps / (box["width"] - 90)  # the axis and the margin
    checks.true(abs(from_step - (400 - 72) * per_pixel) < 2 * per_pixel + 2, "a drag shows from where it begins")
    checks.true(abs(to_step - (600 - 72) * per_pixel) < 2 * per_pixel + 2, "to where it ends")
    page.evaluate("document.getElementById('curve').focus()")
    page.press("0")
    checks.equal(page.evaluate(NOTE), "", "0 shows all")
    page.press("+", times=6)
    seen = page.evaluate("document.querySelectorAll('.peak').length")
    checks.equal(seen, 1, "+ brings the chosen step closer")
    page.press("Home")
    checks.equal(page.evaluate(STEP), 0, "Home is the first step")
    checks.true(page.evaluate(NOTE).startswith("steps 1 to"), "and what is in sight goes with it")
    page.evaluate("document.getElementById('zoom-reset').click()")
    checks.equal(page.evaluate(NOTE), "", "the button shows all")
    page.press("p")


def check_device(checks, page, report):
    memory = report.json["memory"]
    resident = shown_peak(memory) + memory["static_bytes"] + memory["input_bytes"]
    note = "document.getElementById('device-note').textContent"
    page.set_field("device", "80 GB")
    checks.equal(page.evaluate("document.querySelectorAll('.device-line').length"), 1, "the device's memory is a line")
    checks.true(page.evaluate(note).startswith("fits: "), "it is said that the step fits")
    y = page.evaluate("document.querySelector('.device-line').getBBox().y")
    checks.true(y < page.evaluate(AREA_TOP), "the line is above the curve")
    page.set_field("device", "64GiB")
    checks.equal(page.evaluate(note).startswith("fits"), resident <= 64 * 2**30, "GiB are GiB")
    page.set_field("device", "40 GB")
    checks.true("does not fit" in page.evaluate(note), "or that it does not")
    page.set_field("device", "forty")
    checks.true("expected" in page.evaluate(note), "a mistake is said")
    page.set_field("device", "")
    checks.equal(page.evaluate(note), "", "no device, no note")


def check_step(checks, page, report, curve):
    box = page.box("#curve")
    page.click(box["x"] + 300, box["y"] + 200)
    step = page.evaluate(STEP)
    checks.true(0 < step < len(curve) and step != report.json["memory"].get("peak_step"), "a click chooses a step")
    checks.equal(page.evaluate(ALIVE), curve[step], "what is in use there adds up to the curve")
    checks.true(f"step {step + 1:,}" in page.evaluate(TITLE), "the table says of which step it is")
    resident = report.json["memory"]["static_bytes"] + report.json["memory"]["input_bytes"]
    checks.equal(sum(page.evaluate(LEGEND).values()), curve[step] + resident, "so do the bands below the curve")
    rows = page.evaluate("[...document.querySelectorAll('#alive tbody tr:not(.rest) td:first-child')].map(cell => cell.textContent)")
    checks.true(len(rows) > 5, "the table has rows")
    page.evaluate("document.querySelector('#alive button.fold').focus()")
    before = page.evaluate("document.querySelectorAll('#alive tbody tr').length")
    page.press("Enter")
    checks.true(page.evaluate("document.querySelectorAll('#alive tbody tr.member').length") > 1, "a folded row opens to its values")
    page.press("Enter")
    checks.equal(page.evaluate("document.querySelectorAll('#alive tbody tr').length"), before, "and closes")
    page.evaluate("document.getElementById('with-parameters').click()")
    page.settle()
    checks.equal(page.evaluate("document.querySelectorAll('.band-area[data-key=parameter]').length"), 0, "parameters can be left out")
    page.evaluate("document.getElementById('with-parameters').click()")
    page.evaluate("document.getElementById('curve').focus()")
    page.press("p")
    checks.equal(page.evaluate(TITLE), "In use at the peak", "P leads back to the peak")


def main():
    given = arguments(__doc__)
    checks = Checks()
    with tempfile.TemporaryDirectory() as temporary, Browser() as browser:
        directory, kinds = pathlib.Path(temporary), set()
        for graph in recorded_graphs(given.testdata):
            try:
                report = Report(given.tool, graph, directory)
            except NoPartition:
                continue
            curve = curve_of(given.tool, graph, directory)
            page = browser.open(report.page)
            shown = check_stack(checks, graph.stem, page, report, curve)
            kinds.update(key.split(" ")[0] for key in shown["keys"])
            if graph.stem == "llama3_8b":
                for check in (check_zoom, check_step):
                    check(checks, page, report, shown["top"])
                check_device(checks, page, report)
                checks.equal(page.problems(), [], "nothing on the console")
            page.close()
        checks.true(kinds >= {"parameter", "gradient", "saved", "recomputed", "temporary"}, f"the graphs have all bands: {kinds}")
    checks.finish()


if __name__ == "__main__":
    main()
