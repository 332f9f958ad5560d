"""Ranks, for Spearman's correlation; needs no PyTorch."""

from __future__ import annotations


def ranks(values: list[float]) -> list[float]:
    """For each value, the mean of the positions that it shares with its equals."""
    return [sum(other < value for other in values) + (sum(other == value for other in values) - 1) / 2 for value in values]
