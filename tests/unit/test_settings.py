"""The environment becomes one frozen value; the command line wins over it."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from app.settings import load_settings


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
        settings.port = 1  # type: ignore[misc]
    with pytest.raises(ValidationError):
        load_settings(port=70_000)


def test_the_defaults_of_the_rule_book(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ERMA_PORT", "ERMA_DATABASE_URL", "ERMA_REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    settings = load_settings()
    assert (settings.port, settings.new_player_coins, settings.redis_url) == (8_000, 10_000, None)
    assert settings.database_url.startswith("sqlite:///")
