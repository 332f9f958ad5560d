#!/usr/bin/env python3
"""The page, report.json, the CSV, the Markdown and the table of a partition say the same, and the parts add up to the head.

Each graph of testdata that was traced from a model is partitioned, its page opened in a headless Chromium (on the many others
tests/property/report_sums_test.cpp adds up). No page may load anything or say anything on the
console. A graph whose texts are HTML shows that they stay text.
"""
import json
import pathlib
import tempfile

from chromium import Browser
from reports import Checks, NoPartition, Report, arguments, recorded_graphs, shown_peak

LINES = """[...document.querySelectorAll('#totals .total')].map(line => [...line.children].map(part => part.textContent))"""
LEAVES = """(() => {
  const tiles = [...document.querySelectorAll('#treemap .tile:not(.group)')];
  return tiles.reduce((sum, tile) => sum + Number(tile.dataset.bytes), 0);
})()"""
TABLE_SUMS = "({...document.getElementById('table-sum').dataset})"
HELD = "Number(document.querySelector('#alive tfoot td')?.dataset.bytes ?? 0)"


def words(text):
    return " ".join(text.split())


def check_lines(checks, name, page, report):
    table, markdown = words(report.table), words(report.markdown.replace("\\", ""))
    lines = page.evaluate(LINES)
    checks.true(len(lines) >= 6, f"{name}: the head has its lines")
    for label, figure, meaning in lines:
        checks.true(words(f"{label} {figure} {meaning}") in table, f"{name}: the table has '{label} {figure} {meaning}'")
        checks.true(words(f"| {label} | {figure} |") in markdown, f"{name}: the Markdown has '{label} {figure}'")


def check_advice(checks, browser, page_file, directory):
    """What the terminal advises, with its command to copy; without advice there is no empty frame."""
    advice = [{"effect": "7.5 GB less held", "command": "fxcut partition a.json --saved-bytes 30GB"}]
    page = browser.open(page_file)
    shown = page.evaluate("[...document.querySelectorAll('#advice-list li')].map(item => [...item.querySelectorAll('span:first-child, code')]"
                          ".map(part => part.textContent))")
    checks.equal(page.evaluate("document.getElementById('advice').hidden"), not shown, "no advice, no frame")
    page.close()
    text = page_file.read_text()
    begin = text.index('"advice":[') + len('"advice":')
    _, length = json.JSONDecoder().raw_decode(text[begin:])
    advised = directory / "advised.html"
    advised.write_text(text[:begin] + json.dumps(advice) + text[begin + length:])
    page = browser.open(advised)
    checks.equal(page.evaluate("document.getElementById('advice').hidden"), False, "advice is shown")
    checks.true(page.evaluate("document.getElementById('curve').getBoundingClientRect().bottom < 900"), "the curve is in the first view")
    checks.equal(page.evaluate("document.getElementById('advice-link').hidden"), False, "where a link leads to the advice")
    page.evaluate("document.getElementById('totals-more').click()")
    checks.true(page.evaluate("[...document.querySelectorAll('#totals .total')].every(line => line.checkVisibility())"),
                "a button opens what the figures are made of")
    page.evaluate("document.querySelector('#advice button').click()")
    checks.equal(page.evaluate("lastCopied"), advice[0]["command"], "its command can be copied")
    check_quiet(checks, "advice", page)
    page.close()


def check_sums(checks, name, page, report):
    totals = report.json["totals"]
    sums = page.evaluate(TABLE_SUMS)
    checks.equal(int(sums["bytes"]), totals["saved_bytes"], f"{name}: the page's table adds up to saved_bytes")
    held = totals["compressed"]["held_bytes"] if "compressed" in totals else totals["saved_bytes_not_static"]
    checks.equal(int(sums["kept"]), held, f"{name}: ... and to what is held, as it crosses")
    checks.equal(int(sums["parameters"]), totals["saved_bytes_static"], f"{name}: ... and to saved_bytes_static")
    checks.equal(page.evaluate(LEAVES), held, f"{name}: the tiles add up")
    checks.equal(page.evaluate(HELD), shown_peak(report.json["memory"]), f"{name}: who is alive at the peak adds up")
    values = [row for row in report.csv if row["kind"] == "value"]
    checks.equal(sum(int(row["bytes"]) for row in values), totals["saved_bytes"], f"{name}: the CSV adds up")
    checks.equal(sum(int(row["kept_bytes"]) for row in values), totals["saved_bytes_not_static"], f"{name}: ... and is kept")
    checks.equal([row["name"] for row in values], [row["name"] for row in report.json["saved_values"]],
                 f"{name}: the CSV has the saved values")


