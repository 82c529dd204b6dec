"""The one source an app has; where there is none, or several, a sentence says what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.errors import UsageError

if TYPE_CHECKING:
    from limpet.assembly import House

_COPY = "{page} shows one to copy into limpet.toml."
_FIXES = {
    "prices": "Write one with `limpet init`, then edit it.",
    "dockets": _COPY.format(page="docs/dockets.md"),
    "judgments": _COPY.format(page="docs/judgments.md"),
}


def none_configured(app: str) -> UsageError:
    """Return the refusal of an app without sources, with where one is shown."""
    return UsageError(
        f"No source is configured for {app!r}.",
        fix=_FIXES.get(app, f'Add one with app = "{app}" to limpet.toml; docs/settings.md has every key.'),
    )


def only_source(house: House, *, app: str) -> str:
    """Return the app's one source; with several, somebody must choose."""
    known = [source.id for source in house.catalogue.list(app=app)]
    if not known:
        raise none_configured(app)
    if len(known) > 1:
        raise UsageError(
            f"There are {len(known)} sources to choose from.", fix=f"Name one: --source {' | '.join(known)}."
        )
    return known[0]
