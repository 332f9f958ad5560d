"""The report on one graph: its content, and how it is shown."""

from __future__ import annotations

import base64
import html
import tempfile
import zlib
from pathlib import Path
from typing import Any

from fxcut.binary import run
from fxcut.kept_files import GRAPH, write_json

Json = dict[str, Any]

REPORT = "report.json"
PAGE = "page.html"
# In a notebook. The page has scripts and forms, and in its frame nothing of what is around it.
TABLE = '<pre style="max-height: 30em; overflow: auto">{}</pre>'
STYLE = "width: 100%; height: 50em; border: none"
FRAME = f'<iframe sandbox="allow-scripts allow-forms" style="{STYLE}" srcdoc="{{}}"></iframe>'
LINKS_STAY = '<head><base href="about:srcdoc">'  # which to places in the page are not to those of the notebook


class Report(dict[str, Any]):
    """What was decided on one graph: report.json, as schemas/report.schema.json describes it.

    As a string it is the table that `fxcut partition` prints; in a notebook, that and the page of `--html` below it, or
    where a notebook shows Markdown only, the summary of `--markdown`.

    name: the graph's, as PyTorch calls it while it compiles: "model__0_joint_0".
    compile_id: PyTorch's number of the compilation, as in its logs: "0/0"; None outside of torch.compile.
    from_cache: whether one of PyTorch's caches had the compiled graph, and the report with it.
    """

    def __init__(
        self, content: Json, *, name: str, compile_id: str | None, table: str, graph: bytes, from_cache: bool = False
    ) -> None:
        """graph: the file of the joint graph, compressed by zlib; the page is made of it, once it is asked for."""
        super().__init__(content)
        self.name = name
        self.compile_id = compile_id
        self.from_cache = from_cache
        self._table = table
        self._graph = graph

    @property
    def warnings(self) -> list[str]:
        """The warnings on the decision, a sentence each."""
        return list(self.get("warnings", []))

    @property
    def held_bytes(self) -> int:
        """What saved values hold between forward and backward, without parameters and buffers, as they cross: fewer bytes than
        totals["saved_bytes_not_static"] if values are saved in fewer bits."""
        totals = self["totals"]
        return int(totals.get("compressed", {}).get("held_bytes", totals["saved_bytes_not_static"]))

    def summary(self) -> str:
        """One line: how much is saved and recomputed."""
        totals = self["totals"]
        in_fewer_bits = f", {totals['compressed']['values']} of them in fewer bits" if "compressed" in totals else ""
        return (
            f"{self.name}: {totals['saved_values']} values saved{in_fewer_bits}, "
            f"{self.held_bytes} bytes of activations held; "
            f"{totals['recomputed_operators']} operators recomputed; by {self['decided_by']}"
            f"{', from the cache' if self.from_cache else ''}"
        )

    def page(self) -> str:
        """The report for a browser, one HTML file. Raises what running the program does."""
        with tempfile.TemporaryDirectory(prefix="fxcut-") as name:
            self._replay(Path(name), "--html", PAGE)
            return (Path(name) / PAGE).read_text()

    def markdown(self) -> str:
        """The summary for a pull request. Raises what running the program does."""
        with tempfile.TemporaryDirectory(prefix="fxcut-") as name:
            return self._replay(Path(name), "--markdown")

    def _replay(self, folder: Path, *options: str) -> str:
        """Has the program tell of this decision once more, and returns what it prints."""
        (folder / GRAPH).write_bytes(zlib.decompress(self._graph))
        return run(folder, ["partition", GRAPH, "--decision", write_json(folder / REPORT, self), *options]).stdout

    def __str__(self) -> str:
        return self._table

    def __repr__(self) -> str:
        return f"<fxcut.Report {self.summary()}>"

    def _repr_html_(self) -> str:
        page = self.page().replace("<head>", LINKS_STAY, 1)
        return TABLE.format(html.escape(str(self))) + FRAME.format(html.escape(page))

    def _repr_markdown_(self) -> str:
        return self.markdown()

    def to_cache(self) -> Json:
        """What goes into PyTorch's caches beside the compiled graph."""
        graph = base64.b64encode(self._graph).decode()
        return {"name": self.name, "content": dict(self), "table": self._table, "graph": graph}

    @classmethod
    def from_cached(cls, cached: Json, compile_id: str | None) -> Report:
        """The inverse of to_cache. compile_id: of the compilation that found it."""
        graph = base64.b64decode(cached["graph"])
        known = {key: cached[key] for key in ("name", "table")}
        return cls(cached["content"], **known, compile_id=compile_id, graph=graph, from_cache=True)
