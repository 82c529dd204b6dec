"""Which matches crex lists: the page of live ones in both its layouts, and the fixtures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from limpet.apps.matches.record import DiscoveredMatch, MatchStatus, Team
from limpet.extract import Missing
from limpet.extract.document import open_document
from limpet.extract.failure import CannotRead
from limpet.extract.select import every, maybe, text_of
from limpet.fetch.page import Page

_ADDRESS = re.compile(
    r"/scoreboard/(?P<key>[0-9A-Za-z]{1,12})/(?P<series>[0-9A-Za-z]{1,12})/(?P<label>[^/]+)"
    r"/(?P<one>[0-9A-Za-z]{1,12})/(?P<other>[0-9A-Za-z]{1,12})/(?P<slug>[^/]+)(?:/(?:live|scorecard|info))?/?"
)
_LINK = 'a[href*="/scoreboard/"]'


def live_matches(page: Page, *, domain_id: str) -> list[DiscoveredMatch]:
    """Return the matches on the page of live ones; none is an answer, a page of another shape is not."""
    tree = open_document(page)
    cards = [(link, card) for card in every(tree, "li.live-card") if (link := maybe(card, _LINK))]
    cards = cards or list(_old_layout(tree))
    if not cards:
        _refuse_another_shape(tree, _LINK)
    return _distinct(
        _match(link, card, page, domain_id=domain_id, status=MatchStatus.LIVE) for link, card in cards
    )


def fixtures(page: Page, *, domain_id: str) -> list[DiscoveredMatch]:
    """Return the matches still to come; their clock times have no date and no zone, so none is taken over."""
    tree = open_document(page)
    cards = every(tree, "li.match-card-container")
    if not cards:
        _refuse_another_shape(tree, _LINK)
    found = []
    for card in cards:
        link = maybe(card, "a.match-card-wrapper[href]")
        is_live = maybe(card, "div.result.live") is not None
        status = MatchStatus.LIVE if is_live else MatchStatus.UPCOMING
        if link is not None:
            found.append(_match(link, card, page, domain_id=domain_id, status=status))
    return _distinct(iter(found))


def match_at(url: str, *, domain_id: str, status: MatchStatus) -> DiscoveredMatch | None:
    """Return what the address alone tells of a match."""
    found = _ADDRESS.search(url)
    if found is None:
        return None
    label = found["label"].replace("-", " ")
    shorts = found["slug"].partition(f"-{found['label'].lower()}")[0].upper().split("-VS-")
    names = shorts if len(shorts) == 2 else ["", ""]
    teams = (Team(found["one"], "", names[0]), Team(found["other"], "", names[1]))
    address = url if url.rstrip("/").endswith("/live") else f"{url.rstrip('/')}/live"
    return DiscoveredMatch(domain_id, found["key"], address, status, teams=teams, label=label)


def _old_layout(tree: LexborHTMLParser) -> Iterator[tuple[LexborNode, LexborNode]]:
    """Yield the cards whose badge says live: the link is the next sibling of the badge's grandparent."""
    for card in every(tree, "div.live-card"):
        badge = maybe(card, ".live")
        box = badge.parent.parent if badge is not None and badge.parent is not None else None
        node = box.next if box is not None else None
        while node is not None and node.tag != "a":
            node = node.next
        if node is not None and "/scoreboard/" in (node.attributes.get("href") or ""):
            yield node, card


def _match(
    link: LexborNode, card: LexborNode, page: Page, *, domain_id: str, status: MatchStatus
) -> DiscoveredMatch:
    url = urljoin(page.final_url, link.attributes.get("href") or "")
    known = match_at(url, domain_id=domain_id, status=status)
    if known is None or known.teams is None:
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"an address of another shape: {url[:120]}")
    shorts = [text_of(node) for node in every(card, "span.team-name")]
    where = text_of(maybe(card, ".match-number") or maybe(card, "p.time"))
    teams = known.teams
    if len(shorts) == 2:
        teams = (Team(teams[0].code, "", shorts[0]), Team(teams[1].code, "", shorts[1]))
    return DiscoveredMatch(
        domain_id=domain_id,
        match_key=known.match_key,
        url=known.url,
        status=status,
        title=f"{teams[0].short_name} vs {teams[1].short_name} - {known.label}",
        teams=teams,
        label=known.label,
        series=where.partition(",")[2].strip(),
    )


def _distinct(matches: Iterator[DiscoveredMatch]) -> list[DiscoveredMatch]:
    return list({match.match_key: match for match in matches}.values())


def _refuse_another_shape(tree: LexborHTMLParser, link: str) -> None:
    """Tell an empty list from a page that changed: it still has the site's frame, and no match anywhere."""
    if maybe(tree, "app-root") is None or maybe(tree, link) is not None:
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, "no match card found, and the page is no empty list")
