#!/usr/bin/env python3
"""What a page shows can be shared: a link leads to the same view, rows and tables are copied, charts and data are saved.

The page of testdata/llama3_8b.json, in a headless Chromium.
"""
import csv
import io
import json
import pathlib
import tempfile
import xml.etree.ElementTree

from chromium import Browser
from reports import Checks, Report, arguments, shown_peak

# The parts of the view that a link has to restore.
VIEW = """({step: document.getElementById('curve').getAttribute('aria-valuenow'),
  zoom: document.getElementById('zoom-note').textContent, device: document.getElementById('device-note').textContent,
  parameters: document.querySelectorAll('.band-area[data-key=parameter]').length,
  filter: document.getElementById('filter-module').value, sum: document.getElementById('table-sum').textContent,
  rows: [...document.querySelectorAll('#table tbody tr:not(.spacer)')].map(row => row.dataset.name ?? row.dataset.folded),
  sort: [...document.querySelectorAll('#table th')].map(cell => cell.getAttribute('aria-sort')).join(),
  open: document.getElementById('treemap-path').textContent, graph: document.getElementById('graph-module').value,
  part: document.querySelector('#graph-picture svg').getAttribute('viewBox')})"""
HASH = "location.hash.slice(1)"


def choose_much(page):
    page.evaluate("document.getElementById('curve').focus()")
    page.press("ArrowLeft", times=5)
    page.press("+", times=3)
    page.set_field("device", "60 GB")
    page.evaluate("document.getElementById('with-parameters').click()")
    page.set_field("filter-module", "layers.*.mlp")
    page.evaluate("document.querySelectorAll('#table th button')[5].click()")
    page.evaluate("document.querySelectorAll('#table th button')[5].click()")
    page.evaluate("document.getElementById('saved-fold').click()")
    page.evaluate("""[...document.querySelectorAll('#treemap .tile')]
        .find(tile => tile.dataset.path === 'model.layers.1-31.mlp').click()""")
    page.set_field("graph-module", "model.layers.3.self_attn")
    page.evaluate("document.getElementById('graph-form').requestSubmit()")
    page.settle()
    page.evaluate("document.getElementById('graph-in').click()")
    page.settle()


def check_links(checks, browser, report):
    page = browser.open(report.page)
    first = page.evaluate(VIEW)
    checks.equal(page.evaluate(HASH), "", "the first view needs no more than the page's address")
    choose_much(page)
    chosen, state = page.evaluate(VIEW), page.evaluate(HASH)
    for key in first:
        checks.true(chosen[key] != first[key], f"the view has another {key}")
    page.evaluate("document.querySelector('nav a[href=\"#values\"]').click()")
    checks.equal(page.evaluate(HASH), state, "a link to a section keeps the view")
    checks.equal(page.evaluate("document.activeElement.id"), "values", "and leads there")
    page.evaluate("document.getElementById('copy-link').click()")
    checks.equal(page.evaluate("lastCopied"), page.evaluate("location.href"), "the link can be copied")
    other = browser.open(report.page, state=state)
    restored = other.evaluate(VIEW)
    for key, value in chosen.items():
        checks.equal(restored[key], value, f"the link leads to the same {key}")
    other.go_to("step=0")
    checks.equal(other.evaluate("document.getElementById('curve').getAttribute('aria-valuenow')"), "0",
                 "another address leads to another view")
    checks.equal(other.evaluate("document.getElementById('filter-module').value"), "", "without what it does not have")
    for state in ("step=x&zoom=9-1&open=no.such/module&graph=none&part=a,b&sort=q&filter-dtype=none", "step=99999999&zoom=1e9-2e9"):
        odd = browser.open(report.page, state=state)
        checks.equal(odd.problems(), [], f"an address that means nothing harms nothing: {state}")
        odd.close()
    checks.equal(page.problems() + other.problems(), [], "nothing on the console")
    page.close()
    other.close()


def choose(page, menu, label):
    page.evaluate(f"document.querySelector('#{menu} summary').focus()")
    page.press("Enter")
    page.evaluate(f"[...document.querySelectorAll('#{menu} button')].find(item => item.textContent === '{label}').focus()")
    page.evaluate("(lastSaved = null, lastCopied = '')")
    page.press("Enter")
    page.wait_for("lastSaved" if label.startswith("Save") else "lastCopied")


