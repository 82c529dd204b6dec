"""Settings come from the command line, the environment, the file and the defaults, in that order."""

from __future__ import annotations

import os
from pathlib import Path

import pydantic
import pytest

from limpet.errors import ConfigError, SettingsError
from limpet.settings import load_settings


@pytest.fixture(autouse=True)
def an_empty_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("LIMPET_")]:
        monkeypatch.delenv(name)


def test_without_any_setting_the_defaults_are_embedded_and_local() -> None:
    settings = load_settings()

    assert (settings.host, settings.port, settings.drain_seconds) == ("127.0.0.1", 8787, 30.0)
    assert settings.ledger_place == Path("data") and settings.redis_url is None
    assert settings.config is None


def test_the_environment_beats_the_file_and_the_command_line_beats_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("limpet.toml").write_text("[settings]\nport = 1111\nconcurrency = 3\nhost = '0.0.0.0'\n")
    monkeypatch.setenv("LIMPET_PORT", "2222")
    monkeypatch.setenv("LIMPET_HOST", "::1")

    settings = load_settings(host="localhost", data_dir=None)

    assert (settings.host, settings.port, settings.concurrency) == ("localhost", 2222, 3)


def test_a_config_file_in_the_current_folder_is_found() -> None:
    Path("limpet.yaml").write_text("settings:\n  port: 4444\n")

    settings = load_settings()

    assert (settings.port, settings.config) == (4444, Path("limpet.yaml"))


def test_a_dotenv_file_is_not_read() -> None:
    Path(".env").write_text("LIMPET_PORT=5555\n")

    assert load_settings().port == 8787


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_REDIS_URL", "")

    assert load_settings().redis_url is None


def test_settings_cannot_be_changed_after_the_start() -> None:
    settings = load_settings()

    with pytest.raises(pydantic.ValidationError):
        settings.port = 1


def test_secrets_do_not_show_when_settings_are_printed() -> None:
    settings = load_settings(
        database_url="postgresql://me:hunter2@db/limpet", redis_url="redis://:hunter2@r/0"
    )

    assert "hunter2" not in repr(settings)


def test_an_unknown_variable_is_refused_with_a_suggestion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_DATADIR", "/somewhere")

    with pytest.raises(SettingsError, match=r'LIMPET_DATADIR .* did you mean "LIMPET_DATA_DIR"'):
        load_settings()


def test_an_unknown_key_of_the_file_is_refused_with_a_suggestion() -> None:
    Path("limpet.toml").write_text("[settings]\nprot = 1\n")

    with pytest.raises(SettingsError, match=r'settings\.prot is not a setting - did you mean "port"'):
        load_settings()


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("LIMPET_PORT", "eighty", "LIMPET_PORT must be a whole number, but is 'eighty'."),
        ("LIMPET_PORT", "70000", "LIMPET_PORT must be at most 65535, but is '70000'."),
        ("LIMPET_LOG_FORMAT", "xml", "LIMPET_LOG_FORMAT must be one of 'text' or 'json', but is 'xml'."),
        ("LIMPET_CONCURRENCY", "0", "LIMPET_CONCURRENCY must be at least 1, but is '0'."),
        ("LIMPET_DEBUG", "perhaps", "LIMPET_DEBUG must be true or false, but is 'perhaps'."),
        ("LIMPET_CONTACT", "a\nb", "LIMPET_CONTACT must be one line of plain ASCII"),
    ],
)
def test_a_wrong_value_is_named_with_its_variable(
    variable: str, value: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)

    with pytest.raises(SettingsError) as refusal:
        load_settings()

    assert str(refusal.value).startswith(sentence)
    assert refusal.value.fix


@pytest.mark.parametrize("name", ["database_url", "redis_url"])
def test_a_wrong_address_is_refused_without_showing_its_password(name: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        load_settings(**{name: "mysql://me:hunter2@db/limpet"})

    assert "hunter2" not in str(refusal.value)
    assert "an address such as" in str(refusal.value)


def test_a_config_file_that_was_named_but_is_missing_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"no config file at elsewhere\.toml"):
        load_settings(config=Path("elsewhere.toml"))


def test_we_introduce_ourselves_with_whom_to_write_to() -> None:
    settings = load_settings(contact="mailto:ops@example.org")

    assert settings.agent.startswith("Limpet/") and settings.agent.endswith("(+mailto:ops@example.org)")
