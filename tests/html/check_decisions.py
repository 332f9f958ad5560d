#!/usr/bin/env python3
"""The decisions of a page: the one that was made and those of the table under LESS MEMORY, picked by mouse, keys and address.

Each is what its command makes: the command is run, and its report compared with what the page then shows. The page of
testdata/llama3_8b.json, in a headless Chromium; its curve is in the first view.
"""
import json
import pathlib
import shlex
import subprocess
import tempfile

from chromium import Browser
from reports import Checks, Report, arguments, shown_peak

CARDS = """[...document.querySelectorAll('.decision')]
    .map(card => [...card.querySelectorAll('span')].map(part => part.textContent))"""
PICKED = "[...document.querySelectorAll('.decision input')].findIndex(input => input.checked)"
COMMAND = "document.querySelector('#decision-command code').textContent"
SHOWN = """({peak: document.querySelector('.peak-label').textContent, sum: {...document.getElementById('table-sum').dataset},
  alive: Number(document.querySelector('#alive tfoot td').dataset.bytes), made: document.querySelectorAll('.made-line').length,
  others: document.querySelectorAll('.other-line').length, head: document.getElementById('headline').textContent,
  tiles: [...document.querySelectorAll('#treemap .tile:not(.group)')].reduce((sum, tile) => sum + Number(tile.dataset.bytes), 0),
  totals: document.getElementById('totals').textContent, graph: document.getElementById('graph-note').textContent})"""
TICKS = "[...document.querySelectorAll('#curve .tick')].map(tick => tick.textContent)"


def table_of(text):
    """The rows under LESS MEMORY: peak, held, time, options."""
    lines = text.split("LESS MEMORY\n")[1].splitlines()
    return [line.split() for line in lines[1:] if line.split()[-2:] == ["it", "is"] or "... --saved-bytes" in line]


def check_row(checks, page, report):
    """The cards say what the table says."""
    cards, rows = page.evaluate(CARDS), table_of(report.text)
    checks.equal(len(cards), len(rows), "a card for each row of the table")
    checks.true(len(cards) > 3, "there are ways to need less")
    for (peak, held, more), row in zip(cards, rows):
        checks.equal(peak.split() + held.split()[:2], row[:4], f"the card says what the table says: {row}")
        time = " ".join(row[4:row.index("...")]) if "..." in row else "as it is"
        checks.equal(more.replace("(", "").replace(")", ""), time, f"and the time: {row}")


def check_pick(checks, page, number, tool, graph):
    """What the page shows is what the command makes."""
    command = shlex.split(page.evaluate(COMMAND))
    checks.equal(command[:3], ["fxcut", "partition", str(graph)], f"{number}: its command is shown")
    made = json.loads(subprocess.run([tool, *command[1:], "--json"], check=True, capture_output=True, text=True).stdout)
    shown, totals = page.evaluate(SHOWN), made["totals"]
    checks.equal(shown["alive"], shown_peak(made["memory"]), f"{number}: the peak is the command's")
    checks.equal(int(shown["sum"]["bytes"]), totals["saved_bytes"], f"{number}: the saved values are the command's")
    checks.equal(int(shown["sum"]["kept"]), totals["saved_bytes_not_static"], f"{number}: and what they hold")
    checks.equal(shown["tiles"], totals["saved_bytes_not_static"], f"{number}: the tiles, too")
    checks.true(f"in {totals['saved_values']} values" in shown["totals"], f"{number}: and the totals")
    checks.true(f"{totals['backward_operators']} backward operators" in shown["head"], f"{number}: and the headline")
    checks.equal(shown["made"], int(number > 0), f"{number}: the decision as it is is a line beside others")
    return shown


