"""How the portal says things: times, sizes, money, and text from outside made safe to show."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit

from markupsafe import Markup, escape

from limpet.extract.parse.currency import amount_in
from limpet.target import JobState

# Good endings first, then trouble, then what is still to come: the order every bar is drawn in.
STATE_ORDER = (
    JobState.SUCCEEDED,
    JobState.NO_RECORD,
    JobState.SKIPPED,
    JobState.DROPPED,
    JobState.QUARANTINED,
    JobState.FAILED,
    JobState.RUNNING,
    JobState.PENDING,
)
MEANINGS = {
    JobState.SUCCEEDED: "a record was accepted",
    JobState.NO_RECORD: "the page says there is none",
    JobState.SKIPPED: "not asked: a gate was shut, or another run has the answer",
    JobState.DROPPED: "read, and turned down by a rule",
    JobState.QUARANTINED: "set aside until a person looks",
    JobState.FAILED: "no page, or no way to read it",
    JobState.RUNNING: "under way",
    JobState.PENDING: "waiting its turn",
}
_BAR_WIDTH = 100.0
_THINNEST = 1.5  # one failure in ten thousand must still be seen
_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "CAD": "CA$", "AUD": "A$"}
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of an outcome bar, in hundredths of its width."""

    state: JobState
    count: int
    start: float
    width: float


def segments(counts: Mapping[str, int]) -> list[Segment]:
    """Return the pieces of a bar; every state that occurred is wide enough to be seen."""
    present = [(state, counts[state.value]) for state in STATE_ORDER if counts.get(state.value)]
    total = sum(count for _, count in present)
    widths = [max(_THINNEST, count / total * _BAR_WIDTH) for _, count in present]
    scale = _BAR_WIDTH / sum(widths) if widths else 1.0
    found, start = [], 0.0
    for (state, count), width in zip(present, widths, strict=True):
        found.append(Segment(state, count, round(start, 2), round(width * scale, 2)))
        start += width * scale
    return found


def summary(counts: Mapping[str, int]) -> str:
    """Return the counts as a sentence, for those who cannot see the bar."""
    return ", ".join(f"{each.count:,} {each.state.value}" for each in segments(counts)) or "nothing planned"


def span(seconds: float | None) -> str:
    """Return a length of time as people say it."""
    if seconds is None:
        return "–"
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    for limit, size, unit in ((120, 1, "s"), (7_200, 60, "min"), (172_800, 3_600, "h")):
        if seconds < limit:
            return f"{seconds // size:.0f} {unit}"
    return f"{seconds // 86_400:,.0f} days"


def ago(moment: datetime | None, now: datetime) -> str:
    """Return how far a moment is from now."""
    if moment is None:
        return "never"
    seconds = (now - moment).total_seconds()
    if abs(seconds) < 1:
        return "now"
    said = span(max(1.0, abs(seconds)) if abs(seconds) >= 10 else round(abs(seconds)) + 0.0)
    said = said.replace(".0 s", " s")
    return f"{said} ago" if seconds > 0 else f"in {said}"


def moment_text(moment: datetime | None) -> str:
    """Return the full moment, in UTC."""
    return "" if moment is None else f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def size(octets: int | float) -> str:
    """Return a number of bytes as people say it."""
    amount = float(octets)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:,.1f} TB"


def money(cents: int, currency: str) -> str:
    """Return an amount in the currency's smallest unit as people write it: cents for most, whole yen."""
    sign, amount = "−" if cents < 0 else "", amount_in(cents, currency)
    symbol = _SYMBOLS.get(currency)
    return f"{sign}{symbol}{amount}" if symbol else f"{sign}{amount} {currency}"


def web_link(url: str | None) -> str | None:
    """Return the address when a browser may follow it: http or https, and nothing else."""
    try:
        parts = urlsplit((url or "").strip())
    except ValueError:
        return None
    return parts.geturl() if parts.scheme in ("http", "https") and parts.netloc else None


def shorn(url: str) -> str:
    """Return the address without its scheme, for lists where it only repeats itself."""
    return url.partition("://")[2] or url


def in_path(text: str) -> str:
    """Return the text as one piece of a path, whatever it holds."""
    return quote(text, safe="")


def with_code(text: str) -> Markup:
    """Return escaped text in which `commands` stand out."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # escaped first, our own tags after


def from_stamp(seconds: float) -> datetime:
    """Return the moment of a Unix time."""
    return datetime.fromtimestamp(seconds, UTC)


def from_iso(text: str | None) -> datetime | None:
    """Return the moment an API tells as text; none stays none."""
    return datetime.fromisoformat(text) if text else None
