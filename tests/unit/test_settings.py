"""The environment becomes one frozen value; the command line wins over it."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from app.cli.registry import main
from app.settings import BadSettings, load_settings


def test_environment_and_overrides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERMA_PORT", "9000")
    monkeypatch.setenv("ERMA_DATABASE_URL", "postgresql://erma@db/erma")
    monkeypatch.setenv("ERMA_ORIGINS", '["https://erma.example"]')
    settings = load_settings(port=None, host="::1")
    assert (settings.port, settings.host) == (9_000, "::1")
    assert settings.database_url == "postgresql://erma@db/erma"
    assert settings.origins == ("https://erma.example",)
    assert load_settings(port=9_001).port == 9_001
    with pytest.raises(ValidationError):
        settings.port = 1  # type: ignore[misc]  # on purpose
    with pytest.raises(BadSettings, match="ERMA_PORT"):
        load_settings(port=70_000)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ERMA_PORT", "abc"),
        ("ERMA_WORKERS", "0"),
        ("ERMA_ZONE", "Mars/Olympus"),
        ("ERMA_ORIGINS", "https://erma.example"),
        ("ERMA_DATABASE_URL", "nonsense"),
        ("ERMA_DATABASE_URL", "mysql://erma@db/erma"),
        ("ERMA_FRAMES_PER_SECOND", "-1"),
    ],
)
@pytest.mark.parametrize("command", ["serve", "migrate", "audit"])
def test_a_bad_setting_is_named_and_ends_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, command: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        main([command])
    assert ended.value.code == 2
    assert name.removeprefix("ERMA_").lower() in capsys.readouterr().err.lower()


@pytest.mark.parametrize("url", ["sqlite:////proc/none/erma.sqlite3", "sqlite:////tmp"])
def test_a_database_that_cannot_be_opened_is_said(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", "--database-url", url]) == 1
    assert main(["serve", "--database-url", url]) == 1
    assert main(["audit", "--database-url", url]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_the_defaults_of_the_rule_book(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ERMA_PORT", "ERMA_DATABASE_URL", "ERMA_REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    settings = load_settings()
    assert (settings.port, settings.new_player_coins, settings.redis_url) == (8_000, 10_000, None)
    assert settings.database_url.startswith("sqlite:///")
