"""The shape of a config file. Every key is known; whatever else stands there is refused."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from typing import Annotated, Any, Literal

import ada_url
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from limpet.errors import BadAddress, ConfigError
from limpet.source import Pace, Retention, Source, Terms
from limpet.source.source import MEBIBYTE
from limpet.target.address import parse_address
from limpet.target.schedule import parse_schedule

ID_PATTERN = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")
HOST_PATTERN = re.compile(
    r"(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
)


def an_id(text: str) -> str:
    if not ID_PATTERN.fullmatch(text):
        raise ValueError("a short name of a-z, 0-9, dot, dash and underscore, such as shop-one")
    return text


def a_host(text: str) -> str:
    host = text.strip().lower().rstrip(".")
    if "/" in host or ":" in host:
        raise ValueError("a host name alone, without scheme, port or path, such as shop.example.com")
    host = _ascii(host)
    if len(host) > 253 or not HOST_PATTERN.fullmatch(host) or host == "*":
        raise ValueError("a host name such as shop.example.com or *.example.com")
    return host


def _ascii(host: str) -> str:
    """Return the name as DNS knows it; a name in another script has one ASCII form."""
    if host.isascii():
        return host
    stem, star = (host[2:], "*.") if host.startswith("*.") else (host, "")
    return star + ada_url.idna.encode(stem).decode("ascii")


def an_origin(text: str) -> str:
    if not text:
        return text
    try:
        address = parse_address(text)
    except BadAddress:
        address = None
    if address is None or address.path != "/" or address.query:
        raise ValueError("where the site begins, such as https://court.example.com")
    return address.origin


def a_schedule(text: str) -> str:
    try:
        parse_schedule(text)
    except ConfigError as wrong:
        why = str(wrong).rpartition(": ")[2].rstrip(".")
        raise ValueError(f'five cron fields such as "15 */6 * * *", or "every 30m" ({why})') from None
    return text


def a_past_moment(value: Any) -> Any:
    """Accept a date or a time; one without a zone is read as UTC. A review in the future has not happened."""
    if isinstance(value, str):
        value = _from_text(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time(), UTC)
    if isinstance(value, datetime):
        value = value if value.tzinfo else value.replace(tzinfo=UTC)
        if value > datetime.now(UTC):
            raise ValueError("the moment the terms were read, which cannot lie in the future")
    return value


def _from_text(text: str) -> Any:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return text


def one_line(text: str) -> str:
    if not text.isprintable() or not text.isascii():
        raise ValueError("one line of plain ASCII, because it is sent as a header")
    return text


NOT_FOR_A_SOURCE = {
    "user-agent": "set user_agent: robots.txt is judged by the same name",
    "host": "it is the host of the address, which was checked",
    "content-length": "it is counted",
    "transfer-encoding": "it is chosen on the wire",
    "connection": "it is chosen on the wire",
}


def plain_headers(headers: dict[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name) or re.search(r"[\r\n\0]", value):
            raise ValueError(f"header names and values without line breaks ({name!r} is not)")
        if name.lower() in NOT_FOR_A_SOURCE:
            raise ValueError(f"headers other than {name} ({NOT_FOR_A_SOURCE[name.lower()]})")
    return headers


class Table(BaseModel):
    """A table of the file: strict about its keys, and never changed after it was read."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PaceTable(Table):
    requests_per_second: Annotated[float, Field(ge=0, le=1000)] = 0.5
    min_delay_seconds: Annotated[float, Field(ge=0, le=86_400)] = 2.0
    jitter: Annotated[float, Field(ge=0, le=1)] = 0.2
    max_concurrent: Annotated[int, Field(ge=1, le=64)] = 1
    rest_after: Annotated[int, Field(ge=0)] = 0
    rest_seconds: Annotated[float, Field(ge=0, le=86_400)] = 60.0

    def as_pace(self) -> Pace:
        return Pace(
            requests_per_second=self.requests_per_second or None,
            min_delay_seconds=self.min_delay_seconds,
            jitter=self.jitter,
            max_concurrent=self.max_concurrent,
            rest_after=self.rest_after,
            rest_seconds=self.rest_seconds,
        )


