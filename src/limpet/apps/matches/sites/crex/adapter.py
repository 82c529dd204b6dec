"""crex by its own data: one small answer per match, no browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from limpet.apps.matches.adapter import DomainAdapterDescriptor
from limpet.apps.matches.models.crex.card import read_card
from limpet.apps.matches.models.crex.info import read_info
from limpet.apps.matches.models.crex.lists import fixtures, live_matches
from limpet.apps.matches.models.crex.live import batting_first, read_live, team_codes
from limpet.apps.matches.models.crex.memory import CrexMemory
from limpet.apps.matches.record import (
    BallEvent,
    DiscoveredMatch,
    MatchSnapshot,
    MatchStatus,
    Side,
    in_order,
)
from limpet.apps.matches.sites.crex.page import json_in
from limpet.clock import Clock
from limpet.errors import FetchError, PageBlocked
from limpet.extract.failure import CannotRead
from limpet.extract.site import Getter
from limpet.extract.structured.loose_json import BadJson
from limpet.extract.structured.state import state_after
from limpet.fetch.page import Page

INFO_EVERY_SECONDS = 60.0
NAMES_EVERY_SECONDS = 15.0
BASE_URL, API_URL = "https://crex.com", "https://api-v1.com/v10"


class CrexAdapter:
    """Discovers on the site's pages, and asks its data host for each match."""

    def __init__(self, descriptor: DomainAdapterDescriptor, memory: CrexMemory, clock: Clock) -> None:
        told: Mapping[str, Any] = descriptor.metadata
        self._descriptor = descriptor
        self._memory = memory
        self._clock = clock
        self._base = str(told.get("base_url", BASE_URL)).rstrip("/")
        self._api = str(told.get("api_url", "")).rstrip("/")
        self._names_call = str(
            told.get("names_call", "")
        )  # a call of the data host that answers the code book

    @property
    def domain_id(self) -> str:
        """The name under which its matches are known."""
        return self._descriptor.domain_id

    async def discover(self, way: Getter) -> Sequence[DiscoveredMatch]:
        """Return the live matches, and the coming ones of the fixtures; a live one is taken as live."""
        page = await way.get(f"{self._base}/live-matches", kind="index")
        self._learn_access(page)
        live = live_matches(page, domain_id=self.domain_id)
        coming = fixtures(
            await way.get(f"{self._base}/fixtures/match-list", kind="index"), domain_id=self.domain_id
        )
        listed = {match.match_key for match in live}
        later = [m for m in coming if m.match_key not in listed and m.status is MatchStatus.UPCOMING]
        return [*live, *later]

    async def fetch_match(
        self, match: DiscoveredMatch, way: Getter, *, with_card: bool = False
    ) -> MatchSnapshot:
        """Return how the match stands."""
        live = await self._ask(way, "sV3", match)
        team_codes(json_in(live))  # a match the site does not know has no scorecard either
        card, trouble = await self._card(match, way) if with_card else (None, "")
        await self._complete_info(match, way)
        snapshot = self._read(match, live, card)
        if snapshot.unknown_codes and await self._learn_names(match, way):
            snapshot = self._read(match, live, card)
        self._memory.of(match).bats_first = batting_first(snapshot)
        return replace(snapshot, troubles=(trouble,)) if trouble else snapshot

    async def fetch_balls(self, match: DiscoveredMatch, way: Getter, *, innings: int) -> Sequence[BallEvent]:
        """Return the balls the site still shows of that innings: it keeps no list of all."""
        snapshot = await self.fetch_match(match, way)
        return [ball for ball in snapshot.balls if ball.key.innings == innings]

    async def _ask(self, way: Getter, call: str, match: DiscoveredMatch, more: str = "") -> Page:
        """Ask the data host with what the site's pages send; when that has changed, learn it again and once more."""
        api = self._api or self._memory.api_url or API_URL
        address = f"{api}/{call}.php?key={match.match_key}{more}"
        try:
            return await way.get(address, headers=self._headers())
        except PageBlocked as refusal:
            before = dict(self._memory.headers)
            if refusal.status != 401 or not self._may_learn_access(match):
                raise
            self._learn_access(await way.get(f"{self._base}/live-matches", kind="index"))
            if self._memory.headers == before:
                raise
            return await way.get(address, headers=self._headers())

    def _may_learn_access(self, match: DiscoveredMatch) -> bool:
        now = self._clock.monotonic()
        return self._memory.of(match).is_due("access", now=now, every_seconds=INFO_EVERY_SECONDS)

    def _headers(self) -> dict[str, str]:
        return {"Accept": "application/json", "Referer": f"{self._base}/", **self._memory.headers}

    def _learn_access(self, page: Page) -> None:
        """Take over where the page's script asks, and with which token, when the page states it."""
        try:
            config = state_after(page.body.decode("utf-8", "replace"), "window.siteConfig")
        except BadJson:
            return
        if isinstance(config, dict) and isinstance(config.get("token"), str):
            self._memory.headers["authorization"] = config["token"]
        if isinstance(config, dict) and isinstance(config.get("api"), str):
            self._memory.api_url = config["api"].rstrip("/")

    async def _card(self, match: DiscoveredMatch, way: Getter) -> tuple[Any, str]:
        """Return the scorecard's answer, or why there is none: a score never goes down with its card."""
        try:
            card = json_in(await self._ask(way, "sC4", match))
            read_card(card, self._sides(match), self._memory.book)
        except (FetchError, CannotRead) as missed:
            return None, f"scorecard: {missed}"
        return card, ""

    def _read(self, match: DiscoveredMatch, live: Page, card: Any) -> MatchSnapshot:
        book = self._memory.book
        innings = read_card(card, self._sides(match), book) if card is not None else ()
        beside = self._memory.beside(match, innings)
        return read_live(json_in(live), beside, book, observed_at=live.fetched_at)

    def _sides(self, match: DiscoveredMatch) -> dict[str, Side]:
        teams = [self._memory.book.team(team.code, otherwise=team) for team in match.teams or ()]
        if len(teams) != 2:
            return {}
        first, second = in_order(*teams)
        return {first.code: "team_a", second.code: "team_b"}

    async def _complete_info(self, match: DiscoveredMatch, way: Getter) -> None:
        """Ask the info page while it still owes us something, seldom: the score does not wait for it in vain."""
        known = self._memory.of(match)
        now = self._clock.monotonic()
        if known.info.is_complete or not known.is_due("info", now=now, every_seconds=INFO_EVERY_SECONDS):
            return
        try:
            known.info = read_info(await way.get(match.url.removesuffix("/live") + "/info", kind="index"))
        except (FetchError, CannotRead):
            return  # toss and ground are not worth losing a score for; they are asked for again

    async def _learn_names(self, match: DiscoveredMatch, way: Getter) -> bool:
        known, now = self._memory.of(match), self._clock.monotonic()
        if not self._names_call or not known.is_due("names", now=now, every_seconds=NAMES_EVERY_SECONDS):
            return False
        try:
            entries = json_in(await self._ask(way, self._names_call, match))
        except (FetchError, CannotRead):
            return False  # names may come later; the score is here now
        return isinstance(entries, dict) and self._memory.book.learn(entries) > 0
