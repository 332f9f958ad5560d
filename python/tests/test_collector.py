"""While a graph is partitioned, Python's collector of cyclic garbage rests, and is then as it was."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest

import fxcut
from fxcut import partitioner
from fxcut.collector import paused_collector
from options import named_block
from steps import compiled_step

pytestmark = pytest.mark.brief


@pytest.fixture(params=[True, False])
def was_enabled(request: pytest.FixtureRequest) -> Iterator[bool]:
    (gc.enable if request.param else gc.disable)()
    yield request.param
    gc.enable()


def test_it_rests_while_a_graph_is_partitioned(was_enabled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    states: list[bool] = []
    original = partitioner.modules_from_answer

    def rebuild(*arguments: Any) -> Any:
        states.append(gc.isenabled())
        return original(*arguments)

    monkeypatch.setattr(partitioner, "modules_from_answer", rebuild)
    compiled_step(named_block(), fxcut.Partitioner())
    assert states == [False] and gc.isenabled() == was_enabled


def test_it_is_as_it_was_also_after_an_error(was_enabled: bool) -> None:
    with pytest.raises(KeyError), paused_collector():
        raise KeyError
    assert gc.isenabled() == was_enabled
