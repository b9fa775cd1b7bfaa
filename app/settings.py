"""The environment, read once into one frozen value. Only the composition root and the commands see it."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError


class Settings(BaseSettings):
    """Every setting is an environment variable ``ERMA_<NAME>``; lists are JSON."""

    model_config = SettingsConfigDict(env_prefix="ERMA_", frozen=True, extra="ignore")

    database_url: str = Field("sqlite:///var/erma.sqlite3", pattern=r"^(sqlite|postgresql)(\+\w+)?://")
    redis_url: str | None = None
    host: str = "127.0.0.1"
    port: int = Field(8000, ge=0, le=65_535)
    workers: int = Field(1, ge=1)
    log_level: str = "info"

    origins: tuple[str, ...] = ()  # besides the server's own, e.g. ["https://erma.example"]
    secure_cookies: bool = False  # set behind TLS
    trusted_proxies: tuple[str, ...] = ()  # whose X-Forwarded-For is believed: addresses, networks, or "*"
    session_days: int = Field(90, ge=1)  # unused
    session_life_days: int = Field(365, ge=1)  # in any case
    ticket_ms: int = Field(30_000, ge=1)
    max_body_bytes: int = Field(64 * 1024, ge=1)

    hello_seconds: float = Field(5.0, gt=0)
    frames_per_second: float = Field(10.0, gt=0)
    frames_burst: int = Field(30, ge=1)
    sockets_per_address: int = Field(32, ge=1)
    sockets_per_user: int = Field(8, ge=1)
    watchers_per_room: int = Field(32, ge=0)

    login_failures: int = Field(5, ge=1)  # before a name or an address is locked out for a while
    first_lock_seconds: int = Field(30, ge=1)  # doubles with every further failure
    longest_lock_seconds: int = Field(15 * 60, ge=1)
    newcomers_per_hour: int = Field(30, ge=1)  # guests and registrations from one address
    hashes_at_once: int = Field(2, ge=1)  # passwords; each takes 64 MiB while it lasts
    rename_hours: int = Field(24, ge=0)  # between two names of a registered player

    free_text: bool = False  # whether players may write to each other beside the fixed phrases
    blocked_words: tuple[str, ...] = ()  # that no such text may hold

    zone: ZoneInfo = ZoneInfo("Asia/Taipei")  # whose midnight begins a day

    fault: str | None = None  # where the process is to die, to prove that nothing is lost (app.rooms.faults)

    new_player_coins: int = Field(10_000, ge=0)
    daily_coins: int = Field(500, ge=0)  # for everybody who asks, once a day; 0 for none
    relief_below: int = Field(1_000, ge=0)
    relief_coins: int = Field(3_000, ge=1)
    relief_per_day: int = Field(3, ge=0)


class BadSettings(ValueError):
    """A setting that cannot be used; the text names it as who set it knows it."""


def load_settings(**overrides: object) -> Settings:
    """Settings from the environment; ``overrides`` that are not None win (command line over environment).

    Raises:
        BadSettings: one of them is no value of its kind.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]  # pydantic checks what they are
    except ValidationError as error:
        faults = (f"{_shown_name(str(fault['loc'][0]))}: {fault['msg']}" for fault in error.errors())
        raise BadSettings("\n".join(faults)) from error
    except SettingsError as error:  # lists are JSON
        raise BadSettings(str(error)) from error


def _shown_name(name: str) -> str:
    return f"{Settings.model_config['env_prefix']}{name.upper()}"
