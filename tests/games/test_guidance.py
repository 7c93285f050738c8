"""What newcomers are told: what to do in every state, what an action does, and how a game ended.

Previews are compared with the boards before and after, winning cells with patterns written from the rules contract.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest

import damier
from damier import Game, Position
from damier.core.guidance import aim_position, cell_list, end_words, guide_of, sentences, winning_cells
from damier.core.messages import LANGUAGES, Message, message
from damier.draw.previews import Preview, action_preview
from damier.server.board_data import drawing_data, play_state, previews_data
from tests.games.option_sets import OPTION_SETS, name_of
from tests.games.random_positions import ARROWS, RING, random_position

GAMES = 2  # random games for each option set
LONGEST = 50  # actions of a game
RANDOM_POSITIONS = 120  # for each option set, decided ones among them

every_option_set = pytest.mark.parametrize(
    ("name", "options"), OPTION_SETS, ids=[name_of(option_set) for option_set in OPTION_SETS]
)


@lru_cache(4)
def played_positions(game: Game) -> tuple[Position, ...]:
    """Returns the positions of some random games."""
    found, rng = [], random.Random(f"guidance {game}")
    for _ in range(GAMES):
        record = game.record()
        while record.result is None and len(record.played) < LONGEST:
            found.append(record.position)
            record.play(rng.choice(record.actions()))
    return tuple(found)


def decided_positions(name: str, options: dict[str, Any]) -> Iterator[Position]:
    """Yields random positions whose game is over by a reason of the game's own."""
    game, rng = damier.load(name, **options), random.Random(f"decided {name} {options}")
    for _ in range(RANDOM_POSITIONS):
        position = game.parse(random_position(name, options, rng))
        if position.result and position.result.reason in game.definition.reasons:
            yield position


# What to do now


@every_option_set
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_state_in_which_a_player_acts_has_a_guide(name: str, options: dict[str, Any], lang: str) -> None:
    game = damier.load(name, **options)
    drawing = drawing_data(game, lang)
    assert drawing.aim.endswith(".")
    assert drawing.legend.keys() == drawing.marks.keys()
    assert all(text.endswith(".") for text in drawing.legend.values())
    for position in played_positions(game)[:: 2 if lang == "en" else 9]:
        state = play_state(game.record(position), lang)
        if position.mover == "chance":
            assert state.guide is None
            continue
        assert state.guide
        assert state.guide.title
        assert state.guide.text.endswith(".")
        said = [drawing.aim, *drawing.legend.values(), str(state.guide.phase), state.guide.title, state.guide.text]
        assert not re.search("[{}]", " ".join([*said, *state.guide.next.values()]))
        assert not state.guide.title.endswith(".")
        begun = {" ".join(action.cells[:count]) for action in state.actions for count in range(1, len(action.cells))}
        assert state.guide.next.keys() == begun
        assert all(state.guide.next.values())


@every_option_set
def test_the_picture_of_the_aim_shows_a_win(name: str, options: dict[str, Any]) -> None:
    position = aim_position(damier.load(name, **options))
    if position is None:
        assert options.get("variant") == "arashi-expert" or options.get("players", 2) > 2
        return
    assert position.result is not None
    assert winning_cells(position, position.result)


@every_option_set
def test_there_is_no_guide_once_the_game_is_over(name: str, options: dict[str, Any]) -> None:
    found = list(decided_positions(name, options))
    assert found
    for position in found[:10]:
        state = play_state(position.game.record(position), "en")
        assert state.guide is None
        assert previews_data(position, "en").previews == {}


