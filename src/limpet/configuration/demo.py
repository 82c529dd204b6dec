"""The config of the demonstration: written out as a file, so that people can read what they see at work."""

from __future__ import annotations

from collections.abc import Sequence

_HEAD = """\
# The config of `limpet demo`: shops, a court and two scoreboards on the pretend web, visited faster than any real
# site should be.
# Written anew at every start, because the pretend web takes a free port.
"""


def demo_config(
    *, port: int, targets: Sequence[str], browser_targets: Sequence[str], browser_missing: str | None
) -> str:
    """Return the TOML text; a source that needs a browser we do not have is switched off with the reason."""
    shop = _source(
        "tidepool-shop", "Tidepool shop", f"shop.tidepool.localhost:{port}", targets, schedule="every 30s"
    )
    boutique = _source(
        "tidepool-boutique",
        "Tidepool boutique (in the browser)",
        "shop.boutique.localhost",
        browser_targets,
        schedule="every 60s",
        extra=_browser(browser_missing),
    )
    courts = [
        _court("unreported_judgments", "Tidepool court: judgments", "judicial_ky", port),
        _court("public_registers", "Tidepool court: registers", "judicial_ky_registers", port),
        _registry(port),
    ]
    scoreboards = [
        _scoreboard("crex", "Tidepool scoreboard", ("crex", "crexapi")),
        _scoreboard("pavilion", "Tidepool pavilion", ("pavilion",)),
    ]
    return "\n".join([_HEAD, shop, boutique, *courts, *scoreboards])


def demo_domains(*, crex: str, pavilion: str) -> str:
    """Return the sources file of the match monitor: the same matches at two pretend sites."""
    return f"""\
# Read again whenever it changes: try `enabled: false`.
sources:
  - domain_id: crex
    precedence_weight: 100
    metadata: {{base_url: "{crex}", names_call: names}}
  - domain_id: pavilion
    precedence_weight: 80
    metadata: {{base_url: "{pavilion}"}}
"""


def _source(
    source_id: str, name: str, host: str, targets: Sequence[str], *, schedule: str, extra: str = ""
) -> str:
    listed = "".join(f'  "{target}",\n' for target in targets)
    return f"""\
[[sources]]
id = "{source_id}"
app = "prices"
site = "tidepool_shop"
name = "{name}"
hosts = ["{host.partition(":")[0]}"]
http_only = true
allow_private_addresses = true
schedule = "{schedule}"
{extra}targets = [
{listed}]
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tidepool"
notes = "a site of our own, on this machine"
[sources.pace]
requests_per_second = 5
min_delay_seconds = 0.2
"""


def _scoreboard(site: str, name: str, hosts: Sequence[str]) -> str:
    listed = ", ".join(f'"{host}.tidepool.localhost"' for host in hosts)
    return f"""\
[[sources]]
id = "{site}"
app = "matches"
site = "{site}"
name = "{name}"
hosts = [{listed}]
http_only = true
allow_private_addresses = true
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tidepool"
notes = "a site of our own, on this machine"
[sources.pace]
requests_per_second = 50
min_delay_seconds = 0.02
max_concurrent = 8
"""


def _court(source_id: str, name: str, site: str, port: int) -> str:
    zone = "tidepool.localhost"
    return f"""\
[[sources]]
id = "{source_id}"
app = "judgments"
site = "{site}"
name = "{name}"
hosts = ["court.{zone}", "box.{zone}", "boxcdn.{zone}"]
base_url = "http://court.{zone}:{port}"
http_only = true
allow_private_addresses = true
schedule = "every 60s"
[sources.options]
box_hosts = ["box.{zone}", "boxcdn.{zone}"]
box_api = "http://box.{zone}:{port}"
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tidepool"
notes = "a court of our own, on this machine: nobody named there exists"
[sources.pace]
requests_per_second = 5
min_delay_seconds = 0.2
"""


def _registry(port: int) -> str:
    host = "registry.tidepool.localhost"
    return f"""\
[[sources]]
id = "tidepool-registry"
app = "dockets"
site = "federal_court"
name = "Tidepool registry: dockets by number"
hosts = ["{host}"]
base_url = "http://{host}:{port}"
http_only = true
allow_private_addresses = true
schedule = "every 45s"
[sources.options]
watch = {{ year = "26", start = 1, max_cases = 12 }}
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tidepool"
notes = "a registry of our own, on this machine: nobody named there exists"
[sources.pace]
requests_per_second = 5
min_delay_seconds = 0.2
"""


def _browser(missing: str | None) -> str:
    if missing is None:
        return 'fetcher = "browser"\n'
    reason = missing.replace("\\", "").replace('"', "'")
    return f'fetcher = "browser"\nenabled = false\ndisabled_reason = "{reason}"\n'
