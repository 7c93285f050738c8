"""The reason why clicks are refused: it fits what was clicked, and a first click is told what can be clicked."""

import random
from collections.abc import Iterator

import pytest

import damier
from damier.core.drawing import HAND
from damier.core.messages import LANGUAGES
from damier.games import register, unregister
from damier.server.refusals import explain_clicks, explain_refusal
from damier.server.wire.matches import Attempt
from tests.games.minimal import GAME
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of
from tests.games.random_positions import random_position

RENFA = "5/1W3/1BW2/3WB/1B3 b 0,0"
CHEFA = "B3W/5/1B1WW/5/B1W1B b 0,0 -"
BADIA = "BW1WB/1...W/1.1.1/1...W/BBW1B b 0,0 e1,c1 -"
SENSEI = "RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2,1"
OMBA = "-,12,-/1,221,-/-,-,2 1 3,2 4 -"

MOVE_OR_DETONATE = "Click one of your bombs to move it, or an enemy bomb that touches yours to detonate it."


@pytest.mark.parametrize(
    ("name", "position", "played", "cells", "sentence"),
    [
        # A character is picked first: the reason is about the character.
        ("sensei", SENSEI, "", "d1 g7", "The character goes to a stone of your own, and there is none on g7."),
        ("sensei", SENSEI, "", "d1 d3", "The character goes to a stone of your own, and there is none on d3."),
        ("sensei", SENSEI, "b1-b2", "d1 b2", "d1 and b2 are not in one line."),
        ("sensei", SENSEI, "", "a1 b2", "A stone moves along its row or column, and b2 is on neither."),
        ("sensei", SENSEI, "", "a1 g7", "There is already a stone on g7."),
        # An enemy pawn is the target: the reason is about the swap or the way it is displaced, not the notation.
        ("chefa", CHEFA, "", "b3 e3", "A pawn stands between b3 and e3."),
        ("chefa", CHEFA, "", "b3 c3", "The centre c3 is not a cell: no pawn can enter it."),
        ("chefa", CHEFA, "b3=d3", "b3 d3", "The swap of b3 and d3 has just been made and may not be undone at once."),
        ("badia", BADIA, "a5=b5", "a5 b5", "This would repeat the situation at the start."),
        ("badia", BADIA, "", "b1 d1", "d1 does not touch b1."),
        ("omba", OMBA, "", "@ b1", "No way in from outside to b1 costs exactly 4."),
        # A first click.
        ("renfa", RENFA, "", "b3", f"The bomb on b3 is pinned: two enemy bombs touch it. {MOVE_OR_DETONATE}"),
        ("renfa", RENFA, "", "a5", f"There is no bomb on a5. {MOVE_OR_DETONATE}"),
        (
            "renfa",
            "4W/5/3B1/2W1B/B1WB1 b 0,0",
            "",
            "e5",
            f"None of your bombs touches the bomb on e5. {MOVE_OR_DETONATE}",
        ),
        ("renfa", "5/5/5/5/5 b 6,6", "c3", "c3", "There is already a bomb on c3. Click an empty cell to place a bomb."),
        (
            "renfa",
            "WW3/BBW2/5/5/5 w 0,0",
            "",
            "a5",
            f"The bomb on a5 cannot move: there is no empty cell beside it. {MOVE_OR_DETONATE}",
        ),
        ("chefa", CHEFA, "", "e5", "The pawn on e5 is not yours. Click one of your pawns."),
        ("chefa", CHEFA, "", "c3", "The centre c3 is not a cell: no pawn can enter it. Click one of your pawns."),
        (
            "badia",
            BADIA,
            "",
            "e1",
            "The pawn on e1 carries your marker: you moved it last, so another must move. "
            "Click one of your pawns, but not the one with the marker.",
        ),
        (
            "badia",
            "B1W1B/1...1/B.B.W/1...W/1BW1W b 0,0 a3,e3 -",
            "b1-c1>?",
            "c1",
            "There is already a pawn on c1. Click an empty cell for your displaced pawn.",
        ),
        (
            "badia",
            "5/1...1/1.1.1/1...1/5 b 5,5 -,- -",
            "",
            "c1",
            "Pawns are placed on square cells, and c1 is not one. Click an empty square cell to place a pawn.",
        ),
        ("sensei", SENSEI, "", "d4", "There is no stone on d4. Click one of your stones or your character."),
        ("sensei", SENSEI, "", "g7", "The stone on g7 is not yours. Click one of your stones or your character."),
        (
            "sensei",
            SENSEI,
            "d1^c1",
            "c1",
            "The character has already moved in this turn. "
            "Click one of your stones, but not the one with the character, or end the turn.",
        ),
        (
            "sensei",
            SENSEI,
            "a1-a2 a2-a3",
            "b1",
            "Both stone moves of this turn are used. Click your character, or end the turn.",
        ),
        (
            "sensei",
            SENSEI,
            "a1-a2",
            "a1",
            "There is no stone on a1. Click one of your stones or your character, or end the turn.",
        ),
        (
            "omba",
            OMBA,
            "",
            "b3",
            "Your piece on b3 is buried: only the top of a stack can move. "
            "Click one of your pieces that is on top of a stack, or bring in a piece.",
        ),
        (
            "chefa",
            "2WB1/5/3W1/BW3/BB2W b 0,0 -",
            "",
            "a1",
            "The pawn on a1 can neither step nor swap now. Click one of your pawns.",
        ),
        (
            "sensei",
            "RRRRRRR/7/7/7/7/G6/GG1GGGG g d1,d7 2,1",
            "",
            "a1",
            "The stone on a1 cannot move: there is no empty cell beside it. "
            "Click one of your stones or your character.",
        ),
        (
            "badia",
            "W1W1W/1...1/W.1.W/B...1/BBB1B b 0,0 -,- -",
            "",
            "a1",
            "The pawn on a1 cannot move: your own pawns stand on all cells that it touches. Click one of your pawns.",
        ),
        (
            "omba",
            "-,-,-/-,-,-/221,-,- 1 5,4 2 -",
            "",
            "a1",
            "No way from a1 costs exactly 2. Click one of your pieces that is on top of a stack, or bring in a piece.",
        ),
        (
            "omba",
            "-,-,-/-,-,-/-,-,- 1 6,6 2 -",
            "",
            "b1",
            "No way in from outside to b1 costs exactly 2. Bring in a piece: click the cell on which it ends.",
        ),
        ("omba", "-,-,-/-,-,-/-,-,- 1 6,6 - -", "", "b1", "First the die is rolled."),
        ("chefa", CHEFA, "", "z9", "There is no cell z9 on this board. Click one of your pawns."),
        ("chefa", CHEFA, "", "b3", "The action is not complete: click one of a3, b2, b4, d3."),
    ],
)
def test_the_reason_fits_what_was_clicked(name: str, position: str, played: str, cells: str, sentence: str) -> None:
    record = damier.load(name).record(position)
    for action in played.split():
        record.play(action)
    assert " ".join(str(each) for each in explain_clicks(record, cells.split())) == sentence


