"""Which sites exist: registered one by one, never discovered, so that a config file cannot run code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches

from limpet.errors import ConfigError, UnknownSite
from limpet.extract.site import Site


class SiteRegistry:
    """Every adapter by its id. Shelves are opened one by one, and only while an id has not been found."""

    def __init__(
        self, sites: Iterable[Site] = (), *, shelves: Iterable[Callable[[], Iterable[Site]]] = ()
    ) -> None:
        self._sites: dict[str, Site] = {}
        self._shelves = list(shelves)
        for site in sites:
            self.register(site)

    def register(self, site: Site) -> None:
        """Add a site; two sites may not share an id."""
        if site.id in self._sites:
            raise ConfigError(f"Two sites are registered as {site.id!r}.", fix="Give one of them another id.")
        self._sites[site.id] = site

    def get(self, site_id: str) -> Site:
        """Return the site, or raise UnknownSite with the nearest name."""
        while site_id not in self._sites and self._shelves:
            self._open_next()
        try:
            return self._sites[site_id]
        except KeyError:
            raise UnknownSite(f"There is no site {site_id!r}.", fix=self._advice(site_id)) from None

    def list(self) -> tuple[str, ...]:
        """Return every id, sorted."""
        return tuple(sorted(self._every()))

    def _every(self) -> dict[str, Site]:
        while self._shelves:
            self._open_next()
        return self._sites

    def _open_next(self) -> None:
        for site in self._shelves.pop(0)():
            self.register(site)

    def _advice(self, site_id: str) -> str:
        near = get_close_matches(site_id, self._sites, n=1)
        if near:
            return f"Did you mean {near[0]!r}?"
        return f"Known sites: {', '.join(self.list()) or 'none'}."
