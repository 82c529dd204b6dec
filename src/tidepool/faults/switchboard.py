"""Which faults are switched on, where, for how long, and how often."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from hashlib import blake2b
from typing import Any

from tidepool.faults.behaviour import TABLE, Behaviour, Option
from tidepool.site import Request


class UnknownFault(ValueError):
    """There is no such behaviour, or it has no such option; the message says what was probably meant."""


@dataclass(slots=True)
class Rule:
    """One fault switched on. The newest rule that fires decides; one that does not lets older ones speak."""

    site: str
    behaviour: Behaviour
    path: str | None = (
        None  # a glob over the path, or over path?query when it holds a `?`; None: the usual paths
    )
    host: str | None = None  # a glob over the host without its port
    times: int | None = None
    probability: float = 1.0
    options: Mapping[str, Option] = field(default_factory=dict)
    asked: int = 0
    fired: int = 0

    def concerns(self, site: str, request: Request) -> bool:
        """Whether this request is one the rule was made for."""
        if site != self.site or (self.times is not None and self.fired >= self.times):
            return False
        if self.host is not None and not fnmatchcase(request.host.rsplit(":", 1)[0], self.host):
            return False
        if self.path is None:
            return self.behaviour.touches(request.path)
        asked = f"{request.path}?{request.query}" if "?" in self.path else request.path
        return fnmatchcase(asked, self.path)

    def describe(self) -> dict[str, Any]:
        """Return the rule as plain data."""
        return {
            "site": self.site,
            "name": self.behaviour.name,
            "path": self.path,
            "host": self.host,
            "times": self.times,
            "probability": self.probability,
            "options": dict(self.options),
            "fired": self.fired,
        }


class Switchboard:
    """Holds the rules and picks the fault for a request; same seed and same requests give the same faults."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.rules: list[Rule] = []

    def set(
        self,
        site: str,
        name: str,
        *,
        path: str | None = None,
        host: str | None = None,
        times: int | None = None,
        probability: float = 1.0,
        options: Mapping[str, Option] | None = None,
    ) -> Rule:
        """Switch a fault on; raises UnknownFault for a name or option that does not exist."""
        behaviour = find(name)
        if behaviour.at not in (None, site):
            raise UnknownFault(f"only {behaviour.at} can misbehave like {name!r}, not {site}")
        merged = _merged(behaviour, options or {})
        rule = Rule(
            site, behaviour, path=path, host=host, times=times, probability=probability, options=merged
        )
        self.rules.append(rule)
        return rule

    def clear(self, site: str | None = None) -> None:
        """Switch everything off, at one site or everywhere."""
        self.rules = [rule for rule in self.rules if site is not None and rule.site != site]

    def pick(self, site: str, request: Request) -> Rule | None:
        """Return the rule that decides this request, and count it as fired."""
        for number, rule in reversed(list(enumerate(self.rules))):
            if rule.concerns(site, request) and self._fires(number, rule):
                rule.fired += 1
                return rule
        return None

    def _fires(self, number: int, rule: Rule) -> bool:
        rule.asked += 1
        digest = blake2b(f"{self._seed}/{number}/{rule.asked}".encode(), digest_size=8).digest()
        return int.from_bytes(digest) / 2**64 < rule.probability


def find(name: str) -> Behaviour:
    """Return the behaviour of that name, or raise UnknownFault with a guess."""
    if name in TABLE:
        return TABLE[name]
    guess = difflib.get_close_matches(name, TABLE, n=1)
    raise UnknownFault(f"there is no fault {name!r}" + (f"; did you mean {guess[0]!r}?" if guess else ""))


def _merged(behaviour: Behaviour, options: Mapping[str, Option]) -> dict[str, Option]:
    for name, value in options.items():
        if name not in behaviour.options:
            known = ", ".join(behaviour.options) or "no options"
            raise UnknownFault(f"{behaviour.name} has no option {name!r}; it knows {known}")
        if isinstance(behaviour.options[name], str) != isinstance(value, str):
            raise UnknownFault(f"option {name!r} of {behaviour.name} cannot be {value!r}")
    return {**behaviour.options, **options}