def sampled(option_set: OptionSet, count: int) -> Iterator[damier.Record]:
    """Yields games that go on, from random positions."""
    name, options = option_set
    game = damier.load(name, **options)
    rng = random.Random(name_of(option_set))
    while count:
        record = game.record(random_position(name, options, rng))
        if record.result is None:
            count -= 1
            yield record


def owner_on(record: damier.Record, cell: str) -> str | None:
    """Returns whose piece is on top of a cell."""
    return {piece.cell: piece.player for piece in record.position.pieces()}.get(cell)


SETS = [option_set for option_set in OPTION_SETS if option_set[1].get("size", 5) == 5]


@pytest.mark.parametrize("option_set", SETS, ids=name_of)
def test_two_clicks_from_a_piece_of_ones_own_are_refused_for_a_reason_about_it(option_set: OptionSet) -> None:
    """Whoever clicks an own piece is not told that it is another's, that none is there, or how to write an action."""
    for record in sampled(option_set, 3):
        cells = [cell.name for cell in record.game.drawing.cells]
        begun = {record.game.action_cells(text)[:2] for text in record.actions()}
        starts = sorted({clicks[0] for clicks in begun if len(clicks) == 2 and clicks[0] != HAND})
        for first in starts:
            assert owner_on(record, first) == record.mover
            for second in set(cells) - {first} - {clicks[1] for clicks in begun if clicks[:1] == (first,)}:
                (reason,) = explain_clicks(record, [first, second])
                said = str(reason)
                assert "not yours" not in said or f"{second} is not yours" in said, (first, second, said)
                assert f"no bomb on {first}" not in said
                assert f"no pawn on {first}" not in said
                assert "written" not in said, (first, second, said)
                assert "such as" not in said, (first, second, said)
                assert first in said or second in said or reason.values == {}, (first, second, said)


@pytest.mark.parametrize("option_set", SETS, ids=name_of)
def test_a_first_click_that_begins_nothing_is_told_why_and_what_can_be_clicked(option_set: OptionSet) -> None:
    for record in sampled(option_set, 3):
        cells = [cell.name for cell in record.game.drawing.cells]
        begun = {record.game.action_cells(text) for text in record.actions()}
        for cell in set(cells) - {clicks[0] for clicks in begun if clicks} - {clicks[-1] for clicks in begun if clicks}:
            reason, *advice = explain_clicks(record, [cell])
            assert advice == ([] if record.mover == "chance" else [record.position.first_click()])
            for lang in LANGUAGES:
                assert "{" not in reason.render(lang)
            if record.mover != "chance":
                assert cell in str(reason) or reason.values == {}, str(reason)
                assert "such as" not in str(reason), str(reason)


def test_a_character_that_is_clicked_first_is_never_refused_as_a_stone() -> None:
    for record in sampled(("sensei", {}), 10):
        carriers = [clicks for text in record.actions() if "^" in text for clicks in [record.game.action_cells(text)]]
        for first, _ in carriers[:1]:
            for cell in record.game.drawing.cells:
                if cell.name != first and (first, cell.name) not in carriers:
                    (reason,) = explain_clicks(record, [first, cell.name])
                    assert "A stone" not in str(reason)
                    assert "cannot move" not in str(reason)


def test_a_game_that_does_not_say_what_can_be_clicked_has_its_cells_listed() -> None:
    register(GAME)
    try:
        record = damier.load("rows").record()
        record.play("b2")
        said = [" ".join(each.render(lang) for each in explain_clicks(record, ["b2"])) for lang in LANGUAGES]
    finally:
        unregister("rows")
    assert said[0] == "This action is not possible now. Click one of a1, a2, a3, b1, b3, c1, c2, c3."
    assert all("a1, a2, a3" in each for each in said)


def test_a_game_that_is_over_says_so() -> None:
    record = damier.load("chefa").record()
    record.resign("b")
    assert str(explain_clicks(record, ["a1"])[0]).startswith("The game is over. White wins")


def test_an_action_that_has_become_possible_is_to_be_tried_again() -> None:
    record = damier.load("chefa").record()
    refusal = explain_refusal(record, Attempt(action="a1"), "en")
    assert refusal.sentence == "This action is possible now: try again."
    assert explain_refusal(record, Attempt(), "en").sentence == "Click an empty cell to place a pawn."
