"""Nodes in this process that get lost when a test wants it: a worker with all it knows, or the whole node."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from damier.cluster.nodes import Call, LocalNodes, NodeLost, NoNodes
from damier.core.messages import message


class FailingNodes(LocalNodes):
    """Loses a node with every call whose number is in `losses`, before the call or after it."""

    def __init__(self, count: int, losses: set[int], *, whole: bool, before: bool = True) -> None:
        super().__init__(count)
        self._losses, self._whole, self._before = losses, whole, before
        self._making: tuple[Callable[..., Any], tuple[Any, ...]]
        self._lost: set[int] = set()
        self.submitted: list[str] = []
        self.replaced = 0

    def start(self, make: Callable[..., Any], *arguments: Any) -> None:
        self._making = make, arguments
        super().start(make, *arguments)

    def submit(self, node: int, method: str, *arguments: Any, name: str) -> Call:
        self.submitted.append(name)
        is_last = len(self.submitted) in self._losses
        worker = self._workers[node]

        def call(*given: Any) -> Any:
            if is_last and self._before:
                self._lost.add(node)
            if node in self._lost:
                raise NodeLost
            answer = getattr(worker, method)(*given)
            if is_last:
                self._lost.add(node)
                raise NodeLost
            return answer

        self._workers[node] = SimpleNamespace(**{method: call})  # stands in for the worker during this call
        try:
            return super().submit(node, method, *arguments, name=name)
        finally:
            self._workers[node] = worker

    def replace_lost(self) -> list[int]:
        lost, self._lost = sorted(self._lost), set()
        self.replaced += len(lost)
        make, arguments = self._making
        for node in lost:
            if self._whole:
                del self.threads[node], self._workers[node]
            else:
                self._workers[node] = make(*arguments, self.threads[node])
        if not self.threads:
            raise NoNodes(message("All nodes of the cluster are lost; the same command goes on where it was."))
        return [] if self._whole else lost
