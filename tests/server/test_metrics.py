"""Metrics for operators."""

import math
from pathlib import Path

from damier.core.version import __version__
from damier.server.operations.metrics import Metrics
from damier.server.store.store import Store


def sample(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def test_requests_are_counted_by_route_method_and_status() -> None:
    metrics = Metrics()
    metrics.answered("/api/games", "GET", 200, 0.004)
    metrics.answered("/api/games", "BREW", 405, 0.2)
    assert sample(metrics, "damier_requests_total", route="/api/games", method="GET", status="200") == 1
    assert sample(metrics, "damier_requests_total", route="/api/games", method="other", status="405") == 1
    assert sample(metrics, "damier_request_seconds_bucket", route="/api/games", le="0.005") == 1
    assert sample(metrics, "damier_request_seconds_count", route="/api/games") == 2


def test_two_servers_in_one_process_count_apart() -> None:
    one, other = Metrics(), Metrics()
    one.refused("limit")
    assert sample(one, "damier_refused_total", reason="limit") == 1
    assert sample(other, "damier_refused_total", reason="limit") is None


def test_queues_and_connections_are_read_when_metrics_are_requested() -> None:
    metrics, load = Metrics(), [3, 1]
    metrics.watch_queue("playing", lambda: (load[0], load[1]))
    metrics.watch_connections(lambda: 7, lambda: 2)
    assert sample(metrics, "damier_work_waiting", kind="playing") == 3
    load[:] = [0, 2]
    assert sample(metrics, "damier_work_waiting", kind="playing") == 0
    assert sample(metrics, "damier_work_running", kind="playing") == 2
    assert sample(metrics, "damier_connections") == 7
    assert sample(metrics, "damier_connections_refused") == 2


def test_the_state_of_a_server_and_its_processes_can_be_read() -> None:
    metrics, state = Metrics(), {"draining": False, "redis": True}
    assert math.isnan(sample(metrics, "damier_redis_up") or 0.0)  # without one
    metrics.watch_server(lambda: state["draining"], lambda: state["redis"])
    metrics.processes("engines", 3)
    assert (sample(metrics, "damier_draining"), sample(metrics, "damier_redis_up")) == (0, 1)
    state.update(draining=True, redis=False)
    assert (sample(metrics, "damier_draining"), sample(metrics, "damier_redis_up")) == (1, 0)
    assert sample(metrics, "damier_processes", kind="engines") == 3
    assert sample(metrics, "damier_build_info", version=__version__) == 1


def test_matches_and_turns_are_counted() -> None:
    metrics = Metrics()
    metrics.event_stored("play")
    metrics.action_stored(0.003)
    metrics.computer_turn("played")
    metrics.store_failed("append events")
    metrics.match_damaged()
    metrics.matches_deleted(3)
    metrics.socket_opened("match")
    metrics.socket_opened("match")
    metrics.socket_closed("match")
    assert sample(metrics, "damier_events_total", kind="play") == 1
    assert sample(metrics, "damier_action_seconds_count") == 1
    assert sample(metrics, "damier_computer_turns_total", outcome="played") == 1
    assert sample(metrics, "damier_store_failures_total", what="append events") == 1
    assert sample(metrics, "damier_damaged_matches_total") == 1
    assert sample(metrics, "damier_deleted_matches_total") == 3
    assert sample(metrics, "damier_sockets", kind="match") == 1


def test_sizes_are_read_when_metrics_are_requested(tmp_path: Path) -> None:
    metrics, file = Metrics(), tmp_path / "matches.sqlite"
    metrics.watch(lambda: 7, Store(file).size)
    assert sample(metrics, "damier_database_bytes") == 0
    file.write_bytes(b"x" * 10)
    file.with_name("matches.sqlite-wal").write_bytes(b"x" * 5)
    assert sample(metrics, "damier_database_bytes") == 15
    assert b"damier_matches_in_memory 7.0" in metrics.text()
