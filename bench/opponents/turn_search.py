"""Alpha-beta over whole turns to a fixed depth, as an algorithm.

The stack is explicit: one frame for each turn down to the present position, whose turns are in `words`, `codes` and
`scores` from ``ply * room`` on. A player who can bring the character home within the turn has won, which is tested
without listing turns, so a search of depth 3 sees wins in the fourth turn. Turns are tried in the order of their
evaluation, after the best turn of an earlier visit.

Values are for the player on move. A win has a value of at least WIN, more with more depth left. The score of a turn is
its value if that is known (it wins, loses, draws, or the depth ends there), else its evaluation.

    frames   words each: own and enemy word, turns, the window as given and as narrowed, the best value and its result
    memory   words each: own word with side << 55 and depth << 56, enemy word, value, bound, result of the best turn
"""

from bench.opponents.progress import evaluated
from bench.opponents.turns import WHOLE, Lists, Scratch, can_pass_home, list_turns, result_of
from damier.core.kernel.bits import advance, below, mix
from damier.core.kernel.contract import Rules, State, Words
from damier.games.sensei.rules import FRESH, PITS, character, edges, stones

WIN = 1_000_000
INFINITE = 2 * WIN
TRIED = -INFINITE
LOST = -WIN - 1  # no turn is possible
DRAWN = -WIN // 2  # the score of a draw, after all that is open

FRAME = 9
OWN, ENEMY, TURNS, FLOOR, ALPHA, BETA, BEST, BEST_WORD, KILLER = range(FRAME)

ENTRY = 5
EXACT, AT_LEAST, AT_MOST = 0, 1, 2


def search(
    rules: Rules,
    state: State,
    depth: int,
    stream: int,
    weights: Words,
    repeated: Words,
    memory: Words,
    frames: Words,
    scores: Words,
    lists: Lists,
    scratch: Scratch,
) -> int:
    """Returns the value of a state that is not decided; its best turn is in the first frame, equal ones at random."""
    words = lists[0]
    room = len(words) // depth
    ply, is_new = 0, True
    frames[OWN], frames[ENEMY], frames[ALPHA], frames[BETA] = state[0], state[1], -INFINITE, INFINITE
    while True:
        at, base, left = ply * FRAME, ply * room, depth - ply
        own, enemy, side = frames[at + OWN], frames[at + ENEMY], state[2] + ply & 1
        is_done, value = False, 0
        if is_new:
            is_new = False
            hint = 0
            entry = entry_of(memory, own, enemy)
            if memory[entry] & (1 << 56) - 1 == own | side << 55 and memory[entry + 1] == enemy:
                hint = memory[entry + 4]
                if ply > 0 and memory[entry] >> 56 == left:
                    value = memory[entry + 2]
                    is_done = is_enough(value, memory[entry + 3], frames[at + ALPHA], frames[at + BETA])
            if not is_done and ply > 0 and can_pass_home(rules, own, enemy, WHOLE, side):
                is_done, value = True, WIN + left
            if not is_done and left == 1 and ply > 0 and can_stay(rules, own, enemy):
                value = score_of(rules, own, enemy, side, left, weights)
                is_done = value >= frames[at + BETA]
            if not is_done:
                here = (own, enemy, FRESH | side if ply else state[2])
                n = list_turns(rules, here, base, lists, scratch)
                enough = frames[at + BETA] if left == 1 and ply > 0 else INFINITE
                value = score_turns(rules, here, left, base, n, enough, weights, words, scores)
                is_done = left == 1 and ply > 0
                if ply == 0:
                    shuffle(n, stream, lists, scores)
                    mark_draws(n, enemy, repeated, words, scores)
                if left > 1:
                    prefer(base, n, frames[at + KILLER], WIN - 2, words, scores)
                    prefer(base, n, hint, WIN - 1, words, scores)
                frames[at + TURNS], frames[at + FLOOR] = n, frames[at + ALPHA]
                frames[at + BEST], frames[at + BEST_WORD] = LOST - left, 0
        if not is_done:
            i = next_turn(base, frames[at + TURNS], scores)
            if i < 0 or frames[at + ALPHA] >= frames[at + BETA]:
                is_done, value = True, frames[at + BEST]
                frames[at + KILLER] = frames[at + BEST_WORD]
                keep(memory, entry_of(memory, own, enemy), own | side << 55 | left << 56, frames, at)
            else:
                score = scores[i]
                scores[i] = TRIED
                if left > 1 and -WIN < score < WIN and score != DRAWN:
                    ply, is_new = ply + 1, True
                    below_at = at + FRAME
                    frames[below_at + OWN], frames[below_at + ENEMY] = enemy, words[i]
                    frames[below_at + ALPHA], frames[below_at + BETA] = -frames[at + BETA], -frames[at + ALPHA]
                else:
                    improve(frames, at, 0 if score == DRAWN else score, words[i])
        if is_done:
            if ply == 0:
                return value
            ply -= 1
            improve(frames, at - FRAME, -value, enemy)