class TermsTable(Table):
    reviewed_at: Annotated[datetime | None, BeforeValidator(a_past_moment)] = None
    approved_by: str | None = None
    notes: str = ""

    def as_terms(self) -> Terms:
        return Terms(reviewed_at=self.reviewed_at, approved_by=self.approved_by, notes=self.notes)


Days = Annotated[float, Field(ge=0, le=36_500)]


class RetentionTable(Table):
    pages_days: Days | None = None
    keep_last_pages: Annotated[int, Field(ge=1, le=1_000)] | None = None
    requests_days: Days | None = None
    attempts_days: Days | None = None

    def as_retention(self) -> Retention:
        return Retention(**self.model_dump())


class SourceTable(Table):
    id: Annotated[str, AfterValidator(an_id)]
    app: Annotated[str, AfterValidator(an_id)]
    site: Annotated[str, AfterValidator(an_id)]
    hosts: Annotated[tuple[Annotated[str, AfterValidator(a_host)], ...], Field(min_length=1)]
    name: str = ""
    enabled: bool = True
    disabled_reason: str | None = None
    terms: TermsTable = Field(default_factory=TermsTable)
    pace: PaceTable = Field(default_factory=PaceTable)
    retention: RetentionTable = Field(default_factory=RetentionTable)
    obey_robots: bool = True
    robots_compliant: bool = True
    fetcher: Literal["http", "browser"] = "http"
    http_only: bool = False
    allow_private_addresses: bool = False
    user_agent: Annotated[str, Field(max_length=300), AfterValidator(one_line)] = ""
    headers: Annotated[dict[str, str], AfterValidator(plain_headers)] = Field(default_factory=dict)
    patience_seconds: Annotated[float, Field(gt=0, le=3600)] = 30.0
    max_bytes: Annotated[int, Field(ge=1024)] = 10 * MEBIBYTE
    max_redirects: Annotated[int, Field(ge=0, le=20)] = 5
    schedule: Annotated[str, AfterValidator(a_schedule)] | None = None
    load_images: bool = False
    base_url: Annotated[str, AfterValidator(an_origin)] = ""
    options: dict[str, Any] = Field(default_factory=dict)
    targets: tuple[str, ...] = ()
    targets_file: str | None = None

    @model_validator(mode="after")
    def _only_our_own_machines_go_unpaced(self) -> SourceTable:
        if self.pace.as_pace().is_unlimited and not self.allow_private_addresses:
            raise ValueError(
                "paced: an unlimited pace is only for machines of our own (allow_private_addresses)"
            )
        return self

    def as_source(self) -> Source:
        own = {name: getattr(self, name) for name in type(self).model_fields if name not in NOT_IN_SOURCE}
        terms, pace, retention = self.terms.as_terms(), self.pace.as_pace(), self.retention.as_retention()
        return Source(**own, terms=terms, pace=pace, retention=retention)


NOT_IN_SOURCE = {"terms", "pace", "retention", "targets", "targets_file"}


class ConfigTable(Table):
    """The whole file."""

    settings: dict[str, Any] = Field(default_factory=dict)
    scraper: dict[str, Any] = Field(default_factory=dict)  # read by `scraper_table`, as settings
    sources: tuple[SourceTable, ...] = ()
    sites: tuple[dict[str, Any], ...] = ()  # checked by `site_files`, like those in files of their own


def keys_at(location: tuple[int | str, ...]) -> list[str]:
    """Return the keys known in the table that holds this location."""
    parent = location[-2] if len(location) > 1 else None
    shapes: dict[object, type[Table]] = {
        None: ConfigTable,
        "pace": PaceTable,
        "terms": TermsTable,
        "retention": RetentionTable,
    }
    return list(shapes.get(parent, SourceTable).model_fields)
