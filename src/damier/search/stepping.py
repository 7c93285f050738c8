"""Many games, each with its own history, stepped together: an algorithm that is bound to a game.

A step plays one action in every game, then whatever belongs to nobody: rolls of the die, and the beginning of the next
game where one has ended. After it a player is on move in each game, whose legal actions stand in `legal`, as numbers of
the game's spaces, and in `mask`. Game i draws from streams of its own, so the games can be cut into parts at will.

A game is FIELDS words of `games`; its situations are counted in its row of `tables` by ``history.py``. Rows have room
for the longest game, but a game begins in the first words of its row and takes twice as many when these are full: short
games stay within the processor's cache, and memory that is never touched costs nothing.
"""

from collections.abc import Sequence

from damier.core.kernel.bits import advance, below
from damier.core.kernel.contract import (
    CHANCE,
    DRAW,
    PLAYING,
    REPETITION,
    REPETITION_DRAWS,
    REPETITION_FORBIDDEN,
    REPETITION_FREE,
    Rules,
    State,
    Words,
    actions,
    apply,
    mover,
    must_answer,
    outcome,
    planes,
    settled,
    situation,
)
from damier.search.history import NUMBER, PLACES, RECORD, find_place, note, times_seen

Rows = Sequence[Words]
"""One row of words for each game."""

# The words of a game: three of the state, the streams of dice and of `sample_games`, how many actions have been played,
# the number of the game in its row, the places of its index, how often the present situation stood before, and how many
# actions are legal.
STATE, DICE, CHOICE, LENGTH, STAMP, SIZE, BEFORE, LEGAL = 0, 3, 4, 5, 6, 7, 8, 9
FIELDS = 10

# The words of `setting`: three of the first state, and the most actions of a game.
LIMIT = 3

BEGIN = -1
"""Instead of an action: begin a new game."""

FIRST_SIZE = 16  # places of the index of a game that begins


def step_games(
    rules: Rules,
    setting: Words,
    chosen: Words,
    codes: Words,
    numbers: Words,
    games: Rows,
    tables: Rows,
    legal: Rows,
    mask: Rows,
    out: Words,
    done: Words,
    results: Words,
    lengths: Words,
    movers: Words,
) -> None:
    """Plays one legal action in each game, or begins it, and goes on until a player is on move."""
    for i in range(len(chosen)):
        game, listed, marked = games[i], legal[i], mask[i]
        for j in range(game[LEGAL]):
            marked[listed[j]] = 0
        done[i], results[i], lengths[i] = 0, PLAYING, 0
        state = (game[STATE], game[STATE + 1], game[STATE + 2])
        action = BEGIN if chosen[i] < 0 else codes[chosen[i]]
        player = CHANCE
        n = 0
        while player == CHANCE:
            if action == BEGIN:
                state = (setting[STATE], setting[STATE + 1], setting[STATE + 2])
                game[LENGTH], game[SIZE] = 0, FIRST_SIZE
                game[STAMP] += 1
            else:
                state = apply(rules, state, action)
                game[LENGTH] += 1
            times = count_situation(rules, state, game, tables[i])
            result = outcome(rules, state)
            if REPETITION == REPETITION_DRAWS and times >= 3:
                result = DRAW
            n = 0
            if result == PLAYING:
                n = legal_actions(rules, state, game, tables[i], out)
                if n == 0:
                    result = 1 - mover(rules, state)
            if n == 0 or game[LENGTH] >= setting[LIMIT]:
                if done[i] == 0:
                    done[i], results[i], lengths[i] = 1, result, game[LENGTH]
                action = BEGIN
            else:
                player = mover(rules, state)
                if player == CHANCE:
                    game[DICE] = advance(game[DICE])
                    action = out[below(game[DICE], n)]
        game[STATE], game[STATE + 1], game[STATE + 2] = state[0], state[1], state[2]
        game[LEGAL] = n
        movers[i] = player
        for j in range(n):
            listed[j] = numbers[out[j]]
            marked[listed[j]] = 1


def legal_actions(rules: Rules, state: State, game: Words, table: Words, out: Words) -> int:
    """Writes the actions of an undecided state that the history of its game allows, returns how many."""
    n = actions(rules, state, out)
    if REPETITION == REPETITION_FORBIDDEN:
        seen = table[: PLACES * game[SIZE]]
        kept = 0
        for j in range(n):
            following = apply(rules, state, out[j])
            if not settled(rules, following) or times_seen(seen, game[STAMP], situation(rules, following)) == 0:
                out[kept] = out[j]
                kept += 1
        if kept > 0 or not must_answer(rules, state):  # else nothing has been struck out yet
            n = kept
    return n


def count_situation(rules: Rules, state: State, game: Words, table: Words) -> int:
    """Counts the situation of a state in the history of its game; returns its count, 0 in the middle of a turn."""
    times = 0
    game[BEFORE] = 0
    if REPETITION != REPETITION_FREE and settled(rules, state):
        size = game[SIZE]
        if table[size] == game[STAMP] << NUMBER | size // 2 - 1:  # no room for another record
            game[SIZE] = 2 * size
            grow(table[: PLACES * 2 * size], game[STAMP])
        times = note(table[: PLACES * game[SIZE]], game[STAMP], situation(rules, state))
        game[BEFORE] = times - 1
    return times


def grow(table: Words, stamp: int) -> None:
    """Doubles the index of a game's situations, which fills the first half of `table`."""
    size = len(table) // PLACES
    count = size // 4  # with record 0
    for j in range(RECORD * count - 1, -1, -1):
        table[size + j] = table[size // 2 + j]
    for j in range(size):
        table[j] = 0
    for number in range(1, count):
        at = size + RECORD * number
        place = find_place(table, stamp, (table[at + 1], table[at + 2], table[at + 3]))
        table[place] = stamp << NUMBER | number


def observe_games(rules: Rules, kinds: Words, cells: Words, games: Rows, words: Words, out: Rows) -> None:
    """Writes what the player on move in each game sees, plane after plane, place after place.

    ``kinds[p]`` is 1 if plane `p` is a number; ``cells[k]`` is the cell of place `k`.
    """
    places = len(cells)
    for i in range(len(games)):
        game, seen = games[i], out[i]
        n = planes(rules, (game[STATE], game[STATE + 1], game[STATE + 2]), words)
        if REPETITION == REPETITION_DRAWS:
            words[n] = game[BEFORE]
            n += 1
        for p in range(n):
            word, at = words[p], p * places
            if kinds[p]:
                for k in range(places):
                    seen[at + k] = word
            else:
                for k in range(places):
                    seen[at + k] = word >> cells[k] & 1


def sample_games(games: Rows, legal: Rows, chosen: Words) -> None:
    """Draws a legal action for each game, each as likely as any other."""
    for i in range(len(chosen)):
        game = games[i]
        game[CHOICE] = advance(game[CHOICE])
        chosen[i] = legal[i][below(game[CHOICE], game[LEGAL])]


def first_illegal(chosen: Words, mask: Rows) -> int:
    """Returns the first game whose action is not legal, or -1."""
    for i in range(len(chosen)):
        if chosen[i] < 0 or chosen[i] >= len(mask[i]) or mask[i][chosen[i]] == 0:
            return i
    return -1
