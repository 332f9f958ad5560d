"""The options of a Partitioner, checked, and translated to those of the fxcut program."""

from __future__ import annotations

import itertools
import json
import numbers
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fxcut.binary import BinaryFailed, Json, NoPartition, run
from fxcut.errors import InvalidArgument
from fxcut.kept_files import GRAPH, write_json

Policy = str | os.PathLike[str] | Mapping[str, Any]

VALUES = ("budget_solver", "saved_bytes", "peak_bytes", "time_limit", "gap", "jax_policy", "offload_dialect")
FLAGS = ("recompute_again", "recompute_gathered", "ignore_tags")
DECIDING_NAMES = ("save_names", "offload_names", "recompute_names")
NAMES = (*DECIDING_NAMES, "compress_names")
LIMITS = ("budget", "saved_bytes", "peak_bytes")
OF_THE_CUT = (*LIMITS, "budget_solver", "time_limit", "gap")
# The settings that say the same as an option.
SETTINGS = {
    "budget": "activation_memory_budget",
    "budget_solver": "activation_memory_budget_solver",
    "saved_bytes": "saved_bytes_limit",
    "peak_bytes": "peak_bytes_limit",
    "time_limit": "budget_time_limit",
    "gap": "budget_gap",
    "ignore_tags": "ignore_tags",
    "offload_dialect": "offload_dialect",
    "device_profile": "device_profile",
}
MISUSED = (2, 3, 5)  # the program's exit statuses for options and files that are wrong

TENSOR = {"kind": "tensor", "dtype": "float32", "shape": [2], "stride": [1], "device": "cpu"}
SMALLEST_GRAPH = {
    "format": "fx-joint-graph",
    "version": 1,
    "name": "options",
    "num_fwd_outputs": 1,
    "static_lifetime_inputs": [],
    "nodes": [
        {"name": "primals_1", "op": "placeholder", "target": "primals_1", "val": {**TENSOR, "storage": 0}},
        {"name": "tangents_1", "op": "placeholder", "target": "tangents_1", "val": {**TENSOR, "storage": 1}},
        {
            "name": "sin",
            "op": "call_function",
            "target": "aten.sin.default",
            "args": [{"node": "primals_1"}],
            "val": {**TENSOR, "storage": 2},
        },
        {
            "name": "mul",
            "op": "call_function",
            "target": "aten.mul.Tensor",
            "args": [{"node": "tangents_1"}, {"node": "sin"}],
            "val": {**TENSOR, "storage": 3},
        },
        {"name": "output", "op": "output", "target": "output", "args": [[{"node": "sin"}, {"node": "mul"}]]},
    ],
}


