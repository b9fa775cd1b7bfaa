"""What runs now, for who keeps the server. Source: PROTOCOL §2.

Numbers alone: no name, no tile, no coin of anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

router = APIRouter(tags=["operations"])


@dataclass(frozen=True, slots=True)
class Load:
    """What this process holds: rooms by phase, sockets, and the tasks and timers that keep rooms going."""

    rooms: Mapping[str, int]
    stopped: int  # rooms that could not go on
    players: int
    watchers: int
    sockets: int
    tasks: int
    timers: int


class LoadCollector(Collector):
    """Reads the load whenever somebody asks for it."""

    def __init__(self, load: Callable[[], Load]) -> None:
        self._load = load

    def collect(self) -> Iterator[GaugeMetricFamily]:
        load = self._load()
        rooms = GaugeMetricFamily("erma_rooms", "Open rooms by phase", labels=["phase"])
        for phase, number in load.rooms.items():
            rooms.add_metric([phase], number)
        yield rooms
        yield GaugeMetricFamily("erma_rooms_stopped", "Rooms that could not go on", load.stopped)
        yield GaugeMetricFamily("erma_players", "Players who sit at a table", load.players)
        yield GaugeMetricFamily("erma_watchers", "Connections that watch", load.watchers)
        yield GaugeMetricFamily("erma_sockets", "Open WebSockets", load.sockets)
        yield GaugeMetricFamily("erma_room_tasks", "Tasks of rooms", load.tasks)
        yield GaugeMetricFamily("erma_room_timers", "Timers of rooms", load.timers)


def metrics_of(load: Callable[[], Load]) -> CollectorRegistry:
    """One application's metrics, and its process's."""
    registry = CollectorRegistry()
    registry.register(LoadCollector(load))
    ProcessCollector(registry=registry)
    return registry


@router.get("/metrics", response_class=Response, responses={200: {"content": {CONTENT_TYPE_LATEST: {}}}})
async def metrics(request: Request) -> Response:
    """In the text form of Prometheus."""
    registry: CollectorRegistry = request.app.state.metrics
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
