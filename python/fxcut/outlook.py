"""Limits that may be tried next, by what their code is expected to take.

That is what is predicted of it (prediction.py), and as many bytes more or fewer as predictions of earlier rounds were off:
between the limits of two rounds in proportion, beyond them as in the nearest. A kernel's workspace, of which no prediction
knows, is part of that.
"""

from __future__ import annotations

import itertools

from fxcut.prediction import LEAST, Limit, Predicted, Prediction

GRID = 12  # limits between the lowest and none
FINE = 0.005  # of a limit: closer limits are not told apart


class Outlook:
    """What is expected under limits of the operators' peak.

    predict: cached. top: the operators' peak without a limit.
    """

    def __init__(self, predict: Prediction, top: int) -> None:
        self._predict = predict
        self._off: dict[int, int] = {}  # bytes, by the operators' peak
        self._tried: set[Limit] = set()
        self._known: set[Predicted] = set()
        least = predict(LEAST)
        bottom = least.operators_bytes if least else 0
        self._limits = [bottom + (top - bottom) * number // (GRID + 1) for number in range(GRID + 2)]

    def learn(self, limit: Limit, operators_bytes: int, code_bytes: int) -> None:
        """What the code of a round takes."""
        predicted = self._predict(limit) or Predicted(operators_bytes, code_bytes)
        self._tried.add(limit)
        self._known.add(predicted)
        self._off[predicted.operators_bytes] = code_bytes - predicted.code_bytes

    def expected(self, limit: Limit) -> int | None:
        predicted = self._predict(limit)
        return predicted.code_bytes + self._off_at(predicted.operators_bytes) if predicted else None

    def is_new(self, limit: Limit) -> bool:
        """Whether its decision differs from those of all rounds, as far as predictions tell."""
        return limit not in self._tried and self._predict(limit) not in self._known

    def highest_within(self, share: int, above: int | None) -> int | None:
        """The highest limit whose code is expected to fit, from that one on that is known to have such code."""
        fitting = [limit for limit in self._limits[:-1] if limit >= (above or 0) and self._fits(limit, share)]
        start = max(fitting, default=above)
        if start is None:
            return None
        low, high = self._around(start)
        while high - low > FINE * high:
            middle = (low + high) // 2
            self._limits = sorted({*self._limits, middle})
            low, high = (middle, high) if self._fits(middle, share) else (low, middle)
        return low if self._fits(low, share) else None

    def lowest(self) -> Limit:
        """The limit whose code is expected to take the least."""
        if self._predict(LEAST) is None:
            return LEAST
        expected = {limit: bytes for limit in (LEAST, *self._limits[1:-1]) if (bytes := self.expected(limit)) is not None}
        return min(expected, key=lambda limit: expected[limit])

    def next_above(self, share: int, limit: int) -> int | None:
        """What the least is that code is expected to take under a higher limit, and that is more than the share."""
        later = (self.expected(one) for one in self._limits if one > limit)
        return min((bytes for bytes in later if bytes is not None and bytes > share), default=None)

    def _around(self, low: int) -> tuple[int, int]:
        return low, next((limit for limit in self._limits if limit > low), low)

    def _fits(self, limit: int, share: int) -> bool:
        expected = self.expected(limit)
        return expected is not None and expected <= share

    def _off_at(self, operators_bytes: int) -> int:
        known = sorted(self._off.items())
        for (low, off_low), (high, off_high) in itertools.pairwise(known):
            if low <= operators_bytes <= high:
                return off_low + (off_high - off_low) * (operators_bytes - low) // (high - low)
        return (known[0] if operators_bytes < known[0][0] else known[-1])[1]