class Options:
    """The options of a Partitioner; its constructor says what they are.

    given: those that are not left out, by name.

    Raises InvalidArgument where one makes no sense or two contradict each other, and BinaryNotFound, since most are
    for the program to judge.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.given = {name: value for name, value in options.items() if not _is_left_out(value)}
        self.settings: Json = dict(self.given.get("settings", {}))
        _refuse_contradictions(self.given, self.settings)
        self._policy = _read_document("policy", self.given.get("policy"))
        self._device_profile = _read_text("device_profile", self.given.get("device_profile"))
        self._compress_errors = _read_errors(self.given.get("compress_errors"))
        self._arguments = _arguments(self.given)
        if "budget" in self.given:
            self.settings["activation_memory_budget"] = _checked_budget(self.given["budget"])
        self._have_program_check()

    def write(self, folder: Path, settings: Json, is_of_no_graph: bool = False) -> list[str]:
        """Writes the files that the program needs, and returns its arguments.

        settings: by name; those that were given come before them. is_of_no_graph: without what is about the values of one graph.
        """
        arguments = ["--config", write_json(folder / "config.json", {**settings, **self.settings}), *self._arguments]
        if self._policy is not None:
            arguments += ["--policy", write_json(folder / "policy.json", self._policy)]
        if self._device_profile is not None:
            (folder / "device_profile.json").write_text(self._device_profile)
            arguments += ["--device-profile", "device_profile.json"]
        if self._compress_errors is not None:
            errors = {**self._compress_errors, "values": []} if is_of_no_graph else self._compress_errors
            arguments += ["--compress-errors", write_json(folder / "compress_errors.json", errors)]
        return arguments

    def over(self, settings: Json) -> Json:
        """All effective settings: these, overridden by those that were given, also as options."""
        options = {SETTINGS[name]: value for name, value in self.given.items() if name in SETTINGS}
        return {**settings, **self.settings, **options}

    def key(self) -> str:
        """The same for the same options, whatever files they came from."""
        documents = [self._policy, self._device_profile, self._compress_errors]
        return json.dumps([self._arguments, self.settings, *documents], sort_keys=True)

    def _have_program_check(self) -> None:
        try:
            self.key()
        except TypeError as error:
            raise InvalidArgument(f"fxcut.Partitioner: settings: {error}") from error
        with tempfile.TemporaryDirectory(prefix="fxcut-") as name:
            folder = Path(name)
            try:
                arguments = self.write(folder, {}, is_of_no_graph=True)
                run(folder, ["partition", write_json(folder / GRAPH, SMALLEST_GRAPH), *arguments])
            except NoPartition:
                pass  # of this graph
            except BinaryFailed as error:
                if error.exit_status not in MISUSED:
                    raise
                said = error.stderr.strip().removeprefix("fxcut: ").removeprefix("error: ")
                raise InvalidArgument(f"fxcut.Partitioner: {said}") from None


def _is_left_out(value: Any) -> bool:
    return value is None or value is False or (isinstance(value, tuple) and not value)


def _refuse_contradictions(given: Mapping[str, Any], settings: Json) -> None:
    for option, setting in SETTINGS.items():
        if option in given and setting in settings:
            pair = f"{option} and settings[{setting!r}]"
            raise InvalidArgument(f"fxcut.Partitioner: {pair} cannot be combined: they are the same setting")
    limits = [option for option in LIMITS if option in given or SETTINGS[option] in settings]
    if len(limits) > 1:
        raise InvalidArgument(f"fxcut.Partitioner: {' and '.join(limits)} cannot be combined: each limits memory")
    of_the_cut = [option for option in OF_THE_CUT if option in given]
    if of_the_cut and settings.get("partitioner") == "default":
        raise InvalidArgument(
            f"fxcut.Partitioner: {of_the_cut[0]} is for the min cut and cannot be combined with the default partitioner"
        )
    for one, other in itertools.combinations(DECIDING_NAMES, 2):
        both = set(_names(one, given.get(one, ()))) & set(_names(other, given.get(other, ())))
        if both:
            raise InvalidArgument(f"fxcut.Partitioner: {one} and {other} both name {', '.join(sorted(both))}")


def _names(option: str, names: Sequence[str] | str) -> list[str]:
    if isinstance(names, str):
        return names.split(",")
    for name in names:
        if not isinstance(name, str) or not name or "," in name:
            expected = "expected at least one character and no comma"
            raise InvalidArgument(f"fxcut.Partitioner: {option}: {name!r} is not a name: {expected}")
    return list(names)


def _arguments(given: Mapping[str, Any]) -> list[str]:
    values = {option: _value(option, given[option]) for option in VALUES if option in given}
    values |= {option: ",".join(_names(option, given[option])) for option in NAMES if option in given}
    arguments = [part for option, value in values.items() for part in (f"--{option.replace('_', '-')}", value)]
    return arguments + [f"--{option.replace('_', '-')}" for option in FLAGS if option in given]


def _value(option: str, value: Any) -> str:
    """A number of bytes gets its unit, without which the program takes a small one for a mistake."""
    is_number = option in ("saved_bytes", "peak_bytes") and isinstance(value, numbers.Integral)
    return f"{int(value)}B" if is_number else str(value)


def _checked_budget(budget: Any) -> float:
    if not isinstance(budget, numbers.Real) or not 0 <= float(budget) <= 1:
        raise InvalidArgument(f"fxcut.Partitioner: budget: expected a number from 0 to 1, found {budget!r}")
    return float(budget)


def _read_document(option: str, given: Policy | None) -> Json | None:
    """A document: of a file read, of a mapping a copy."""
    is_file = given is not None and not isinstance(given, Mapping)
    text = _read_text(option, given) if is_file else None
    try:
        return json.loads(text if text is not None else json.dumps(given))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"fxcut.Partitioner: {option}: {error}") from error


def _read_errors(given: Any) -> Json | None:
    errors = None if isinstance(given, list) else _read_document("compress_errors", given)
    if given is not None and not isinstance(errors, dict):
        expected = "expected one of the documents that measure_compression returns, that of the graph"
        raise InvalidArgument(f"fxcut.Partitioner: compress_errors: {expected}")
    return errors


def _read_text(option: str, path: Any) -> str | None:
    try:
        return None if path is None else Path(path).read_text()
    except (OSError, TypeError, ValueError) as error:
        raise InvalidArgument(f"fxcut.Partitioner: {option}: {error}") from error
