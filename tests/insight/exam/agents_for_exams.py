"""Agents for exams in tests, in a module that ``python:MODULE:FUNCTION`` can name."""

from collections.abc import Mapping

import damier


def first(record: damier.Record) -> str:
    """Plays the first action, and tries to spoil the record, of which it should only get a copy."""
    actions = record.actions()
    record.play(actions[-1])
    return actions[0]


def even(record: damier.Record) -> Mapping[str, float]:
    """Gives every action the same probability."""
    actions = record.actions()
    return {action: 1 / len(actions) for action in actions}


def illegal(record: damier.Record) -> str:
    return "z9"


def nothing(record: damier.Record) -> None:
    return None


def unsure(record: damier.Record) -> Mapping[str, float]:
    return dict.fromkeys(record.actions(), 0.5)


def broken(record: damier.Record) -> str:
    raise ZeroDivisionError("division by zero")


a_number = 7


def huge(record: damier.Record) -> Mapping[str, float]:
    return {record.actions()[0]: 10**400}


def leaves(record: damier.Record) -> str:
    raise SystemExit(3)


def plays_nonsense(record: damier.Record) -> str:
    record.play("zz")
    return "zz"


class Unspeakable:
    def __repr__(self) -> str:
        raise ValueError("no words")


def unspeakable(record: damier.Record) -> Unspeakable:
    return Unspeakable()


class Unready:
    """Fails when a game begins."""

    def new_game(self) -> None:
        raise ValueError("not today")

    def __call__(self, record: damier.Record) -> str:
        return record.actions()[0]


unready = Unready()
