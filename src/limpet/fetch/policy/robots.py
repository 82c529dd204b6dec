"""robots.txt: what a site asks of visitors, read as RFC 9309 says and as Google's parser forgives.

The group that names us is the one we obey; the group for `*` speaks to those no other group names. Where the
RFC and Google's parser differ on percent-encoding, an address must be allowed by both readings.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from ada_url import URL

from limpet.fetch.policy.robots_rules import CompiledRules, Rule, decode_unreserved, encode

MOST_BYTES = 500 * 1024
_LONGEST_LINE = 16_664  # as long as Google's parser reads: eight times the longest address of old browsers
_MOST_AGENTS_REMEMBERED = 256

_BLANK = " \t\n\v\f\r"
_AGENT_KEYS = ("user-agent", "useragent", "user agent")
_ALLOW_KEYS = ("allow",)
_DISALLOW_KEYS = ("disallow", "dissallow", "dissalow", "disalow", "diaslow", "diasllow", "disallaw")
_SITEMAP_KEYS = ("sitemap", "site-map")
_DELAY_KEYS = ("crawl-delay", "crawldelay", "crawl delay")

_TOKEN = re.compile(r"[A-Za-z_-]*")
_COMPATIBLE = re.compile(r"\(compatible;\s*([^\s/;)]+)", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}")
_KEY_AND_VALUE = re.compile(r"([^ \t]+)[ \t]+([^ \t]+)")
_PATH = re.compile(r"(?://)?(?:[^/?;#]*://)?[^/?;#]*([/?;][^#]*)?")


class Group:
    """What one block of lines asks of the agents it names."""

    __slots__ = ("crawl_delay", "rules")

    def __init__(self, rules: list[Rule] | None = None) -> None:
        self.rules: list[Rule] = [] if rules is None else rules
        self.crawl_delay: float | None = None

    def for_next_agent(self) -> Group:
        """Return the group a further agent line joins: agents in a row share the rules that follow them.

        A Crawl-delay between two agent lines is for the agents above it, though the rules below are for both.
        """
        if self.rules:
            return Group()
        return self if self.crawl_delay is None else Group(self.rules)

    def add_rule(self, *, allows: bool, pattern: str) -> None:
        """Take a rule, and with it what Google reads into it."""
        self.rules.append(Rule(allows, pattern))
        if allows and (directory := _directory_of_index(pattern)):
            self.rules.append(Rule(True, directory))


class Robots:
    """One robots.txt, parsed once; `allows` answers from rules compiled per agent."""

    __slots__ = ("_groups", "_verdicts_of", "sha256", "sitemaps")

    def __init__(
        self, groups: dict[str, list[Group]], *, sitemaps: Iterable[str] = (), sha256: str = ""
    ) -> None:
        self._groups = groups
        self._verdicts_of: dict[str, tuple[CompiledRules, CompiledRules]] = {}
        self.sitemaps = tuple(sitemaps)
        self.sha256 = sha256

    @classmethod
    def parse(cls, body: bytes) -> Robots:
        """Read the file as it came; what cannot be understood is skipped, what comes after 500 KiB too."""
        groups: dict[str, list[Group]] = {}
        sitemaps: list[str] = []
        group = Group()
        for key, value in _directives(body):
            if key.startswith(_AGENT_KEYS):
                group = group.for_next_agent()
                for name in _names(value):
                    groups.setdefault(name, []).append(group)
            elif key.startswith(_ALLOW_KEYS) or key.startswith(_DISALLOW_KEYS):
                group.add_rule(allows=key.startswith(_ALLOW_KEYS), pattern=encode(value))
            elif key.startswith(_SITEMAP_KEYS):
                sitemaps.append(value.encode("latin-1").decode("utf-8", "replace"))
            elif key.startswith(_DELAY_KEYS) and (number := _NUMBER.match(value)):
                group.crawl_delay = max(float(number[0]), group.crawl_delay or 0.0)
        return cls(groups, sitemaps=sitemaps, sha256=hashlib.sha256(body).hexdigest())

    def allows(self, agent: str, url: str) -> bool:
        """Whether the agent, a product token or a whole User-Agent value, may visit the address."""
        as_written, as_meant = self._verdicts_of.get(agent) or self._compile(agent)
        path = _path_of(url)
        if path == "/robots.txt":
            return True
        if not as_written.allow(path):
            return False
        if as_meant is as_written and "%" not in path:
            return True
        return as_meant.allow(decode_unreserved(path))

    def crawl_delay(self, agent: str) -> float | None:
        """Return the seconds this agent is asked to leave between two requests, or None."""
        delays = [group.crawl_delay for group in self._groups_of(agent) if group.crawl_delay is not None]
        return max(delays, default=None)

    def _groups_of(self, agent: str) -> list[Group]:
        return self._groups.get(product_token(agent)) or self._groups.get("*") or []

    def _compile(self, agent: str) -> tuple[CompiledRules, CompiledRules]:
        blocks = {id(group.rules): group.rules for group in self._groups_of(agent)}
        rules = [rule for block in blocks.values() for rule in block]
        as_written = as_meant = CompiledRules(rules)
        meant = [Rule(rule.allows, decode_unreserved(rule.pattern)) for rule in rules]
        if meant != rules:
            as_meant = CompiledRules(meant)
        if len(self._verdicts_of) >= _MOST_AGENTS_REMEMBERED:
            self._verdicts_of.clear()
        self._verdicts_of[agent] = as_written, as_meant
        return as_written, as_meant


def product_token(agent: str) -> str:
    """Return the name robots.txt would call this agent by: `Limpet` of `Limpet/0.1 (+https://…)`."""
    compatible = _COMPATIBLE.search(agent)
    return (compatible[1] if compatible else agent.partition("/")[0]).strip().lower()


def _names(value: str) -> set[str]:
    """Return the names an agent line speaks to; `*` stands for everybody nobody else names."""
    first_word = value.split(None, 1)[0] if value.strip() else ""
    if first_word == "*":
        return {"*"}
    # The whole word as well as the RFC's letters: an agent with a digit in its name is meant by it, too.
    token = _TOKEN.match(value)
    return {token[0].lower() if token else "", first_word.partition("/")[0].lower()} - {"", "*"}


def _directory_of_index(pattern: str) -> str | None:
    """Allowing /dir/index.html allows /dir/ itself, as Google reads it: they are one page."""
    slash = pattern.rfind("/")
    return f"{pattern[: slash + 1]}$" if slash >= 0 and pattern.startswith("/index.htm", slash) else None


def _path_of(url: str) -> str:
    """Return path and query of an address, encoded as the rules are; `/` when it has none."""
    if _is_disguised(url):
        with suppress(ValueError):
            url = URL(url).href
    match = _PATH.match(url)
    path = (match[1] if match else None) or "/"
    if path[0] != "/":
        path = "/" + path
    if path.isascii():
        return encode(path) if "%" in path else path
    return encode(path.encode("utf-8", "surrogatepass").decode("latin-1"))


def _is_disguised(url: str) -> bool:
    """True when parsing may change the path: we ask about what is requested, not how it was written."""
    if "/." in url or "\\" in url or "\t" in url or "\n" in url or "\r" in url:
        return True
    return "%2" in url and "%2e" in url.lower()


def _directives(body: bytes) -> Iterator[tuple[str, str]]:
    """Yield the key, in lower case, and the value of every line that has both a key and a separator."""
    for line in _lines(body):
        text = line[:_LONGEST_LINE].decode("latin-1").partition("#")[0].strip(_BLANK)
        key, colon, value = text.partition(":")
        if not colon:  # people forget the colon; two words still say what they mean
            words = _KEY_AND_VALUE.fullmatch(text)
            if words is None:
                continue
            key, value = words.groups()
        key = key.strip(_BLANK).lower()
        if key:
            yield key, value.strip(_BLANK)


def _lines(body: bytes) -> list[bytes]:
    """Split at every kind of line end, without byte order mark and without a line cut in half."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        body = body[: 2 * MOST_BYTES].decode("utf-16", "replace").encode()
    for mark in (b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"):
        if body.startswith(mark):
            body = body[len(mark) :]
            break
    if len(body) > MOST_BYTES:
        last_end = max(body.rfind(b"\n", 0, MOST_BYTES), body.rfind(b"\r", 0, MOST_BYTES))
        body = body[: last_end + 1]
    return body.splitlines()
