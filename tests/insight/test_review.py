"""Reviews of played games: what an action cost, what the die did, the graph, the annotated record."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace

import pytest

import damier
from damier.core.errors import BadArgument
from damier.draw.palette import THEMES
from damier.engine.analysis import Analysis, Line, Value
from damier.engine.limit import Limit
from damier.insight.review import review as reviews
from damier.insight.review.graph import chance_svg, chance_text
from damier.insight.review.review import Review, annotated, review
from damier.transcript.tree import Transcript
from tests.games.minimal import GAME

FEW = Limit(nodes=150)

#: Either can win at once: Black does not by c2-b2, so White does.
MISSED = '[Game "chefa"]\n[Position "3WW/2W1W/5/B1B2/BB3 b 0,0 -"]\n\n1. b1-c1 2. c4-d4\n'
#: White could stop Black's c2-b2, by d1=b1 or a3=a2, and does not.
UNSEEN = '[Game "chefa"]\n[Position "5/5/W3W/B1B2/BB1WW w 0,0 -"]\n\n1. d1-c1 2. c2-b2\n'
DICE = '[Game "omba"]\n[Options "players=3"]\n\n1. roll:1 @b1 2. roll:2 @b1 3. roll:3 @b1\n'
TURNS = '[Game "sensei"]\n[Players "Ann; Bob"]\n\n1. a1-a2+d1^c1+end 2. a7-a6+end 3. a2-a3\n'


def read(text: str) -> Transcript:
    """Returns the one game in a text."""
    (transcript,) = damier.read_transcripts(text)
    return transcript


@pytest.fixture(scope="module")
def missed() -> Review:
    return review(read(MISSED), FEW)


def test_a_missed_win_is_a_mistake(missed: Review) -> None:
    (step,) = missed.mistakes
    assert (step.action, step.mover, step.turn, step.better) == ("b1-c1", "b", 1, ("c2-b2",))
    assert (missed.chance_before(step), missed.chance_after(step), step.loss) == (1.0, 0.0, 1.0)


def test_a_threat_that_is_not_stopped_is_a_mistake() -> None:
    found = review(read(UNSEEN), FEW)
    (step,) = found.mistakes
    assert (step.action, step.mover, step.number) == ("d1-c1", "w", 0)
    assert step.better[0] in ("d1=b1", "a3=a2")
    assert found.chance_after(step) == 0.0
    assert step.loss == found.chance_before(step) > 0.05


def test_losses_are_never_negative_and_the_last_action_wins(missed: Review) -> None:
    assert [step.loss for step in missed.steps] == [1.0, 0.0]
    assert missed.chances == ((1.0, 0.0), (0.0, 1.0), (0.0, 1.0))
    assert missed.turns == (0, 1, 2)
    assert missed.average_losses == {"b": 1.0, "w": 0.0}
    assert missed.luck == {}


def test_the_biggest_mistake_comes_first(missed: Review) -> None:
    steps = [replace(missed.steps[0], loss=loss) for loss in (0.2, 0.04, 0.5, 0.05)]
    assert [step.loss for step in replace(missed, steps=tuple(steps)).mistakes] == [0.5, 0.2, 0.05]


def test_progress_is_told_and_ends_before_one() -> None:
    shares: list[float] = []
    review(read('[Game "chefa"]\n\n1. a1 2. e5 3. b2\n'), Limit(nodes=30), shares.append)
    assert shares == [0.25, 0.5, 0.75]


def test_rolls_give_nothing_away_but_are_luck() -> None:
    found = review(read(DICE), FEW)
    rolls = [step for step in found.steps if step.mover == "chance"]
    assert [step.action for step in rolls] == ["roll:1", "roll:2", "roll:3"]
    assert all(step.loss is None and step.luck and not step.is_mistake for step in rolls)
    assert [step.turn for step in found.steps] == [1, 1, 2, 2, 3, 3]
    assert set(found.luck) == {"1", "2", "3"}
    assert set(found.average_losses) == {"1", "2", "3"}


def test_a_game_without_actions_has_a_review() -> None:
    found = review(read('[Game "chefa"]\n'), Limit(nodes=30))
    assert (found.steps, found.average_losses, found.mistakes) == ((), {}, [])
    assert len(found.chances) == 1
    assert chance_text(found)
    ET.fromstring(chance_svg(found))


def test_a_resignation_is_not_searched_but_the_position_before_is() -> None:
    transcript = read('[Game "chefa"]\n[Result "w"]\n[Reason "resignation"]\n\n1. a1 2. e5\n')
    found = review(transcript, Limit(nodes=30))
    assert len(found.chances) == 3
    assert 0.0 < found.chances[-1][0] < 1.0


def test_a_draw_by_repetition_is_an_equal_share() -> None:
    loop = "a1-a2 c1-c2 a2-a1 c2-c1 " * 2
    found = review(read(f'[Game "chefa"]\n[Position "B3W/5/1B1WW/5/B1W1B b 0,0 -"]\n\n{loop}\n'), Limit(nodes=30))
    assert found.chances[-1] == (0.5, 0.5)


# A search with scripted results


class Told:
    """Stands in for an engine: values by position string for the first player, and a best line."""

    values: dict[str, float]
    line: tuple[str, ...]

    def __init__(self, game: damier.Game, *, uses_tables: bool) -> None:
        assert uses_tables
        self.game = game

    def analyse(self, record: damier.Record, _limit: Limit, _lines: int) -> Iterator[Analysis]:
        chance = self.values[record.played[-1] if record.played else ""]
        line = self.line if not record.played else (record.actions()[0],)
        yield Analysis(record.mover, 1, 1, 0.0, (Line(line, Value((chance, 1 - chance))),))


def told(monkeypatch: pytest.MonkeyPatch, values: dict[str, float], line: tuple[str, ...]) -> Review:
    """Returns the review of a game of one action by an engine with scripted results."""
    monkeypatch.setattr(reviews, "Engine", Told)
    monkeypatch.setattr(Told, "values", values, raising=False)
    monkeypatch.setattr(Told, "line", line, raising=False)
    return review(read('[Game "chefa"]\n\n1. a1\n'), FEW)


def test_what_only_seems_worse_because_one_sees_further_is_no_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    found = told(monkeypatch, {"": 0.6, "a1": 0.4, "b1": 0.4}, ("b1", "e5"))
    assert [step.loss for step in found.steps] == [0.0]
    assert found.record.played == ("a1",)


def test_the_loss_is_measured_against_the_position_after_the_best_action(monkeypatch: pytest.MonkeyPatch) -> None:
    (step,) = told(monkeypatch, {"": 0.6, "a1": 0.4, "b1": 0.5}, ("b1", "e5")).steps
    assert step.loss == pytest.approx(0.1)
    assert (step.before[0], step.better) == (0.5, ("b1", "e5"))


def test_a_line_ends_where_the_rules_do_not_allow_it(monkeypatch: pytest.MonkeyPatch) -> None:
    (step,) = told(monkeypatch, {"": 0.6, "a1": 0.4, "b1": 0.6}, ("b1", "e5", "e5", "a2")).steps
    assert step.better == ("b1", "e5")


def test_playing_the_best_action_gives_nothing_away(monkeypatch: pytest.MonkeyPatch) -> None:
    (step,) = told(monkeypatch, {"": 0.6, "a1": 0.1}, ("a1", "e5")).steps
    assert (step.loss, step.better) == (0.0, ())


# The annotated record


def test_an_annotated_record_reads_again(missed: Review) -> None:
    transcript = annotated(missed)
    assert read(transcript.text()) == transcript
    assert missed.transcript == read(MISSED)
    first, *others = transcript.root.children
    assert [first.action] + [node.action for node in others] == ["b1-c1", "c2-b2"]
    assert first.comment.startswith("Mistake: the winning chance of Black falls from 100 % to 0 %.")


def test_comments_and_variations_that_are_there_stay() -> None:
    text = MISSED.replace("1. b1-c1", "1. b1-c1 {hm} (1. c2-b2 {wins})")
    transcript = annotated(review(read(text), FEW))
    first, *others = transcript.root.children
    assert first.comment.startswith("hm\nMistake: ")
    assert [(node.action, node.comment, node.children) for node in others] == [("c2-b2", "wins", [])]
    assert read(transcript.text()) == transcript


def test_what_was_played_and_what_was_better_are_whole_turns() -> None:
    found = review(read(TURNS), Limit(nodes=60))
    assert [found.played_text(step) for step in found.steps][:4] == ["a1-a2+d1^c1+end", "d1^c1+end", "end", "a7-a6+end"]
    assert [step.turn for step in found.steps] == [1, 1, 1, 2, 2, 3]


# The graph


@pytest.mark.parametrize("text", [MISSED, DICE, TURNS])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_is_well_formed_and_described(text: str, theme: str) -> None:
    found = review(read(text), Limit(nodes=60))
    picture = chance_svg(found, theme=theme, lang="fr")
    root = ET.fromstring(picture)
    space = "{http://www.w3.org/2000/svg}"
    title, described = root.find(f"{space}title"), root.find(f"{space}desc")
    assert title is not None
    assert described is not None
    assert root.get("aria-labelledby") == f"{title.get('id')} {described.get('id')}"
    assert title.text
    assert described.text
    assert "<script" not in picture
    lines = [group for group in root.iter(f"{space}g") if group.get("class") == "chances"]
    assert len(lines) == len(found.game.players)
    dashes = {group.findall(f"{space}path")[0].get("stroke-dasharray") for group in lines}
    assert len(dashes) == len(found.game.players)
    assert picture == chance_svg(found, theme=theme, lang="fr")


def test_mistakes_are_marked_in_picture_and_text(missed: Review) -> None:
    picture = chance_svg(missed, title="A <game> & more")
    assert picture.count('class="mistake"') == 1
    assert "A &lt;game&gt; &amp; more" in picture
    assert "Mistake 1: Black in turn 1, from 100 % to 0 %." in picture
    assert chance_text(missed).splitlines()[-2] == " " * 12 + "1"
    many = replace(missed, steps=missed.steps[:1] * 5)
    assert chance_svg(many).count('class="mistake"') == 3


def test_an_unknown_theme_is_refused(missed: Review) -> None:
    with pytest.raises(BadArgument) as refusal:
        chance_svg(missed, theme="pink")
    assert str(refusal.value) == f"The theme is one of {', '.join(THEMES)}, not 'pink'."


@pytest.mark.parametrize("width", [1, 12, 20, 80, 300])
@pytest.mark.parametrize("is_ascii", [False, True])
def test_the_text_fits_its_width(missed: Review, width: int, is_ascii: bool) -> None:
    *rows, legend = chance_text(missed, width, is_ascii=is_ascii).splitlines()
    assert all(len(row) <= max(width, 9) for row in rows)
    assert "Black" in legend
    assert not is_ascii or "".join(rows).isascii()


def test_the_text_shows_the_shares() -> None:
    found = review(read(DICE), Limit(nodes=60))
    even = replace(found, chances=((0.5, 0.25, 0.25),) * 7, steps=())
    rows = chance_text(even, is_ascii=True).splitlines()
    assert [row[8:12] for row in rows[:8]] == ["::::", "::::", "====", "====", "####", "####", "####", "####"]
    assert rows[-1] == "# Player 1  = Player 2  : Player 3"
    two = review(read('[Game "chefa"]\n\n1. a1\n'), Limit(nodes=30))
    halves = replace(two, chances=((0.5, 0.5), (0.0, 1.0)), steps=())
    assert [row[8:] for row in chance_text(halves).splitlines()[:9]] == [""] * 4 + ["████"] * 4 + ["0   1"]


def test_a_long_game_is_drawn_in_the_width_there_is() -> None:
    found = review(read('[Game "chefa"]\n\n1. a1\n'), Limit(nodes=30))
    many = 500
    chances = tuple((i / (many - 1), 1 - i / (many - 1)) for i in range(many))
    long = replace(found, chances=chances, turns=tuple(range(many)), steps=())
    rows = chance_text(long, 60).splitlines()
    assert len(rows[7]) == 60
    ET.fromstring(chance_svg(long))


def test_a_game_of_rules_and_notation_alone_is_reviewed() -> None:
    record = damier.Game(GAME).record()
    for action in ("b2", "a1", "a3", "b1", "c1"):
        record.play(action)
    found = review(Transcript.of(record), Limit(nodes=2000))
    assert [step.action for step in found.mistakes] == ["b1"]
    assert "Mistake: the winning chance of Player 2 falls from 50 % to 0 %." in annotated(found).text()
    assert "Filled: the winning chance of Player 1" in chance_text(found)
    ET.fromstring(chance_svg(found))