def check_tables(checks, page, report):
    page.set_field("filter-module", "layers.*.mlp")
    choose(page, "saved-export", "Copy as CSV")
    rows = list(csv.DictReader(io.StringIO(page.evaluate("lastCopied"))))
    expected = {row["name"]: row for row in report.json["saved_values"] if ".mlp" in row.get("module", "")}
    checks.equal({row["name"] for row in rows}, set(expected), "the CSV has the rows that the filter lets through")
    checks.equal(sum(int(row["kept_bytes"]) for row in rows), sum(row["kept_bytes"] for row in expected.values()), "with their bytes")
    choose(page, "saved-export", "Copy as Markdown")
    lines = page.evaluate("lastCopied").splitlines()
    checks.equal(len(lines), len(expected) + 2, "the Markdown has a line for each, after a head")
    checks.true(all(line.startswith("| ") and line.endswith(" |") for line in lines), "each a row of a table")
    choose(page, "saved-export", "Save as JSON")
    saved = page.evaluate("({...lastSaved, content: lastSaved.content})")
    checks.equal(saved["name"], "llama3_8b-saved.json", "the file is named after the graph")
    checks.equal({row["name"] for row in json.loads(saved["content"])}, set(expected), "the JSON has the same rows")
    page.evaluate("document.getElementById('saved-fold').click()")
    page.settle()
    page.evaluate("document.querySelector('#table tbody tr[data-name]').click()")
    page.evaluate("[...document.querySelectorAll('#detail button')].find(item => item.textContent === 'Copy row').click()")
    row = list(csv.DictReader(io.StringIO(page.evaluate("lastCopied"))))
    checks.equal([one["name"] for one in row], [page.evaluate("document.querySelector('#detail h3').textContent")], "a row is copied")
    choose(page, "alive-export", "Copy as CSV")
    rows = list(csv.DictReader(io.StringIO(page.evaluate("lastCopied"))))
    checks.equal(sum(int(one["bytes"]) for one in rows), shown_peak(report.json["memory"]), "what is in use at the peak")
    choose(page, "curve-export", "Save as CSV")
    rows = list(csv.DictReader(io.StringIO(page.evaluate("lastSaved.content"))))
    checks.equal(max(int(one["bytes"]) for one in rows), shown_peak(report.json["memory"]), "the curve's data has its peak")
    choose(page, "treemap-export", "Copy as CSV")
    rows = list(csv.DictReader(io.StringIO(page.evaluate("lastCopied"))))
    checks.equal(int(rows[0]["bytes"]), report.json["totals"]["saved_bytes_not_static"], "modules, all of them first")
    checks.true(page.evaluate("csvField('=1+1')") == "'=1+1" and page.evaluate("csvField('a,\"b')") == '"a,""b"',
                "CSV that a spreadsheet does not run, and quotes")


def check_charts(checks, page):
    for menu, least in (("curve-export", 10), ("treemap-export", 10), ("graph-export", 40)):
        choose(page, menu, "Save as SVG")
        drawing = xml.etree.ElementTree.fromstring(page.evaluate("lastSaved.content"))
        checks.true(len(list(drawing.iter())) > least, f"{menu}: the SVG has its parts")
        text = page.evaluate("lastSaved.content")
        checks.true("var(" not in text and "style=" not in text, f"{menu}: it needs no style sheet")
        choose(page, menu, "Save as PNG")
        found = page.evaluate("""(async () => { const bytes = new Uint8Array(await lastSaved.content.arrayBuffer());
            const image = await createImageBitmap(lastSaved.content), canvas = document.createElement('canvas');
            canvas.width = image.width; canvas.height = image.height; const on = canvas.getContext('2d'); on.drawImage(image, 0, 0);
            const data = on.getImageData(0, 0, image.width, image.height).data, colours = new Set();
            for (let i = 0; i < data.length; i += 4000) colours.add(data[i] * 65536 + data[i + 1] * 256 + data[i + 2]);
            return {name: lastSaved.name, magic: [...bytes.slice(1, 4)], width: image.width, colours: colours.size}; })()""")
        checks.equal(found["magic"], [ord(c) for c in "PNG"], f"{menu}: the PNG is one")
        checks.true(found["width"] > 1000 and found["colours"] > 3, f"{menu}: with something in it: {found}")


def main():
    given = arguments(__doc__)
    checks = Checks()
    with tempfile.TemporaryDirectory() as directory, Browser() as browser:
        report = Report(given.tool, given.testdata / "llama3_8b.json", pathlib.Path(directory))
        check_links(checks, browser, report)
        page = browser.open(report.page)
        check_tables(checks, page, report)
        check_charts(checks, page)
        checks.equal(page.problems(), [], "nothing on the console")
        page.close()
    checks.finish()


if __name__ == "__main__":
    main()