PHASES: list[tuple[str, dict[str, Any], str, str | None, str]] = [
    ("renfa", {}, "5/5/5/5/5 b 6,6", "Placing: 6 bombs left", "Place a bomb on an empty cell"),
    ("renfa", {"bombs": 3}, "5/5/5/5/BBBWW w 0,1", "Placing: 1 bomb left", "Place a bomb on an empty cell"),
    ("renfa", {}, "5/5/BB3/5/3WW b 0,0", "Sliding and blowing up", "Slide a bomb"),
    ("renfa", {}, "5/5/BW3/1B3/3WW b 0,0", "Sliding and blowing up", "Slide a bomb or blow one up"),
    ("renfa", {}, "5/5/5/W4/BW3 b 0,0", "Sliding and blowing up", "Blow up an enemy bomb"),
    ("chefa", {}, "5/5/5/5/5 b 4,4 -", "Placing: 4 pawns left", "Place a pawn on an empty cell"),
    (
        "chefa",
        {},
        "BWBWB/5/5/5/WBW2 b 0,0 -",
        "Moving",
        "Step with a pawn or swap it with an enemy pawn",
    ),
    ("badia", {}, "5/1...1/1.1.1/1...1/5 b 5,5 -,- -", "Placing: 5 pawns left", "Place a pawn on an empty square cell"),
    ("badia", {}, "BWBWB/W...1/1.1.1/W...1/BWB2 b 0,0 -,- -", "Moving", "Move a pawn to a cell that it touches"),
    (
        "badia",
        {},
        "BWBWB/W...1/1.1.1/W...1/BWB2 b 0,0 a1,- -",
        "Moving",
        "Move a pawn, but not the one with the marker",
    ),
    (
        "sensei",
        {},
        "RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2,1",
        "Left in this turn: 2 stone moves and a pass",
        "Choose a stone to move, or the character to pass",
    ),
    (
        "sensei",
        {},
        "RRRRRRR/7/7/7/7/G6/1GGGGGG g d1,d7 1,1",
        "Left in this turn: 1 stone move and a pass",
        "Move a stone, pass the character, or end the turn",
    ),
    (
        "sensei",
        {},
        "RRRRRRR/7/7/7/7/7/GGGGGGG g c1,d7 2,0",
        "Left in this turn: 2 stone moves",
        "Move a stone or end the turn",
    ),
    (
        "sensei",
        {},
        "RRRRRRR/7/7/7/G6/7/1GGGGGG g d1,d7 0,1",
        "Left in this turn: a pass",
        "Pass the character or end the turn",
    ),
    ("omba", {}, "-,-,-/-,-,-/-,-,- 1 6,6 4 -", "The die shows 4", "Bring in a piece with exactly 4 points"),
    ("omba", {}, "-,-,-/-,-,-/-,-,- 1 6,6 1 -", "The die shows 1", "Bring in a piece with exactly 1 point"),
    (
        "omba",
        {},
        "-,-,-/-,-,-/-,1,- 1 5,6 2 -",
        "The die shows 2",
        "Use exactly 2 points: move a piece that is on top, or bring one in",
    ),
]


@pytest.mark.parametrize(("name", "options", "text", "phase", "title"), PHASES)
def test_each_phase_has_its_sentence(name: str, options: dict[str, Any], text: str, phase: str, title: str) -> None:
    guide = guide_of(damier.load(name, **options).parse(text))
    assert (str(guide.phase), str(guide.title)) == (phase, title)


def waiting_position() -> Position:
    """Returns a position of Badia in which a displaced pawn waits, from random games."""
    game, rng = damier.load("badia"), random.Random(3)
    while True:
        record = game.record()
        while record.result is None and len(record.played) < 200:
            left = [text for text in record.actions() if text.endswith(">?")]
            record.play(left[0] if left else rng.choice(record.actions()))
            if left and record.result is None:
                return record.position


def test_a_displaced_pawn_waits_beside_the_board_until_its_owner_puts_it_down() -> None:
    position = waiting_position()
    state = play_state(position.game.record(position), "en")
    assert state.guide
    assert state.guide.title == "Put the displaced pawn on an empty cell"
    assert [piece.player for piece in state.waiting] == [position.mover]
    assert state.waiting[0].label.startswith({"b": "black pawn", "w": "white pawn"}[position.mover])
    assert (state.waiting[0].marks == ["marker"]) == str(position).endswith("m")
    action = position.actions()[0]
    preview = action_preview(position, action)
    assert (preview.placed, preview.moved, preview.gone) == ([action[1:]], [], [])
    assert play_state(position.game.record(position.play(action)), "en").waiting == []


