"""Which reader goes: the JSON first, the page when the JSON is refused, or the one a person chose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from time import monotonic

from limpet.errors import BrowserLaunchFailed, ConfigError, FetchError, PageBlocked, PageGone
from limpet.fetch.challenge import looks_blocked
from limpet.fetch.page import Page
from limpet.source import Source

OPTION = "reader"
# After so long the JSON is tried again: it is ten times cheaper for the court and for us.
PAGE_FOR_SECONDS = 3_600.0


class Choice(StrEnum):
    """The values of a source's option `reader`."""

    AUTO = "auto"
    JSON = "json"
    BROWSER = "browser"


def choice_of(source: Source) -> Choice:
    """Return what the source's configuration asks for; `fetcher = "browser"` asks for the browser too."""
    if source.fetcher == "browser":
        return Choice.BROWSER
    asked = source.options.get(OPTION, Choice.AUTO.value)
    try:
        return Choice(asked)
    except ValueError:
        known = ", ".join(Choice)
        raise ConfigError(
            f"Source {source.id!r}: {OPTION} cannot be {asked!r}.", fix=f"Choose {known}."
        ) from None


def is_refusal_of_the_endpoint(problem: FetchError) -> bool:
    """Whether only the JSON seems to be refused. Who is shown a challenge is meant himself, and leaves."""
    page = problem.page
    if isinstance(page, Page) and looks_blocked(page.status, page.headers, page.body):
        return False
    return isinstance(problem, PageBlocked | PageGone)


@dataclass(slots=True)
class Detour:
    """Remembers which courts refuse their JSON, so that it is not asked for again with every case."""

    now: Callable[[], float] = monotonic
    _refused_at: dict[str, float] = field(default_factory=dict)  # by where the court stands

    def is_taken(self, source: Source) -> bool:
        """Whether this source's JSON was refused a short while ago, and its page was not."""
        refused_at = self._refused_at.get(source.home)
        return refused_at is not None and self.now() - refused_at < PAGE_FOR_SECONDS

    def take(self, source: Source) -> None:
        """Go by the page from now on."""
        self._refused_at[source.home] = self.now()


def worse_of(refusal: FetchError, by_page: FetchError) -> FetchError:
    """Say what became of the case when the page failed too; without a browser there was no second try."""
    return refusal if isinstance(by_page, BrowserLaunchFailed) else by_page
