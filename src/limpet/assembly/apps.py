"""Every app by name, and the sites they brought: each is imported when it is first asked for, and not before.

A run of one app need not wait for three others to be read, nor keep them in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module

from limpet.configuration import Config
from limpet.engine.app import App
from limpet.extract.registry import SiteRegistry
from limpet.extract.site import Site
from limpet.record.entry import Bookkeeper
from limpet.record.verify import AppCheck

_NAMES = ("prices", "dockets", "judgments", "matches")


class AppDirectory(Mapping[str, App]):
    """The apps there are. To know their names is free; to look one up is to bring it in."""

    def __getitem__(self, name: str) -> App:
        if name not in _NAMES:
            raise KeyError(name)
        app: App = import_module(f"limpet.apps.{name}").APP
        return app

    def __contains__(self, name: object) -> bool:
        return name in _NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


class Bookkeepers(Mapping[str, Bookkeeper]):
    """The pen of every app, brought in with it."""

    def __init__(self, apps: Mapping[str, App]) -> None:
        self._apps = apps

    def __getitem__(self, app: str) -> Bookkeeper:
        return self._apps[app].bookkeeper

    def __contains__(self, app: object) -> bool:
        return app in self._apps

    def __iter__(self) -> Iterator[str]:
        return iter(self._apps)

    def __len__(self) -> int:
        return len(self._apps)


def all_apps() -> Mapping[str, App]:
    """Return every app by name."""
    return AppDirectory()


def app_checks() -> list[AppCheck]:
    """Return every app's own proof of its tables, for `limpet verify`."""
    return [app.bookkeeper.check for app in all_apps().values()]


def all_sites(config: Config | None = None) -> SiteRegistry:
    """Return the registry of every site of every app, with those the config file describes."""
    config = config or Config()
    apps, wanted = all_apps(), {each.source.app for each in config.sources}
    names = sorted(apps, key=lambda name: name not in wanted)
    registry = SiteRegistry(shelves=[partial(_sites_of, apps, name) for name in names])
    if config.sites:
        _register_described(config, registry)
    return registry


def _sites_of(apps: Mapping[str, App], name: str) -> tuple[Site, ...]:
    return tuple(apps[name].sites)


def _register_described(config: Config, registry: SiteRegistry) -> None:
    """Add the shops a config file describes; none may take the id of a site that is known already."""
    configured_site: Callable[..., Site] = import_module(
        "limpet.apps.prices.models.configured"
    ).configured_site
    registry.list()
    for plan in config.sites:
        registry.register(configured_site(plan))