def is_enough(value: int, bound: int, alpha: int, beta: int) -> bool:
    """Tells whether a remembered value answers the question of a window."""
    return bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)


def entry_of(memory: Words, own: int, enemy: int) -> int:
    """Returns where a position stands in the memory."""
    return ENTRY * (mix(mix(own) ^ enemy) & len(memory) // ENTRY - 1)


def keep(memory: Words, entry: int, key: int, frames: Words, at: int) -> None:
    """Remembers a position that has been searched."""
    best = frames[at + BEST]
    bound = AT_MOST if best <= frames[at + FLOOR] else AT_LEAST if best >= frames[at + BETA] else EXACT
    memory[entry], memory[entry + 1], memory[entry + 2] = key, frames[at + ENEMY], best
    memory[entry + 3], memory[entry + 4] = bound, frames[at + BEST_WORD]


def improve(frames: Words, at: int, value: int, word: int) -> None:
    """Takes note of the value of a turn."""
    if value > frames[at + BEST]:
        frames[at + BEST], frames[at + BEST_WORD] = value, word
        frames[at + ALPHA] = max(frames[at + ALPHA], value)


def can_stay(rules: Rules, own: int, enemy: int) -> bool:
    """Tells whether some stone can move there and back, so that a turn changes nothing."""
    blocked = stones(own) | stones(enemy) | rules[PITS]
    return edges(stones(own) & ~(1 << character(own))) & ~blocked != 0


def score_turns(
    rules: Rules, state: State, left: int, base: int, n: int, enough: int, weights: Words, words: Words, scores: Words
) -> int:
    """Scores turns until one has `enough` and returns the highest score."""
    best = LOST - left
    for i in range(base, base + n):
        scores[i] = score_of(rules, words[i], state[1], state[2] & 1, left, weights)
        best = max(best, scores[i])
        if best >= enough:
            break
    return best


def score_of(rules: Rules, own: int, enemy: int, side: int, left: int, weights: Words) -> int:
    """Returns the score of a turn that leaves a player with this word, when so much of the depth was left before it."""
    result = result_of(rules, own, enemy, side)
    if result != 0:
        return result * (WIN + left)
    if can_pass_home(rules, enemy, own, WHOLE, 1 - side):
        return 1 - WIN - left
    return evaluated(rules, own, enemy, side, weights)


def next_turn(base: int, n: int, scores: Words) -> int:
    """Returns the place of the turn with the highest score, or -1 if all have been tried."""
    best, best_score = -1, TRIED
    for i in range(base, base + n):
        if scores[i] > best_score:
            best, best_score = i, scores[i]
    return best


def prefer(base: int, n: int, result: int, score: int, words: Words, scores: Words) -> None:
    """Lets the turn with a certain result be tried first, unless its value is known."""
    for i in range(base, base + n):
        if words[i] == result and -WIN < scores[i] < WIN and scores[i] != DRAWN:
            scores[i] = score


def shuffle(n: int, stream: int, lists: Lists, scores: Words) -> None:
    """Puts the turns of the first frame in random order."""
    words, codes = lists
    for i in range(n - 1, 0, -1):
        stream = advance(stream)
        k = below(stream, i + 1)
        words[i], words[k] = words[k], words[i]
        codes[i], codes[k] = codes[k], codes[i]
        scores[i], scores[k] = scores[k], scores[i]


def mark_draws(n: int, enemy: int, repeated: Words, words: Words, scores: Words) -> None:
    """Marks the turns of the first frame after which a position stands for the third time."""
    for k in range(0, len(repeated), 2):
        for i in range(n):
            if repeated[k] == words[i] and repeated[k + 1] == enemy and -WIN < scores[i] < WIN:
                scores[i] = DRAWN
