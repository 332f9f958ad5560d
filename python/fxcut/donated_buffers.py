"""Saved values over which inductor's backward must not write its results.

AOTAutograd donates to the backward what only the forward has saved for it: inductor writes a result over a donated value that is
not read any more. AOTAutograd compares the storages of what is saved with those of the inputs, the results and the gradients, and
not with each other: of a value and a view of it, both saved, one would be overwritten before the other is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from torch import fx

from fxcut.to_json import storage_of
from fxcut.torch_releases import NOT_DONATED, results_of


def keep_shared_from_donation(
    forward: fx.GraphModule, backward: fx.GraphModule, num_fwd_outputs: int, same_storage: Mapping[int, int]
) -> None:
    """Notes in the forward's meta the saved values that share their memory, so that they are not donated (`watch_donations`).

    same_storage: storage to storage, by address, where a value's memory is that of another.
    """

    returned, gradients = results_of(forward.graph), results_of(backward.graph)
    saved = _storages(returned[num_fwd_outputs:], same_storage)
    others = [*forward.graph.find_nodes(op="placeholder"), *returned[:num_fwd_outputs], *gradients]
    taken = set(_storages(others, same_storage).values())
    times = Counter(saved.values())
    forward.meta[NOT_DONATED] = {name for name, storage in saved.items() if storage in taken or times[storage] > 1}


def _storages(values: Iterable[Any], same_storage: Mapping[int, int]) -> dict[str, int]:
    """By name, of those that have one."""
    found = {value.name: storage_of(value) for value in values if isinstance(value, fx.Node)}
    return {name: same_storage.get(storage, storage) for name, storage in found.items() if storage is not None}
