"""The files for those who run a server: every name in them exists, and their own checkers find nothing."""

import json
import re
from pathlib import Path

from damier.server.operations.metrics import Metrics

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
_METRIC = re.compile(r"\b(?:damier|process)_[a-z_]+\b")


def samples() -> set[str]:
    """Returns the names of all samples that a server gives."""
    metrics = Metrics()
    metrics.answered("/", "GET", 200, 0.1)
    return {
        name + suffix
        for family in metrics.registry.collect()
        for name, suffixes in (
            (family.name, {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}.get(family.type, ("",))),
        )
        for suffix in suffixes
    }


def test_every_metric_of_the_dashboard_exists() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked += [each["query"] for each in board["templating"]["list"] if each["type"] == "query"]
    named = {name for text in asked for name in _METRIC.findall(text)}
    assert len(named) > 15
    assert named - samples() == set()


def test_every_metric_of_the_server_is_on_the_dashboard() -> None:
    text = (DEPLOY / "grafana.json").read_text(encoding="utf-8")
    families = [family.name for family in Metrics().registry.collect() if family.name.startswith("damier_")]
    assert len(families) > 12
    assert [name for name in families if name not in text] == []


def test_the_panels_of_the_dashboard_do_not_overlap() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
    assert len(set(places)) == len(places)
    assert len({panel["id"] for panel in board["panels"]}) == len(places)