def check_picking(checks, browser, page, tool, graph):
    count = len(page.evaluate(CARDS))
    seen = [check_pick(checks, page, 0, tool, graph)]
    page.evaluate("document.querySelector('.decision input').focus()")
    for number in range(1, count):
        page.press("ArrowRight")
        checks.equal(page.evaluate(PICKED), number, f"the right arrow picks decision {number}")
        seen.append(check_pick(checks, page, number, tool, graph))
        checks.equal(page.evaluate("location.hash"), f"#decision={number}", "the address has the pick")
        other = browser.open(pathlib.Path(page.path), state=f"decision={number}")
        checks.equal(other.evaluate(SHOWN), seen[-1], f"an address leads to decision {number}")
        other.close()
    checks.equal(len({one["peak"] for one in seen}), count, "each has a peak of its own")
    checks.true(all(one["others"] + one["made"] == count - 1 for one in seen), "the others are lines")
    box = page.box(".decision")
    page.click(box["x"] + box["width"] - 10, box["y"] + 10)
    checks.equal(page.evaluate(SHOWN), seen[0], "a click leads back to the first")
    checks.equal(page.evaluate("location.hash"), "", "which needs no more than the page's address")
    page.go_to("decision=1&step=40")
    page.go_to("decision=2&step=40")
    checks.equal(page.evaluate("document.getElementById('curve').getAttribute('aria-valuenow')"), "40",
                 "a step of the address counts")
    page.go_to("decision=99")
    checks.equal(page.evaluate(PICKED), 0, "an address without such a decision leads to the first")


def check_curve_of(checks, page, report):
    """The operators' curve is a detail."""
    memory = report.json["memory"]
    page.evaluate("(field => { field.value = '1'; field.dispatchEvent(new Event('change', {bubbles: true})); })"
                  "(document.getElementById('curve-of'))")
    page.settle()
    checks.equal(page.evaluate(SHOWN)["alive"], memory["peak_bytes"], "the operators' curve can be chosen")
    checks.equal(page.evaluate("location.hash"), "#of=1", "and is in the address")
    page.go_to("of=0")
    checks.equal(page.evaluate(SHOWN)["alive"], memory["compiled"]["peak_bytes"], "the code's is the first")


def check_first_view(checks, browser, path):
    for width, height, scheme in ((1280, 900, "light"), (1280, 900, "dark"), (390, 844, "light")):
        page = browser.open(path, width=width, height=height, scheme=scheme, state="decision=2")
        page.settle()
        box = page.evaluate("document.getElementById('curve').getBoundingClientRect().toJSON()")
        checks.true(box["bottom"] <= height if width > 600 else box["top"] + 100 <= height,
                    f"the curve is in the first view of {width} x {height}: {box['top']} to {box['bottom']}")
        ticks = page.evaluate(TICKS)
        checks.equal(len(set(ticks)), len(ticks), f"no label twice on the axis: {ticks}")
        heights = page.evaluate("[...document.querySelectorAll('#totals .card')].filter(card => card.checkVisibility())"
                                ".map(card => card.getBoundingClientRect().height)")
        checks.true(heights and max(heights) < 46, f"cards have one line: {heights}")
        checks.true(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"),
                    f"{width}: nothing scrolls sideways")
        checks.equal(page.problems(), [], "nothing on the console")
        page.close()


def main():
    given = arguments(__doc__)
    checks = Checks()
    with tempfile.TemporaryDirectory() as temporary, Browser() as browser:
        directory, graph = pathlib.Path(temporary), given.testdata / "llama3_8b.json"
        report = Report(given.tool, graph, directory)
        first = report.page.read_bytes()
        checks.equal(Report(given.tool, graph, directory).page.read_bytes(), first, "equal input gives equal bytes")
        page = browser.open(report.page)
        page.path = report.page
        check_row(checks, page, report)
        check_picking(checks, browser, page, given.tool, graph)
        check_curve_of(checks, page, report)
        checks.equal(page.problems() + page.requests(), [], "nothing on the console, nothing loaded")
        page.close()
        check_first_view(checks, browser, report.page)
        small = Report(given.tool, given.testdata / "mlp.json", directory)
        page = browser.open(small.page)
        checks.equal(page.evaluate("document.getElementById('decisions').hidden"), len(page.evaluate(CARDS)) < 2,
                     "one decision has nothing to pick from")
        page.close()
    checks.finish()


if __name__ == "__main__":
    main()