def test_after_the_enemy_pawn_one_chooses_where_it_goes() -> None:
    position = damier.load("badia").parse("BWBWB/W...1/1.W.1/1...1/BWB2 b 0,0 -,- -")
    state = play_state(position.game.record(position), "en")
    assert state.guide
    assert state.guide.next["c1"] == "Choose a touching cell: empty, or with an enemy pawn"
    assert state.guide.next["c1 c3"] == "Choose where the pawn of White goes"


# What an action does


@every_option_set
def test_previews_are_the_difference_of_the_boards(name: str, options: dict[str, Any]) -> None:
    game, rng = damier.load(name, **options), random.Random(f"previews {name}")
    positions = [game.parse(random_position(name, options, rng)) for _ in range(15)]
    kinds: Counter[str] = Counter()
    for position in [*played_positions(game)[::5], *positions]:
        if position.mover == "chance":
            assert previews_data(position, "en").previews == {}
            continue
        actions = position.actions()
        for text in rng.sample(actions, min(12, len(actions))):
            preview = action_preview(position, text)
            check_preview(position, text, preview)
            kinds.update(name for name in ("gone", "moved", "placed") if getattr(preview, name))
    assert kinds["moved"]
    assert kinds["placed"] or not game.drawing.has_hands
    assert kinds["gone"] or name != "renfa"


def owners(position: Position) -> Counter[tuple[str, str]]:
    """Returns how many pieces of each player each cell holds."""
    return Counter((piece.player, piece.cell) for piece in position.pieces())


def check_preview(position: Position, text: str, preview: Preview) -> None:
    """Carries out what a preview says on the board and compares it with the board after the action."""
    after, board = position.play(text), owners(position)
    top = {piece.cell: piece.player for piece in position.pieces()}  # lower pieces come first
    is_pass = position.game.name == "sensei" and "^" in text
    for cell in (cell for step in preview.gone for cell in step):
        board[top[cell], cell] -= 1
    for route in preview.moved:
        if route.origin is not None and not is_pass:
            board[top[route.origin], route.origin] -= 1
            board[top[route.origin], route.target] += 1
    for cell in preview.placed:
        board[position.mover, cell] += 1
    if text.endswith(">?"):  # the pushed pawn waits beside the board
        board[top[text[3:5]], text[3:5]] -= 1
    assert +board == owners(after), (str(position), text)
    if is_pass:
        [route] = preview.moved
        assert [route.origin, route.target] == text.split("^")
    for before, then in pairwise(preview.gone):
        assert all(any(are_neighbours(cell, other) for other in before) for cell in then)
    assert all(len(step) == len(set(step)) for step in preview.gone)
    assert preview.gone[:1] in ([], [[text[1:]]])
    assert preview.is_irreversible == bool(preview.gone)
    assert preview.sentence
    for lang in LANGUAGES:
        said = preview.sentence.render(lang)
        assert said.endswith(".")
        assert not re.search("[{}]", said)
    if after.result:
        assert str(preview.sentence).endswith(after.result.sentence())


def are_neighbours(first: str, second: str) -> bool:
    """Tells whether two cells share an edge."""
    return abs(ord(first[0]) - ord(second[0])) + abs(int(first[1:]) - int(second[1:])) == 1


