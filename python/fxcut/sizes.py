"""Amounts of memory: as the fxcut program reads and shows them."""

from __future__ import annotations

import numbers
import re
from decimal import Decimal
from typing import Any

from fxcut.errors import InvalidArgument

DECIMAL = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
BINARY = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
UNITS = {**DECIMAL, **BINARY}
AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]+)\s*")
SHOWN = ("B", "kB", "MB", "GB", "TB")


def bytes_of(option: str, amount: Any) -> int:
    """The bytes of 4096, "80GB" or "1.5 GiB".

    option: its name in messages. Raises InvalidArgument for anything else.
    """
    if isinstance(amount, numbers.Integral) and not isinstance(amount, bool) and int(amount) >= 0:
        return int(amount)
    found = AMOUNT.fullmatch(amount) if isinstance(amount, str) else None
    if found is None or found[2] not in UNITS:
        raise InvalidArgument(f"{option}: expected a number of bytes, or one with a unit as in '80GB', found {amount!r}")
    return int(Decimal(found[1]) * UNITS[found[2]])  # as a float 4.1 GB is a byte less


def shown(amount: int) -> str:
    """ "1.5 GB" of 1500000000. """
    value, unit = float(amount), SHOWN[0]
    for unit in SHOWN:
        if value < 1000 or unit == SHOWN[-1]:
            break
        value /= 1000
    return f"{value:.3f} {unit}" if unit != "B" else f"{amount} B"
