"""Metrics for operators, in the format of Prometheus; ``docs/operations.md`` lists them.

Each `Metrics` has a registry of its own, so that several servers in one process do not count for each other. Labels
have few values: routes by their template, never by their address. All methods may be called from any thread.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Final, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from damier.core.version import __version__

SocketKind = Literal["match", "analysis", "stream", "other"]
Reason = Literal["limit", "host", "origin", "token", "length", "queue", "time"]
"""Why a request is refused before anything is done for it."""

TurnOutcome = Literal["played", "failed", "retried"]

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST

_METHODS = frozenset(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The counters and gauges of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        requests = Counter(
            "damier_requests", "Requests answered.", ["route", "method", "status"], registry=self.registry
        )
        durations = Histogram(
            "damier_request_seconds",
            "Time from a request to the end of its answer.",
            ["route"],
            registry=self.registry,
            buckets=_SECONDS,
        )
        sockets = self._gauge("damier_sockets", "Open sockets.", "kind")
        events = self._counter("damier_events", "Events of matches stored.", "kind")
        refusals = self._counter("damier_refused", "Requests refused unserved.", "reason")
        turns = self._counter("damier_computer_turns", "Turns of the computer, and attempts at them.", "outcome")
        failures = self._counter("damier_store_failures", "Reads and writes of the database that failed.", "what")
        damaged = Counter("damier_damaged_matches", "Requests for damaged matches.", registry=self.registry)
        deleted = Counter("damier_deleted_matches", "Matches deleted because of their age.", registry=self.registry)
        actions = Histogram(
            "damier_action_seconds",
            "Time from a visitor's request to play until the action is stored.",
            registry=self.registry,
            buckets=_SECONDS,
        )
        self._flags = Histogram(
            "damier_flag_seconds",
            "Time from the moment at which a clock is over until the server notices.",
            registry=self.registry,
            buckets=_SECONDS,
        )
        self._matches = Gauge("damier_matches_in_memory", "Matches in memory.", registry=self.registry)
        self._bytes = Gauge("damier_database_bytes", "Bytes in the files of the database.", registry=self.registry)
        self._waiting = self._gauge("damier_work_waiting", "Requests that wait for a process.", "kind")
        self._running = self._gauge("damier_work_running", "Requests that a process works on.", "kind")
        self._processes = self._gauge("damier_processes", "Processes for requests that take long.", "kind")
        self._draining = Gauge("damier_draining", "1 while the server is about to end.", registry=self.registry)
        self._redis = Gauge("damier_redis_up", "1 if Redis answers, not a number without one.", registry=self.registry)
        self._redis.set(math.nan)
        Info("damier_build", "The version of the program.", registry=self.registry).info({"version": __version__})
        self._connections = Gauge("damier_connections", "Open connections.", registry=self.registry)
        self._connections_refused = Gauge(
            "damier_connections_refused", "Connections refused or closed for others.", registry=self.registry
        )
        notices = Counter(
            "damier_notices", "Notices sent, and attempts at it.", ["channel", "outcome"], registry=self.registry
        )
        self._notice = cache(lambda channel, outcome: notices.labels(channel, outcome))
        self._actions = actions
        self._damaged, self._deleted = damaged, deleted
        self._request = cache(lambda route, method, status: requests.labels(route, method, status))
        self._duration = cache(durations.labels)
        self._socket = cache(sockets.labels)
        self._event = cache(events.labels)
        self._refusal = cache(refusals.labels)
        self._turn = cache(turns.labels)
        self._failure = cache(failures.labels)

    def _counter(self, name: str, help_text: str, label: str) -> Counter:
        return Counter(name, help_text, [label], registry=self.registry)

    def _gauge(self, name: str, help_text: str, label: str) -> Gauge:
        return Gauge(name, help_text, [label], registry=self.registry)

    def text(self) -> bytes:
        """Returns all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)

    # Requests and sockets

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Counts a request, by the template of its route."""
        self._request(route, method if method in _METHODS else "other", str(status)).inc()
        self._duration(route).observe(seconds)

    def refused(self, reason: Reason) -> None:
        """Counts a request that is refused before anything is done for it."""
        self._refusal(reason).inc()

    def socket_opened(self, kind: SocketKind) -> None:
        """Counts a socket that has been accepted."""
        self._socket(kind).inc()

    def socket_closed(self, kind: SocketKind) -> None:
        """Counts a socket that has ended."""
        self._socket(kind).dec()

    # Matches

    def action_stored(self, seconds: float) -> None:
        """Counts an action of a visitor, and the time from the request until it is stored."""
        self._actions.observe(seconds)

    def event_stored(self, kind: str) -> None:
        """Counts an event."""
        self._event(kind).inc()

    def flag_fell(self, late: int) -> None:
        """Counts a clock that is over, and how many milliseconds later that was noticed."""
        self._flags.observe(late / 1000)

    def computer_turn(self, outcome: TurnOutcome) -> None:
        """Counts a turn of the computer that was played or has failed, or an attempt that will be repeated."""
        self._turn(outcome).inc()

    def store_failed(self, what: str) -> None:
        """Counts a failure of the database; `what` is the operation, such as ``append events``."""
        self._failure(what).inc()

    def match_damaged(self) -> None:
        """Counts a request for a match whose stored data is damaged."""
        self._damaged.inc()

    def matches_deleted(self, count: int) -> None:
        """Counts matches that are deleted because of their age."""
        self._deleted.inc(count)

    def notice_sent(self, channel: str, outcome: str) -> None:
        """Counts an attempt to send a notice, by its channel and what became of it."""
        self._notice(channel, outcome).inc()

    def watch(self, matches: Callable[[], int], size: Callable[[], float]) -> None:
        """Reads the number of matches in memory and the size of the database whenever metrics are requested."""
        self._matches.set_function(matches)
        self._bytes.set_function(size)

    # Queues and connections

    def watch_queue(self, kind: str, load: Callable[[], tuple[int, int]]) -> None:
        """Reads how many requests of a kind wait and run, whenever metrics are requested."""
        self._waiting.labels(kind).set_function(lambda: load()[0])
        self._running.labels(kind).set_function(lambda: load()[1])

    def processes(self, kind: str, count: int) -> None:
        """Sets how many processes of a kind there are: `engines` or `pages`."""
        self._processes.labels(kind).set(count)

    def watch_server(self, is_draining: Callable[[], bool], has_redis: Callable[[], bool] | None) -> None:
        """Reads whether the server is about to end, and whether its Redis answers, whenever metrics are requested."""
        self._draining.set_function(is_draining)
        if has_redis:
            self._redis.set_function(has_redis)

    def watch_connections(self, count: Callable[[], int], refused: Callable[[], int]) -> None:
        """Reads how many connections are open and how many were refused, whenever metrics are requested."""
        self._connections.set_function(count)
        self._connections_refused.set_function(refused)