EFFECTS = [
    (
        "renfa",
        "5/5/WWB2/1B3/3WB b 0,0",
        "*b3",
        "Takes a3 and b3 from White, costs Black b2 and c3. Bombs left: White 1, Black 1. "
        "A draw: both players have too few bombs left.",
    ),
    ("renfa", "5/5/W1B2/5/3WB b 0,0", "c3-b3", "Black slides a bomb from c3 to b3. There it touches White on a3."),
    (
        "renfa",
        "5/W4/2B2/W4/3WB b 0,0",
        "c3-a3",
        "Black slides a bomb from c3 to a3. There it touches White on a2 and a4 and is pinned.",
    ),
    (
        "chefa",
        "BWBWB/5/5/5/WBW2 b 0,0 -",
        "a5=b5",
        "Black goes from a5 to b5, White from b5 to a5; White may not undo it at once.",
    ),
    (
        "badia",
        "BWBWB/W...1/1.W.1/1...1/BWB2 b 0,0 -,- -",
        "c1-c3>e3",
        "Black goes from c1 to c3 and pushes the pawn of White to e3.",
    ),
    (
        "sensei",
        "RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2,1",
        "d1^a1",
        "The sage is passed from d1 over c1 and b1 to the stone on a1.",
    ),
    ("sensei", "RRRRRRR/7/7/7/7/G6/1GGGGGG g d1,d7 1,1", "end", "Green ends the turn; Red is next."),
    (
        "omba",
        "-,-,-/-,-,-/-,2,- 1 6,5 2 -",
        "@b1",
        "Player 1 brings in a piece for 2 points: b1. Still in hand: 5. Covers a piece of Player 2.",
    ),
]


@pytest.mark.parametrize(("name", "text", "action", "sentence"), EFFECTS)
def test_an_action_says_what_it_gives_and_costs(name: str, text: str, action: str, sentence: str) -> None:
    assert str(action_preview(damier.load(name).parse(text), action).sentence) == sentence


def test_a_blast_spreads_step_by_step() -> None:
    position = damier.load("renfa").parse("5/2W2/WWB2/1B3/3WB b 0,0")
    assert action_preview(position, "*a3").gone == [["a3"], ["b3"], ["b2", "c3"], ["c4"]]


# The end


@every_option_set
def test_the_winning_cells_make_the_win(name: str, options: dict[str, Any]) -> None:
    for position in decided_positions(name, options):
        result = position.result
        assert result
        cells = winning_cells(position, result)
        top = {piece.cell: piece.player for piece in position.pieces()}
        assert (result.winner is None) == (not cells) or name == "omba"
        assert all(top[cell] == result.winner for cell in cells)
        assert is_pattern(position, cells), (str(position), cells)
        data = play_state(position.game.record(position), "en")
        assert data.winning == cells
        assert data.result
        assert data.result.words
        assert data.result.words == str(end_words(position, result))
        assert data.result.details is None or data.result.details.endswith(".")
        for lang in LANGUAGES[1:]:
            told = play_state(position.game.record(position), lang).result
            assert told
            assert not re.search("[{}]", f"{told.words} {told.details}")


def is_pattern(position: Position, cells: list[str]) -> bool:
    """Tells, from the contract of the rules alone, whether cells are the pattern that won."""
    result = position.result
    assert result
    own = [piece.cell for piece in position.pieces() if piece.player == result.winner]
    match position.game.name:
        case "renfa":
            return result.winner is None or sorted(cells) == sorted(own)
        case "chefa":
            columns, rows = {cell[0] for cell in cells}, {cell[1] for cell in cells}
            is_square = {ord(max(columns)) - ord(min(columns)), int(max(rows)) - int(min(rows))} == {1}
            return len(set(cells)) == 4 and (is_square or 1 in (len(columns), len(rows)))
        case "badia":
            places = [RING.index(cell) for cell in cells]
            return (
                len(cells) == 5
                and all((then - before) % 16 in (1, 15) for before, then in pairwise(places))
                and len(set(cells)) == 5
                and sum(cell in ARROWS for cell in cells) == 1
            )
        case "sensei" if result.reason == "home":
            carried = [piece.cell for piece in position.pieces() if piece.marks and piece.player == result.winner]
            return cells == carried and cells[0][1] == {"g": "7", "r": "1"}[result.winner or ""]
        case "sensei":
            wall = [piece.cell for piece in position.pieces() if piece.player != result.winner]
            wall += [cell.name for cell in position.game.drawing.cells if cell.kind == "pit"]
            return len(cells) >= 3 and all(any(are_neighbours(cell, other) for other in wall) for cell in cells)
        case _:
            return sorted(cells) == sorted({cell for cell in own if _top_owner(position, cell) == result.winner})


