"""Addresses and access tokens that expire, known to the court that gives them and to Box that honours them."""

from __future__ import annotations

import re
import time
from collections import Counter
from hashlib import blake2b

from tidepool.court.habits import Habits

SHAPE = re.compile(
    r"^b1!(?P<tick>\d+)\.(?P<epoch>\d+)\.(?P<issued>\d+)\.(?P<serial>\d+)\.(?P<seal>[0-9a-f]{32})$"
)


class Signatures:
    """Signs document numbers; a signature is good until its tick, its uses, its seconds or a command end it."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.habits = Habits()
        self.reset()

    def reset(self) -> None:
        """Forget what was signed and used."""
        self.epoch = 0
        self._serial = 0
        self._uses: Counter[str] = Counter()

    def sign(self, document: int, *, tick: int) -> str:
        """Return a fresh signature; no two are alike."""
        self._serial += 1
        claim = f"{tick}.{self.epoch}.{time.monotonic_ns() // 1_000_000}.{self._serial}"
        return f"b1!{claim}.{self._seal(document, claim)}"

    def expire(self) -> None:
        """Make every signature given so far worthless."""
        self.epoch += 1

    def honours(self, document: int, signature: str, *, tick: int) -> bool:
        """Whether this signature still opens that document."""
        found = SHAPE.match(signature)
        if found is None:
            return False
        claim = signature.removeprefix("b1!").rpartition(".")[0]
        return found["seal"] == self._seal(document, claim) and not self._is_over(found, signature, tick)

    def use(self, signature: str) -> None:
        """Count one use."""
        self._uses[signature] += 1

    def _is_over(self, found: re.Match[str], signature: str, tick: int) -> bool:
        habits, age = self.habits, time.monotonic() - int(found["issued"]) / 1000
        return (
            int(found["epoch"]) != self.epoch
            or tick - int(found["tick"]) >= habits.signature_ticks
            or bool(habits.signature_uses and self._uses[signature] >= habits.signature_uses)
            or bool(habits.signature_seconds and age >= habits.signature_seconds)
        )

    def _seal(self, document: int, claim: str) -> str:
        text = f"{self.seed}/box/{document}/{claim}"
        return blake2b(text.encode(), digest_size=16).hexdigest()
