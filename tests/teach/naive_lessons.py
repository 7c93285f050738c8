"""The conditions of lessons, judged by slow and simple code written from ``docs/lessons.md`` alone."""

from collections.abc import Iterator
from typing import Any

from damier.core.position import Position
from damier.core.record import Record


def complete_turns(record: Record, player: str) -> Iterator[Record]:
    """Yields the game after every turn of a player, by plain recursion."""
    for action in record.actions():
        then = record.copy()
        then.play(action)
        if then.result is None and then.mover == player:
            yield from complete_turns(then, player)
        else:
            yield then


def has_won(record: Record, player: str) -> bool:
    return record.result is not None and record.result.winner == player


def has_lost(record: Record, player: str) -> bool:
    return record.result is not None and record.result.winner not in (None, player)


def can_win(record: Record, player: str) -> bool:
    return any(has_won(then, player) for then in complete_turns(record, player))


def lucky_rolls(record: Record, player: str) -> int:
    count = 0
    for number in range(1, 7):
        then = record.copy()
        then.play(f"roll:{number}")
        count += has_won(then, player)
    return count


def can_force(record: Record, player: str, turns: int) -> bool:
    """Tells whether a player who is on move can force a win within `turns` turns."""
    return any(has_forced(then, player, turns) for then in complete_turns(record, player))


def has_forced(record: Record, player: str, turns: int) -> bool:
    """Tells whether a player who has just used the first of `turns` turns wins within them."""
    if record.result is not None or turns == 1:
        return has_won(record, player)
    answers = complete_turns(record, record.mover)
    return all(has_won(answer, player) if answer.result else can_force(answer, player, turns - 1) for answer in answers)


def threatens(record: Record, player: str) -> bool:
    answers = list(complete_turns(record, record.mover))
    if any(has_lost(answer, player) for answer in answers):
        return False
    left = [answer for answer in answers if has_won(answer, player) or (not answer.result and can_win(answer, player))]
    return len(left) > len(answers) / 2


def held(position: Position, player: str, mark: str | None) -> set[str]:
    """Returns the cells on top of which a player has a piece, with a mark if one is given."""
    found = set()
    for cell in {piece.cell for piece in position.pieces()}:
        stack = [piece for piece in position.pieces() if piece.cell == cell]
        top = max(stack, key=lambda piece: piece.level)
        if top.player == player and (mark is None or mark in top.marks):
            found.add(cell)
    return found


def count(condition: str, parameters: Any, before: Position, after: Position) -> int:
    """Returns the number that a condition with ``at_least`` asks for."""
    player = parameters["player"]
    had, has = ([piece for piece in position.pieces() if piece.player == player] for position in (before, after))
    if condition == "removes":
        return len(had) - len(has)
    if condition == "keeps":
        return len(has)
    if condition == "marks":
        return sum(parameters["mark"] in piece.marks for piece in has)
    assert condition == "covers"
    return len(held(before, player, None)) - len(held(after, player, None))


def holds(condition: str, parameters: Any, before: Record, after: Record, action: str) -> bool:
    """Judges a condition when a turn of one action is over."""
    player = before.mover
    if condition == "wins_at_once":
        return has_won(after, player) or (after.mover == "chance" and lucky_rolls(after, player) == 6)
    if condition == "draws_at_once":
        return after.result is not None and after.result.winner is None
    if condition == "winning_rolls":
        return bool(lucky_rolls(after, player) >= parameters["at_least"])
    if condition == "wins_by_force":
        return has_forced(after, player, parameters["turns"])
    if condition == "stops_win":
        return not has_lost(after, player) and (after.result is not None or not can_win(after, after.mover))
    if condition == "keeps_draw":
        is_over = after.result is not None
        return not has_lost(after, player) and (is_over or not can_force(after, after.mover, parameters["turns"]))
    if condition == "makes_threat":
        return threatens(after, player)
    if condition == "sign":
        return parameters["is"] in action
    if condition == "reaches":
        mark = parameters.get("mark")
        new = held(after.position, player, mark) - held(before.position, player, mark)
        return any(cell in new for cell in parameters["cells"])
    return bool(count(condition, parameters, before.position, after.position) >= parameters["at_least"])