def check_quiet(checks, name, page):
    checks.equal(page.problems(), [], f"{name}: nothing on the console")
    checks.equal(page.requests(), [], f"{name}: nothing is loaded")


def hostile(testdata, directory):
    """The graph of mlp.json with HTML for texts."""
    text = (testdata / "mlp.json").read_text()
    evil = '<img src=x onerror=\\"window.ran=1\\"></script><script>window.ran=2</script>'
    for name in ("sigmoid", "layers.0", "mlp.py", "mlp"):
        text = text.replace(f'"{name}"', f'"{name}{evil}"')
    path = directory / "hostile.json"
    path.write_text(text)
    return path


def check_hostile(checks, browser, tool, testdata, directory):
    report = Report(tool, hostile(testdata, directory), directory)
    page = browser.open(report.page)
    page.set_field("filter-name", "sigmoid")
    page.evaluate("document.getElementById('saved-fold').click()")
    page.evaluate("document.querySelector('#table tbody tr[data-name]').click()")
    page.evaluate("document.querySelector('#treemap .tile').focus()")
    page.settle()
    checks.equal(page.evaluate("String(window.ran)"), "undefined", "hostile: no text of the graph runs")
    checks.equal(page.evaluate("document.querySelectorAll('img').length"), 0, "hostile: no text becomes an element")
    shown = page.evaluate("document.querySelector('#detail h3').textContent")
    checks.true("<img src=x onerror=" in shown and "</script>" in shown, "hostile: the name is shown as it is")
    checks.true(page.evaluate("document.title").startswith("mlp<img"), "hostile: the title is the name")
    check_quiet(checks, "hostile", page)
    page.close()


QUANTIZED = [f"--set=activation_quantization_aten_pass{option}" for option in
             ("=true", ".size_in_mb=0.01", ".use_scaling=true", ".allowed_dtypes=torch.float32")]
FILL = "getComputedStyle(document.querySelector('.vertex.compressed rect')).fill"


def check_compressed(checks, browser, tool, testdata, directory):
    """What is saved in fewer bits has a colour of its own, and its row and its details have the form."""
    report = Report(tool, testdata / "mlp.json", directory, QUANTIZED)
    page = browser.open(report.page)
    check_lines(checks, "compressed", page, report)
    check_sums(checks, "compressed", page, report)
    names = {row["name"] for row in report.json["saved_values"] if "compressed" in row}
    page.evaluate("document.getElementById('saved-fold').click()")
    rows = page.evaluate("[...document.querySelectorAll('#table tr.compressed')].map(row => [row.dataset.name, row.textContent])")
    checks.equal({name for name, _ in rows}, names, "compressed: the rows that are")
    checks.true(all("; saved as 8.4 kB of float8_e5m2 with scales" in text for name, text in rows if name == "sigmoid"),
                "compressed: the row has the form")
    page.evaluate("document.querySelector('#table tr[data-name=sigmoid]').click()")
    detail = page.evaluate("document.getElementById('detail').textContent")
    checks.true("8.4 kB of float8_e5m2 with scales (8,448)" in detail, "compressed: the details have its bytes")
    checks.true(", as fp8_quant_pos_" in detail, "compressed: and the name under which it crosses")
    legend = page.evaluate("document.querySelector('.swatch.compressed').parentElement.textContent")
    checks.equal(legend, "compressed: saved in fewer bits", "compressed: the legend")
    fill = page.evaluate(FILL)
    others = page.evaluate("['saved', 'recomputed', 'offloaded', 'plain'].map(state => "
                           "getComputedStyle(document.querySelector(`.swatch.${state}`)).backgroundColor)")
    checks.true(fill not in others, "compressed: a colour of its own")
    check_quiet(checks, "compressed", page)
    page.close()


def main():
    given = arguments(__doc__)
    checks = Checks()
    with tempfile.TemporaryDirectory() as temporary, Browser() as browser:
        directory = pathlib.Path(temporary)
        check_hostile(checks, browser, given.tool, given.testdata, directory)
        check_compressed(checks, browser, given.tool, given.testdata, directory)
        check_advice(checks, browser, Report(given.tool, given.testdata / "mlp.json", directory).page, directory)
        for graph in recorded_graphs(given.testdata):
            try:
                report = Report(given.tool, graph, directory)
            except NoPartition:
                continue
            page = browser.open(report.page)
            check_lines(checks, graph.stem, page, report)
            check_sums(checks, graph.stem, page, report)
            check_quiet(checks, graph.stem, page)
            page.close()
    checks.finish()


if __name__ == "__main__":
    main()
