#!/usr/bin/env python3
"""The page can be used: sorted, filtered, opened and gone through by keyboard alone, in light and dark, wide and narrow.

The page of testdata/llama3_8b.json, in a headless Chromium; keys are pressed as a user's are.
"""
import pathlib
import tempfile

from chromium import Browser
from reports import Checks, Report, arguments

ROWS = "[...document.querySelectorAll('#table tbody tr[data-name]')]"
NAMES = f"{ROWS}.map(row => row.dataset.name)"
ACTIVE_ROW = "document.activeElement.closest('#table tbody tr')?.dataset.name"
SUM = "Number(document.getElementById('table-sum').dataset.{})"
ACTIVE_TILE = "document.activeElement.closest('.tile')?.dataset.path"
OUTLINE = "getComputedStyle(document.activeElement).outlineStyle"
LEAVES = """[...document.querySelectorAll('#treemap .tile:not(.group)')]
    .reduce((sum, tile) => sum + Number(tile.dataset.bytes), 0)"""
# The least contrast of a text with its background, over all visible texts, and where it is (WCAG 2's formula).
CONTRAST = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = color => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = node => { for (; node; node = node.parentElement) {
    const shape = node.localName === 'g' ? getComputedStyle(node.querySelector('rect')).fill
                                         : getComputedStyle(node).backgroundColor;
    if (rgb(shape)[3] === 255) return rgb(shape); } return rgb(getComputedStyle(document.body).backgroundColor); };
  let least = {ratio: 99};
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const parent = walk.currentNode.parentElement, style = getComputedStyle(parent);
    if (!walk.currentNode.data.trim() || parent.closest('script, noscript, title, datalist, option, :disabled, .skip')) continue;
    const ink = rgb(parent instanceof SVGElement ? style.fill : style.color), behind = ground(parent);
    const [a, b] = [light(ink), light(behind)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < least.ratio) least = {ratio, text: walk.currentNode.data.slice(0, 40), of: parent.className || parent.localName};
  }
  return least;
})()"""


def check_table(checks, page, report):
    saved = report.json["saved_values"]
    page.evaluate("document.getElementById('saved-fold').click()")
    page.settle()
    shown = page.evaluate("document.querySelectorAll('#table tbody tr').length")
    checks.true(shown < 60, f"only rows in sight exist, not {shown}")
    checks.equal(page.evaluate("Number(document.querySelector('#table table').ariaRowCount ?? "
                               "document.querySelector('#table table').getAttribute('aria-rowcount'))"), len(saved) + 1,
                 "the table says how many rows it has")
    by_kept = sorted(saved, key=lambda row: (-row["kept_bytes"], row["forward_output"]))
    checks.equal(page.evaluate(NAMES)[:10], [row["name"] for row in by_kept[:10]], "first sorted by what is kept")
    header = "document.querySelectorAll('#table th button')[{}]"
    page.evaluate(header.format(5) + ".focus()")
    page.press("Enter")
    by_bytes = sorted(saved, key=lambda row: (-row["bytes"], row["forward_output"]))
    checks.equal(page.evaluate(NAMES)[:10], [row["name"] for row in by_bytes[:10]], "sorted by bytes, by keyboard")
    page.press("Enter")
    checks.equal(page.evaluate("document.querySelectorAll('#table th')[5].getAttribute('aria-sort')"), "ascending",
                 "pressed again it sorts the other way")
    by_bytes = sorted(saved, key=lambda row: (row["bytes"], row["forward_output"]))
    checks.equal(page.evaluate(NAMES)[:10], [row["name"] for row in by_bytes[:10]], "ascending")
    checks.equal(page.evaluate("document.activeElement.textContent"), "Bytes", "the focus stays where it was")

    page.evaluate(header.format(0) + ".click()")
    page.evaluate(f"{ROWS}[0].focus()")
    by_name = [row["name"] for row in sorted(saved, key=lambda row: (row["name"], row["forward_output"]))]
    for key, index in (("ArrowDown", 1), ("End", -1), ("ArrowUp", -2), ("Home", 0), ("ArrowUp", 0)):
        page.press(key)
        checks.equal(page.evaluate(ACTIVE_ROW), by_name[index], f"{key} moves to row {index}")
    page.press("PageDown")
    checks.true(by_name.index(page.evaluate(ACTIVE_ROW)) > 8, "PageDown moves by a page")
    checks.equal(page.evaluate(OUTLINE), "solid", "the row's focus is to be seen")
    chosen = page.evaluate(ACTIVE_ROW)
    page.press("Enter")
    checks.equal(page.evaluate("document.querySelector('#detail h3').textContent"), chosen, "Enter shows all of a row")
    checks.equal(page.evaluate(f"{ROWS}.filter(row => row.ariaSelected === 'true').length"), 1, "one row is selected")


def check_filters(checks, page, report):
    saved = report.json["saved_values"]

    def expect(what, keeps):
        rows = [row for row in saved if keeps(row)]
        checks.true(rows, f"{what}: there are some")
        checks.equal(page.evaluate(SUM.format("bytes")), sum(row["bytes"] for row in rows), f"{what}: bytes")
        checks.equal(page.evaluate(SUM.format("kept")), sum(row["kept_bytes"] for row in rows), f"{what}: what is kept")
        page.evaluate("document.querySelector('#filters button[type=reset]').click()")
        page.settle()

    page.set_field("filter-name", "MM_1")
    expect("name", lambda row: "mm_1" in row["name"])
    page.set_field("filter-operator", "view")
    expect("operator", lambda row: "view" in row["operator"])
    page.set_field("filter-module", "model.layers.0-3.mlp")
    expect("folded module", lambda row: any(row.get("module", "").startswith(f"model.layers.{n}.mlp") for n in range(4)))
    page.set_field("filter-module", "q_proj")
    expect("module", lambda row: "q_proj" in row.get("module", ""))
    page.set_field("filter-dtype", "float32")
    expect("dtype", lambda row: row.get("dtype") == "float32")
    page.set_field("filter-reason", "cheapest_cut")
    expect("why", lambda row: row["why"]["reason"] == "cheapest_cut")
    page.evaluate("document.getElementById('filter-parameters').click()")
    page.settle()
    expect("without parameters", lambda row: not row["static_lifetime"])
    expect("cleared", lambda row: True)


def check_treemap(checks, page, report):
    whole = report.json["totals"]["saved_bytes_not_static"]
    tiles = "[...document.querySelectorAll('#treemap .tile')]"
    checks.true("model.layers.1-31" in page.evaluate(f"{tiles}.map(tile => tile.dataset.path)"), "layers are folded")
    checks.equal(page.evaluate(f"{tiles}.filter(tile => tile.tabIndex === 0).length"), 1, "one stop for the tab key")
    page.evaluate(f"{tiles}.find(tile => tile.dataset.path.endsWith('gate_proj')).focus()")
    page.press("ArrowRight")
    checks.equal(page.evaluate(ACTIVE_TILE), "model.layers.1-31.mlp.up_proj", "the right arrow moves right")
    checks.equal(page.evaluate(OUTLINE), "solid", "the tile's focus is to be seen")
    page.press("ArrowLeft")
    checks.equal(page.evaluate(ACTIVE_TILE), "model.layers.1-31.mlp.gate_proj", "the left arrow moves back")
    page.press("ArrowUp")
    checks.equal(page.evaluate(ACTIVE_TILE), "model.layers.1-31.mlp", "up is what is around it")
    page.press("Enter")
    within = page.evaluate(LEAVES)
    checks.true(0 < within < whole, "Enter opens a module")
    checks.true(page.evaluate("document.activeElement.matches('.tile')"), "and the focus goes with it")
    page.press("Escape")
    checks.true(within < page.evaluate(LEAVES) < whole, "Escape leads to what encloses it")
    page.press("Escape", times=3)
    checks.equal(page.evaluate(LEAVES), whole, "and in the end to all modules")
    page.evaluate("document.getElementById('treemap-fold').click()")
    page.settle()
    paths = page.evaluate(f"{tiles}.map(tile => tile.dataset.path)")
    checks.true("model.layers.7" in paths and "model.layers.1-31" not in paths, "layers can be unfolded")
    checks.equal(page.evaluate(LEAVES), whole, "unfolded tiles add up as well")
    page.evaluate(f"{tiles}.find(tile => tile.dataset.path === 'model.layers.7').focus()")
    page.evaluate("document.querySelector('#treemap-place button').click()")
    page.settle()
    rows = [row for row in report.json["saved_values"] if row.get("module", "").startswith("model.layers.7")
            and not row["static_lifetime"]]
    checks.equal(page.evaluate("document.getElementById('filter-module').value"), "model.layers.7", "a tile leads to the table")
    checks.true(page.evaluate(SUM.format("kept")) >= sum(row["kept_bytes"] for row in rows), "which then shows its values")
    page.evaluate("document.querySelector('#filters button[type=reset]').click()")
    page.evaluate("document.getElementById('treemap-fold').click()")
    page.settle()


def check_curve(checks, page, report):
    value = "Number(document.getElementById('curve').getAttribute('aria-valuenow'))"
    text = "document.getElementById('curve').getAttribute('aria-valuetext')"
    peak = report.json["memory"]["compiled"]["peak_at"]["node"]
    page.evaluate("document.getElementById('curve').focus()")
    checks.true(peak in page.evaluate(text), "the curve begins at the peak")
    at = page.evaluate(value)
    page.press("ArrowLeft", times=3)
    checks.equal(page.evaluate(value), at - 3, "the left arrow moves a step back")
    page.press("Home")
    checks.equal(page.evaluate(value), 0, "Home is the first step")
    page.press("p")
    checks.equal(page.evaluate(value), at, "P is the peak")
    checks.equal(page.evaluate(OUTLINE), "solid", "the curve's focus is to be seen")
    checks.true(f"peak" in page.evaluate("document.querySelector('.peak-label').textContent"), "the peak is marked")


def check_headers(checks, page, report):
    """The headers of nested modules can be clicked where they are visible, and lead down and up again."""
    page.box("#treemap")
    header = """(() => { const tile = [...document.querySelectorAll('#treemap .tile')].find(one => one.dataset.path === '%s');
        const box = tile.getBoundingClientRect(); return {x: box.x + 12, y: box.y + 10}; })()"""
    crumbs = "[...document.querySelectorAll('#treemap-path > *')].map(part => part.textContent.split(' (')[0])"
    for path, way in (("model.layers.1-31.self_attn", ["All modules", "model", "layers", "1-31", "self_attn"]),
                      ("model.layers", ["All modules", "model", "layers"]),
                      ("model.layers.1-31.mlp", ["All modules", "model", "layers", "1-31", "mlp"])):
        at = page.evaluate(header % path)
        page.click(at["x"], at["y"])
        checks.equal(page.evaluate(crumbs), way, f"a click on the header of {path} opens it")
        page.evaluate("document.querySelector('#treemap-path button').click()")
        page.settle()
        checks.equal(page.evaluate(crumbs), ["All modules"], "the first breadcrumb leads back")
    page.evaluate("document.querySelector('#treemap .tile').focus()")


def check_folded_table(checks, page, report):
    """Alike layers are one row, the same as in the terminal, which opens to its values."""
    folded = "[...document.querySelectorAll('#table tbody tr[data-folded]')]"
    page.set_field("filter-module", "layers.*.mlp")
    rows = page.evaluate(f"{folded}.map(row => [row.cells[6].textContent, Number(row.dataset.values), row.dataset.folded, "
                         "row.cells[2].textContent])")
    checks.true(len(rows) > 2, "there are folded rows of layers.*.mlp")
    shown = " ".join(report.text.split())
    for kept, values, name, module in rows[:1]:
        checks.true(f"{kept} x{values} {name} " in shown and module in shown, f"the terminal has {kept} x{values} {name} {module}")
    expected = [row for row in report.json["saved_values"]
                if (parts := row.get("module", "").split("."))[1:2] == ["layers"] and parts[3:4] == ["mlp"]]
    checks.equal(page.evaluate(SUM.format("bytes")), sum(row["bytes"] for row in expected), "folded rows add up to their values")
    count = "Number(document.querySelector('#table table').getAttribute('aria-rowcount'))"
    before = page.evaluate(count)
    page.evaluate(f"{folded}[0].focus()")
    page.press("Enter")
    checks.equal(page.evaluate(count), before + rows[0][1], "Enter opens a folded row")
    checks.equal(page.evaluate("document.activeElement.dataset.folded"), rows[0][2], "the focus stays there")
    page.press("ArrowDown")
    page.press("Enter")
    checks.true(rows[0][3].split("0-31")[1] in page.evaluate("document.querySelector('#detail dl').textContent"),
                "a value in it shows all that is known of it")
    page.press("ArrowUp")
    page.press("Enter")
    checks.equal(page.evaluate(count), before, "and closes it")
    page.evaluate("document.querySelector('#filters button[type=reset]').click()")
    page.settle()


def check_graph_zoom(checks, page, report):
    view = "document.querySelector('#graph-picture svg').viewBox.baseVal"
    width = f"{view}.width"
    inside = f"""(() => {{ const frame = document.getElementById('graph-picture').getBoundingClientRect();
      return [...document.querySelectorAll('#graph-picture .vertex rect')].every(rect => {{
        const box = rect.getBoundingClientRect();
        return box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
      }}); }})()"""
    page.set_field("graph-module", "model.layers.3.self_attn")
    page.evaluate("document.getElementById('graph-form').requestSubmit()")
    page.settle()
    checks.true(page.evaluate(inside), "a graph fits its frame when it opens")
    whole = page.evaluate(width)
    box = page.box("#graph-picture")
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wheel(*middle, -100)
    checks.true(page.evaluate(width) < 0.8 * whole, "the wheel with Ctrl brings it closer")
    left = page.evaluate(f"{view}.x")
    page.drag(*middle, middle[0] - 150, middle[1])
    checks.true(page.evaluate(f"{view}.x") > left + 20, "a drag moves it")
    checks.equal(page.evaluate("document.getElementById('graph-module').value"), "model.layers.3.self_attn", "and opens nothing")
    page.evaluate("document.getElementById('graph-fit').click()")
    checks.true(page.evaluate(inside), "a button fits it again")
    page.pinch(*middle, 80, 200)
    checks.true(page.evaluate(width) < 0.7 * whole, "two fingers bring it closer")
    page.evaluate("document.getElementById('graph-out').click()")
    wider = page.evaluate(width)
    page.evaluate("document.getElementById('graph-in').click()")
    checks.true(page.evaluate(width) < wider, "buttons bring it closer and farther")
    page.evaluate("document.querySelector('#graph-picture .vertex').focus()")
    page.press("0")
    checks.true(page.evaluate(inside), "0 fits it")
    page.press("+", times=4)
    checks.true(page.evaluate(width) < 0.6 * whole, "+ brings it closer")
    page.press("ArrowDown", times=6)
    seen = page.evaluate("""(() => { const frame = document.getElementById('graph-picture').getBoundingClientRect();
      const box = document.activeElement.querySelector('rect').getBoundingClientRect();
      return box.top >= frame.top - 2 && box.bottom <= frame.bottom + 2; })()""")
    checks.true(seen, "the node that has the focus is in sight")
    page.press("0")


def check_graph(checks, page, report):
    vertices = "[...document.querySelectorAll('#graph-picture .vertex')]"
    page.set_field("graph-module", "model.layers.3.self_attn")
    page.evaluate("document.getElementById('graph-form').requestSubmit()")
    page.settle()
    count = page.evaluate(f"{vertices}.length")
    checks.true(20 < count <= 160, f"a module's graph has a readable number of nodes: {count}")
    for fate in ("saved", "recomputed"):
        checks.true(page.evaluate(f"{vertices}.some(vertex => vertex.matches('.{fate}'))"), f"some are {fate}")
    checks.true(page.evaluate("document.querySelectorAll('#graph-picture .crossing').length") > 3, "saved values cross")
    page.evaluate(f"{vertices}[0].focus()")
    first = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.press("ArrowDown")
    checks.true(page.evaluate("document.activeElement.matches('.vertex')"), "an arrow key moves to a node")
    checks.true(page.evaluate("document.activeElement.getAttribute('aria-label')") != first, "to another one")
    checks.true(page.evaluate("document.getElementById('graph-place').textContent.length") > 20, "which is described")
    overlaps = page.evaluate(f"""(() => {{
      const boxes = {vertices}.map(vertex => vertex.querySelector('rect').getBoundingClientRect());
      return boxes.filter((a, i) => boxes.some((b, j) => i < j && a.left < b.right - 1 && b.left < a.right - 1 &&
        a.top < b.bottom - 1 && b.top < a.bottom - 1)).length; }})()""")
    checks.equal(overlaps, 0, "no node lies on another")
    for module in ("model", "model.layers", ""):
        page.set_field("graph-module", module)
        page.evaluate("document.getElementById('graph-form').requestSubmit()")
        page.settle()
        count = page.evaluate(f"{vertices}.length")
        checks.true(0 < count <= 260, f"the graph of '{module}' is folded: {count} nodes")
        checks.true(page.evaluate(f"{vertices}.some(vertex => vertex.matches('.folded'))"), f"'{module}' has folded modules")
    page.evaluate(f"{vertices}.find(vertex => vertex.getAttribute('aria-label').endsWith('opens')).focus()")
    page.press("Enter")
    checks.true(page.evaluate("document.getElementById('graph-module').value") != "", "Enter opens a folded module")
    page.set_field("graph-module", "no.such.module")
    page.evaluate("document.getElementById('graph-form').requestSubmit()")
    checks.true("no module" in page.evaluate("document.getElementById('graph-note').textContent"), "what is not there is said")


def check_tab_order(checks, page):
    """From the top, the tab key goes through the sections in their order, and every stop is to be seen."""
    page.evaluate("window.scrollTo(0, 0); document.activeElement.blur()")
    stops = []
    for _ in range(90):
        page.press("Tab")
        stop = page.evaluate("({section: document.activeElement.closest('section')?.id ?? document.activeElement.localName, "
                             f"outline: {OUTLINE}, vertex: document.activeElement.matches('.vertex')}})")
        if stop["section"] == "body":
            break
        checks.true(stop["outline"] != "none" or stop["vertex"], f"a stop in {stop['section']} is to be seen")
        if not stops or stops[-1] != stop["section"]:
            stops.append(stop["section"])
    checks.equal(stops[:9], ["a", "button", "decisions", "sums", "memory", "advice", "modules", "values", "graph"],
                 "the tab key goes from section to section")


def main():
    given = arguments(__doc__)
    checks = Checks()
    with tempfile.TemporaryDirectory() as directory, Browser() as browser:
        report = Report(given.tool, given.testdata / "llama3_8b.json", pathlib.Path(directory))
        page = browser.open(report.page)
        check_tab_order(checks, page)
        for check in (check_curve, check_treemap, check_headers, check_folded_table, check_table, check_filters, check_graph,
                      check_graph_zoom):
            check(checks, page, report)
        checks.equal(page.problems(), [], "nothing on the console")
        page.close()
        for scheme in ("light", "dark"):
            page = browser.open(report.page, scheme=scheme)
            least = page.evaluate(CONTRAST)
            checks.true(least["ratio"] >= 4.5, f"{scheme}: contrast {least}")
            page.close()
        page = browser.open(report.page, width=390)
        page.settle()  # a chart is drawn anew once the scroll bar has taken its share of the width
        checks.true(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"),
                    "a narrow page does not scroll sideways")
        page.close()
    checks.finish()


if __name__ == "__main__":
    main()
