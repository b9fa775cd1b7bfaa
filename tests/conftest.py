"""Settings of the whole suite: the same examples every run, however slow the machine."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "erma", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=60
)
settings.load_profile("erma")
