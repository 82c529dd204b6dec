"""A config file is parsed once, completely, and complains in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from limpet.configuration import load_config
from limpet.errors import ConfigError

Writer = Callable[..., Path]

SHOP = """
[[sources]]
id = "shop"
app = "prices"
site = "tideshop"
hosts = ["shop.example.com", "*.cdn.example.com"]
"""


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    def _write(text: str, name: str = "limpet.toml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return _write


def test_a_source_is_read_with_every_default_polite(write: Writer) -> None:
    config = load_config(write(SHOP))

    (configured,) = config.sources
    assert configured.source.hosts == ("shop.example.com", "*.cdn.example.com")
    assert configured.source.pace.spacing_seconds == 2.0
    assert configured.source.obey_robots and not configured.source.terms.are_approved


def test_pace_terms_schedule_and_targets_are_read(write: Writer) -> None:
    text = SHOP + (
        'schedule = "15 */6 * * *"\n'
        'targets = ["https://shop.example.com/a", "https://shop.example.com/b", "https://shop.example.com/a"]\n'
        "pace = { requests_per_second = 0.2, min_delay_seconds = 5 }\n"
        'terms = { reviewed_at = 2026-01-02, approved_by = "Ada" }\n'
    )

    (configured,) = load_config(write(text)).sources

    assert configured.targets == ("https://shop.example.com/a", "https://shop.example.com/b")
    assert configured.source.pace.spacing_seconds == 5.0
    assert configured.source.terms.reviewed_at == datetime(2026, 1, 2, tzinfo=UTC)
    assert configured.source.terms.are_approved and configured.source.schedule == "15 */6 * * *"


def test_yaml_says_the_same_as_toml(write: Writer) -> None:
    text = "sources:\n- {id: shop, app: prices, site: tideshop, "
    text += "hosts: [shop.example.com, '*.cdn.example.com']}\n"

    from_yaml = load_config(write(text, "limpet.yaml"))
    from_toml = load_config(write(SHOP))

    assert from_yaml.sources == from_toml.sources


def test_targets_may_stand_in_a_file_beside_the_config(write: Writer) -> None:
    write("# the watch list\n\nhttps://shop.example.com/a\n  https://shop.example.com/b  \n", "urls.txt")

    config = load_config(write(SHOP + 'targets_file = "urls.txt"\n'))

    assert config.by_id["shop"].targets == ("https://shop.example.com/a", "https://shop.example.com/b")


def test_a_source_that_is_not_approved_is_allowed_but_said(write: Writer) -> None:
    (configured,) = load_config(write(SHOP)).sources

    assert any("not approved and will be refused" in warning for warning in configured.warnings)


def test_an_empty_file_has_no_sources(write: Writer) -> None:
    assert load_config(write("")).sources == ()
    assert load_config(write("", "limpet.yaml")).sources == ()


@pytest.mark.parametrize(
    ("extra", "sentence"),
    [
        ("patience = 3", "patience of source 'shop' is not a known key - did you mean \"patience_seconds\"?"),
        (
            "pace = { min_delay = 3 }",
            "pace.min_delay of source 'shop' is not a known key - did you mean \"min_delay",
        ),
        ("pace = { jitter = 'much' }", "pace.jitter of source 'shop' must be a number, but is 'much'."),
        (
            "pace = { max_concurrent = 0 }",
            "pace.max_concurrent of source 'shop' must be at least 1, but is '0'.",
        ),
        (
            "fetcher = 'telnet'",
            "fetcher of source 'shop' must be one of 'http' or 'browser', but is 'telnet'.",
        ),
        ("schedule = 'hourly'", "schedule of source 'shop' must be five cron fields"),
        ("terms = { reviewed_at = 2999-01-01 }", "terms.reviewed_at of source 'shop' must be the moment"),
        ("terms = { reviewed_at = 'soon' }", "terms.reviewed_at of source 'shop' must be a date or time"),
        ('headers = { X = "a\\r\\nb" }', "headers of source 'shop' must be header names and values without"),
        (
            'headers = { user-agent = "Other" }',
            "headers of source 'shop' must be headers other than user-agent",
        ),
        ('headers = { Host = "other.test" }', "headers of source 'shop' must be headers other than Host"),
        ("pace = { requests_per_second = 0, min_delay_seconds = 0 }", "source 'shop' must be paced"),
        (
            "targets = ['ftp://shop.example.com/a']",
            "The address 'ftp://shop.example.com/a' is not http or https.",
        ),
        ("targets = ['not an address']", "The address 'not an address' cannot be read."),
        ("targets = ['https://other.example.org/']", "other.example.org is not a host of source 'shop'."),
        ("targets_file = 'missing.txt'", "missing.txt"),
    ],
)
def test_a_wrong_value_is_said_in_one_sentence_with_its_fix(extra: str, sentence: str, write: Writer) -> None:
    with pytest.raises(ConfigError) as refusal:
        load_config(write(SHOP + extra + "\n"))

    assert sentence in str(refusal.value)
    assert refusal.value.fix and "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "host",
    [
        "https://shop.example.com",
        "shop.example.com:80",
        "shop.example.com/x",
        "",
        "a b",
        "*",
        "-x.example.com",
    ],
)
def test_what_is_not_a_host_name_is_refused(host: str, write: Writer) -> None:
    text = SHOP.replace('"shop.example.com"', f'"{host}"')

    with pytest.raises(ConfigError, match="hosts of source 'shop' must be a host name"):
        load_config(write(text))


def test_a_host_in_another_script_is_kept_as_dns_knows_it(write: Writer) -> None:
    config = load_config(write(SHOP.replace("shop.example.com", "bücher.example")))

    assert config.sources[0].source.hosts[0] == "xn--bcher-kva.example"


def test_the_same_id_twice_is_refused(write: Writer) -> None:
    with pytest.raises(ConfigError, match="the source id 'shop' stands twice"):
        load_config(write(SHOP + SHOP))


def test_a_missing_field_names_the_source_by_number(write: Writer) -> None:
    with pytest.raises(ConfigError, match=r"id of source number 2 is missing"):
        load_config(write(SHOP + SHOP.replace('id = "shop"\n', "")))


def test_the_line_is_named_when_it_is_certain(write: Writer) -> None:
    with pytest.raises(ConfigError, match=r"limpet\.toml, line 7: fetchr"):
        load_config(write(SHOP + 'fetchr = "http"\n'))


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("limpet.toml", "[[sources]\n", r"not valid TOML: .*line 1"),
        ("limpet.yaml", "sources: [\n", r"not valid YAML at line 2"),
        ("limpet.yaml", "sources: []\nsources: []\n", r"line 2: the key \"sources\" stands twice"),
        ("limpet.yaml", "- 1\n", r"must hold a table of keys"),
        ("limpet.yaml", "!!python/object/apply:os.system ['true']\n", r"could not determine a constructor"),
        ("limpet.toml", "sorces = []\n", r'sorces is not a known key - did you mean "sources"\?'),
        ("limpet.toml", "sources = 3\n", r"sources must be a list"),
    ],
)
def test_a_broken_file_is_said_in_one_sentence(name: str, text: str, sentence: str, write: Writer) -> None:
    with pytest.raises(ConfigError, match=sentence) as refusal:
        load_config(write(text, name))

    assert refusal.value.fix


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "limpet.toml"
    path.write_bytes(b"\xff\xfe\x00[")

    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(path)


def test_a_folder_is_not_a_config_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: is a directory"):
        load_config(tmp_path)
