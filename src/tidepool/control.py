"""The control API: switch faults, move time, read the log, over HTTP and in JSON.

GET    /            this list                       GET  /sites       the sites and their titles
GET    /behaviours  every fault and its options     GET  /truth?site=shop&path=/product/...
GET    /faults      what is switched on             POST /faults      {"site", "name", "path", "host",
DELETE /faults      ?site=shop for one site only                       "times", "probability", "options"}
GET    /tick        the present tick                POST /tick        {"advance": 3}
GET    /log         ?site=shop for one site only    DELETE /log       forget what was seen
GET    /acts        what can be done to which site  POST /acts        {"site", "act", "with": {...}}
GET    /matches     every match; ?key=RF0 for one, with each ball and how many seconds ago it happened
POST   /reset       no faults, tick 0, empty log, nothing done to any site
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tidepool.access_log import AccessLog
from tidepool.faults import TABLE, Switchboard, UnknownFault
from tidepool.site import Movable, Request, Response, plain
from tidepool.world import World

RULE_FIELDS = {"site", "name", "path", "host", "times", "probability", "options"}


class Refused(Exception):
    """The caller asked for something that cannot be; the message says why."""


class Control:
    """Answers at `control.tidepool.localhost`; never misbehaves and never appears in the log."""

    def __init__(self, world: World, faults: Switchboard, log: AccessLog) -> None:
        self._world = world
        self._faults = faults
        self._log = log
        self._routes: dict[tuple[str, str], Callable[[Request], Any]] = {
            ("GET", "/sites"): self._sites,
            ("GET", "/behaviours"): self._behaviours,
            ("GET", "/faults"): self._switched_on,
            ("POST", "/faults"): self._switch_on,
            ("DELETE", "/faults"): self._switch_off,
            ("GET", "/tick"): self._tick,
            ("POST", "/tick"): self._advance,
            ("GET", "/log"): lambda request: self._log.read(site=request.parameters.get("site")),
            ("DELETE", "/log"): self._clear_log,
            ("GET", "/truth"): self._truth,
            ("GET", "/acts"): self._acts,
            ("POST", "/acts"): self._act,
            ("GET", "/matches"): self._matches,
            ("POST", "/reset"): self._reset,
        }

    async def answer(self, request: Request) -> Response:
        """Do what was asked, or say in one sentence why not."""
        if (request.method, request.path) == ("GET", "/"):
            return plain(__doc__ or "")
        act = self._routes.get((request.method, request.path))
        if act is None:
            return _json(
                {"error": f"no such call: {request.method} {request.path}; GET / lists them"}, status=404
            )
        try:
            return _json(act(request))
        except (Refused, UnknownFault) as exc:
            return _json({"error": str(exc)}, status=400)

    def _sites(self, _request: Request) -> Any:
        return {name: site.title for name, site in self._world.sites.items()}

    def _behaviours(self, _request: Request) -> Any:
        return {
            name: {"does": known.sentence, "options": dict(known.options)} for name, known in TABLE.items()
        }

    def _switched_on(self, _request: Request) -> Any:
        return [rule.describe() for rule in self._faults.rules]

    def _switch_on(self, request: Request) -> Any:
        wish = _body(request)
        unknown = wish.keys() - RULE_FIELDS
        if unknown:
            raise Refused(
                f"a fault has no {', '.join(sorted(unknown))}; it has {', '.join(sorted(RULE_FIELDS))}"
            )
        site, name = wish.pop("site", None), wish.pop("name", None)
        if not isinstance(name, str):
            raise Refused("say which fault: name")
        return self._faults.set(self._known(site), name, **_checked(wish)).describe()

    def _switch_off(self, request: Request) -> Any:
        self._faults.clear(request.parameters.get("site"))
        return self._switched_on(request)

    def _tick(self, _request: Request) -> Any:
        return {"tick": self._world.tick}

    def _advance(self, request: Request) -> Any:
        ticks = _body(request).get("advance", 1)
        if not isinstance(ticks, int) or ticks < 0:
            raise Refused("advance by a whole number of ticks, 0 or more: time does not run backwards")
        return {"tick": self._world.advance(ticks)}

    def _clear_log(self, _request: Request) -> Any:
        self._log.clear()
        return []

    def _truth(self, request: Request) -> Any:
        site, path = request.parameters.get("site"), request.parameters.get("path", "/")
        return self._world.truth(self._known(site), path)

    def _acts(self, _request: Request) -> Any:
        return {
            name: {act: (does.__doc__ or "").strip() for act, does in site.acts.items()}
            for name, site in self._world.sites.items()
            if isinstance(site, Movable)
        }

    def _act(self, request: Request) -> Any:
        wish = _body(request)
        name, act, given = self._known(wish.get("site")), wish.get("act"), wish.get("with") or {}
        site = self._world.sites[name]
        acts = site.acts if isinstance(site, Movable) else {}
        if not isinstance(act, str) or act not in acts:
            raise Refused(f"{name} knows no act {act!r}; it knows: {', '.join(acts) or 'none'}")
        try:
            return acts[act](**given)
        except (TypeError, ValueError) as exc:
            raise Refused(f"{act}: {exc}") from exc

    def _matches(self, request: Request) -> Any:
        key = request.parameters.get("key")
        found = self._world.matches() if key is None else self._world.match(key)
        if found is None:
            raise Refused(f"there is no match {key!r}; GET /matches lists them")
        return found

    def _reset(self, request: Request) -> Any:
        self._faults.clear()
        self._log.clear()
        self._world.reset()
        return self._tick(request)

    def _known(self, site: Any) -> str:
        if not isinstance(site, str) or site not in self._world.sites:
            raise Refused(f"there is no site {site!r}; there are: {', '.join(self._world.sites)}")
        return site


def _checked(wish: dict[str, Any]) -> dict[str, Any]:
    kinds: dict[str, type | tuple[type, ...]] = {
        "path": str,
        "host": str,
        "times": int,
        "probability": (int, float),
        "options": dict,
    }
    given = {key: value for key, value in wish.items() if value is not None}
    for key, value in given.items():
        if not isinstance(value, kinds[key]):
            raise Refused(f"{key} cannot be {value!r}")
    return given


def _body(request: Request) -> dict[str, Any]:
    try:
        wish = json.loads(request.body or b"{}")
    except ValueError as exc:
        raise Refused("the body is not JSON") from exc
    if not isinstance(wish, dict):
        raise Refused("the body must be a JSON object")
    return wish


def _json(value: Any, *, status: int = 200) -> Response:
    return Response(status, json.dumps(value).encode() + b"\n", (("Content-Type", "application/json"),))