def _top_owner(position: Position, cell: str) -> str:
    return [piece.player for piece in position.pieces() if piece.cell == cell][-1]


ENDS = [
    ("renfa", {}, "5/5/BB3/5/4W w 0,0", "White has only one bomb left", "Bombs left: Black 2, White 1."),
    ("renfa", {"last": 0}, "5/5/BB3/5/5 w 0,0", "White has no bomb left", "Bombs left: Black 2, White 0."),
    ("renfa", {}, "5/5/B4/5/4W w 0,0", "both players have too few bombs left", "Bombs left: Black 1, White 1."),
    ("chefa", {}, "WW3/5/5/W4/BB1BB w 0,1 -", "four in row 1", "Black has pawns on a1, b1, d1 and e1."),
    ("chefa", {}, "WW3/W4/5/BB3/BB3 w 0,1 -", "four in a square", "Black has pawns on a1, b1, a2 and b2."),
    (
        "badia",
        {},
        "1W1W1/1...W/1.1.1/B...W/BBBBW w 0,0 a1,- -",
        "five in a block",
        "Black has pawns on a2, a1, b1, c1 and d1, with the arrow on c1.",
    ),
    (
        "sensei",
        {},
        "RGRRRRR/R6/7/7/7/7/G1GGGGG r b7,d7 2,1",
        "the sage is on row 7",
        "Green's character is on b7, on the row where Red began.",
    ),
    ("omba", {}, "-,-,-/-,1,-/-,-,- 1 5,6 - 2", "Player 2 is out", "Player 2 could not use the number rolled."),
    (
        "omba",
        {"players": 3},
        "-,-,-/-,1,-/-,-,- 1 3,4,4 - 3,2",
        "all others are out",
        "Out, in this order: Player 3, Player 2.",
    ),
]


@pytest.mark.parametrize(("name", "options", "text", "words", "details"), ENDS)
def test_the_end_in_a_few_words_and_in_detail(
    name: str, options: dict[str, Any], text: str, words: str, details: str
) -> None:
    position = damier.load(name, **options).parse(text)
    result = play_state(position.game.record(position), "en").result
    assert result
    assert (result.words, result.details) == (words, details)


def test_unfair_play_is_told_with_its_chain() -> None:
    position = damier.load("sensei").parse("3RRRR/5R1/1R1R3/1G1G1G1/G1G1G1G/7/7 r d4,d7 2,1")
    ended = position.play("f6-f5").play("end")
    result = play_state(ended.game.record(ended), "en").result
    assert result
    assert result.words == "unfair play by Green"
    assert result.details == (
        "Green's chain a3, c3, e3, g3, b4, d4 and f4 spans the board, and stones of Red touch it on b5, d5 and f5."
    )
    assert winning_cells(ended, ended.result) == ["b5", "d5", "f5"]


@pytest.mark.parametrize(
    ("act", "words"),
    [("resign", "Black has resigned"), ("lose_on_time", "Black has run out of time")],
)
def test_acts_of_a_match_name_the_loser(act: str, words: str) -> None:
    record = damier.load("chefa").record()
    getattr(record, act)("b")
    state = play_state(record, "en")
    assert state.result
    assert (state.result.words, state.result.details, state.winning) == (words, None, [])


def test_lists_and_sentences_are_joined_in_every_language() -> None:
    assert cell_list(["a1"]) == "a1"
    listed = cell_list(["a1", "b1", "c1"])
    assert isinstance(listed, Message)
    assert [listed.render(lang) for lang in LANGUAGES] == ["a1, b1 and c1", "a1, b1 et c1", "a1, b1 und c1"]
    assert str(sentences(message("End turn"), None, message("Place a bomb on an empty cell"))) == (
        "End turn Place a bomb on an empty cell"
    )
