"""The partitions of one graph, which several comparisons look at: each (settings, policies) is partitioned once."""
from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
from typing import Any, NamedTuple

Settings = dict[str, Any]
FILES = ("forward.json", "backward.json", "report.json")
NO_PARTITION = 4
SECONDS = 120  # that any one run may take


class Partition(NamedTuple):
    """What 'fxcut partition' said; where it ended well, `directory` has FILES."""

    returncode: int
    stdout: str
    stderr: str
    directory: pathlib.Path

    def report(self) -> dict[str, Any]:
        return json.loads((self.directory / "report.json").read_text())

    def sides(self) -> list[pathlib.Path]:
        return [self.directory / name for name in FILES[:2]]


class Partitions:
    """Of the graph in a file, kept in `directory`, where the graph stands alone: what PyTorch made of it stays behind."""

    def __init__(self, tool: pathlib.Path, graph: pathlib.Path, directory: pathlib.Path) -> None:
        directory.mkdir(exist_ok=True)
        self.tool, self.directory = tool, directory
        self.graph = pathlib.Path(shutil.copy(graph, directory))
        self._made: dict[str, Partition] = {}

    def of(self, settings: Settings, policies: list[Any] | None = None) -> Partition:
        """settings: by name, PyTorch's defaults for the others. policies: of a policy file."""
        key = json.dumps([{"partitioner": "min_cut", **settings}, policies], sort_keys=True)
        if key not in self._made:
            self._made[key] = self._make(settings, policies)
        return self._made[key]

    def replay(self, made: Partition) -> Partition:
        """What the report of a partition gives when it is the decision."""
        return self._run("replayed", ["--decision", made.directory / "report.json"])

    def run(self, *arguments: Any) -> subprocess.CompletedProcess[str]:
        """Any other command of the program."""
        return subprocess.run([self.tool, *arguments], capture_output=True, text=True, timeout=SECONDS)

    def _make(self, settings: Settings, policies: list[Any] | None) -> Partition:
        number = len(self._made)
        arguments = ["--config", self._write(f"config{number}.json", settings)]
        if policies:
            arguments += ["--policy", self._write(f"policy{number}.json", {"version": 1, "policies": policies})]
        return self._run(f"made{number}", arguments)

    def _run(self, name: str, arguments: list[Any]) -> Partition:
        directory = self.directory / name
        done = self.run("partition", self.graph, *arguments, "--output-dir", directory, "--force")
        return Partition(done.returncode, done.stdout, done.stderr, directory)

    def _write(self, name: str, content: Any) -> pathlib.Path:
        path = self.directory / name
        path.write_text(json.dumps(content))
        return path
