"""The contract between a game and every algorithm: what a game's ``rules.py`` provides.

A kernel is a plain function on numbers. The *state* of a game is three int64 words, packed as the game likes. *rules*
are the numbers the game derived from its options (sizes, masks, tables): a list in plain Python, an array in compiled
code. An *action* is a number from 0 up that means the same in every state; players are numbered from 0.

Algorithms (``damier.search``) import the names below as if they were real functions. The binder (``bind.py``) gives
each game its own copies of the algorithms in which these names are the game's kernels.

Kernels keep to a subset that compiles: integers, tuples of three words, ``if``/``while``/``for range``, lists of
integers at module level as tables, no allocation, no exceptions, no recursion.
"""

from collections.abc import MutableSequence, Sequence
from typing import NoReturn

State = tuple[int, int, int]
"""Three int64 words."""

Rules = Sequence[int]
"""The numbers of one set of options."""

Words = MutableSequence[int]
"""A mutable array of numbers: a list in plain Python, an int64 array in compiled code."""

CHANCE = -1
"""`mover` when the next action is a roll of the die."""

DRAW = -1
"""`outcome` of a drawn game."""

PLAYING = -2
"""`outcome` while the game goes on."""

# What a game does about a repeated situation.
REPETITION_FREE = 0
REPETITION_DRAWS = 1
REPETITION_FORBIDDEN = 2

REPETITION = REPETITION_FREE
"""OPTIONAL constant: one of the three above. Without it, situations may be repeated freely."""

MAX_ACTIONS = 0
"""REQUIRED constant: no state has more actions than this."""

WEIGHTS: Sequence[int] = [0]
"""OPTIONAL constant: what each of the `terms` is worth, in thousandths of a unit of log-odds; see ``evaluate.py``."""

LOSS_PER_PLY = 0
"""OPTIONAL constant: more of an estimate, in its unit, than a ply usually costs.

A player ahead by as much for each ply to the horizon is taken to stay ahead. Without it, search always looks.
"""


NETWORK_AT = 0
"""OPTIONAL constant: how many numbers the options have in `rules`; in a search, a network's words may follow them.

Goes with `inputs`, `phase` and `judged`; without it, the `terms` judge a state.
"""

INPUT_COUNT, BLOCK_COUNT, INPUT_BLOCK = 0, 0, 0
"""OPTIONAL constants: how many inputs the network has, and how many blocks of how many inputs they begin with.

The inputs of one block are on at a time, and those with the same place in their blocks are alike: a network that learns
begins with what they have in common. No blocks, if there are none.
"""

PHASE_COUNT = 1
"""OPTIONAL constant: how many phases the network tells apart."""


class UnboundKernel(RuntimeError):
    """A kernel was called that no game has been bound to: a bug, not a user's mistake."""


def _unbound(name: str) -> NoReturn:
    raise UnboundKernel(f"The kernel {name} was called outside a bound game.")


def start(rules: Rules) -> State:
    """REQUIRED. Returns the state in which a game begins."""
    _unbound("start")


def mover(rules: Rules, state: State) -> int:
    """REQUIRED. Returns the player who acts next, or CHANCE."""
    _unbound("mover")


def actions(rules: Rules, state: State, out: Words) -> int:
    """REQUIRED. Writes the legal actions (or the chance outcomes, all equally likely) to `out`, returns how many.

    What the history forbids is not left out here: the algorithms do that. Never called once `outcome` has decided.
    """
    _unbound("actions")


def apply(rules: Rules, state: State, action: int) -> State:
    """REQUIRED. Returns the state after a legal action."""
    _unbound("apply")


def outcome(rules: Rules, state: State) -> int:
    """REQUIRED. Returns PLAYING, DRAW or the winner, from what the state shows.

    A player without an action has lost; that is found by asking `actions`, not here. It decides games of two; where
    there may be more players, `apply` must see to it that the mover always has an action.
    """
    _unbound("outcome")


def settled(rules: Rules, state: State) -> bool:
    """OPTIONAL. Tells whether the state stands at the end of a turn. Without it, every state does."""
    return True


def situation(rules: Rules, state: State) -> State:
    """OPTIONAL. Returns what the rule about repetition compares. Without it, the whole state."""
    return state


def stage(rules: Rules, state: State) -> int:
    """OPTIONAL. Returns a number that no action lowers and that equal situations share, such as the pieces placed.

    A situation of a lower stage cannot come again. Without it, every situation may.
    """
    return 0


def must_answer(rules: Rules, state: State) -> bool:
    """OPTIONAL. Tells whether a forbidden return may not leave the mover without an action.

    Without it, a player all of whose actions return to earlier situations has lost.
    """
    return False


def eliminate(rules: Rules, state: State, player: int) -> State:
    """OPTIONAL. Returns the state after a player of three or more has gone out by resigning or running out of time.

    The state itself if the player is out already. Without it, nobody can resign in such a game.
    """
    return state


def standing(rules: Rules, state: State, player: int) -> int:
    """OPTIONAL. Returns the place of a player of three or more in a game that is won: 0 for the winner.

    Without it, all others share the place after the winner.
    """
    return 0 if outcome(rules, state) == player else 1


def permute(rules: Rules, state: State, cells: Sequence[int], swap: bool) -> State:
    """OPTIONAL. Returns the state after a symmetry: cell i goes to `cells[i]`; with `swap` the players exchange roles.

    Without it, symmetries can be neither tested nor used to make tables smaller.
    """
    _unbound("permute")


def permute_action(rules: Rules, action: int, cells: Sequence[int]) -> int:
    """OPTIONAL. Returns the action that a symmetry makes of an action; goes with `permute`."""
    _unbound("permute_action")


def is_needless(rules: Rules, state: State, before: int, action: int) -> bool:
    """OPTIONAL. Tells whether another order of two actions of a turn, which search tries, leads to the same state.

    `before` has led to the state, in which `action` would be the next of the same turn. Search leaves such actions out;
    without it, it visits the results of a long turn once for each order.
    """
    return False


def quick_win(rules: Rules, state: State) -> int:
    """OPTIONAL. Returns in how many actions of this turn the player on move can win, if that shows at a glance, else 0.

    What it says must be true; it need not say it of every win. Without it, search sees wins by playing them.
    """
    return 0


def has_threat(rules: Rules, state: State) -> bool:
    """OPTIONAL. Tells whether the player who is not on move would win at once if it were their turn.

    Without it, search does not look deeper where a win has to be stopped.
    """
    return False


def passed(rules: Rules, state: State) -> State:
    """OPTIONAL. Returns what a state at the beginning of a turn would be, were that turn passed.

    Search takes a player who stays ahead even so to be ahead, if there is a LOSS_PER_PLY too. To be left out where
    having to act can be a burden; then the state stays as it is, and search tries every turn.
    """
    return state


def terms(rules: Rules, state: State, out: Words) -> int:
    """OPTIONAL. Writes the numbers that an undecided state is judged by, for the player on move; returns how many.

    Their sum, weighted by WEIGHTS, estimates the log-odds of that player's winning. Without it, all are worth the same.
    """
    return 0


# For evaluation networks (``network.py`` says how they are laid out): all three of these, with NETWORK_AT,
# INPUT_COUNT and PHASE_COUNT, or the game is judged by its `terms` alone.


def inputs(rules: Rules, state: State, player: int, out: Words) -> int:
    """OPTIONAL. Writes the numbers of the inputs that are on, as a player sees a state; returns how many."""
    return 0


def phase(rules: Rules, state: State) -> int:
    """OPTIONAL. Returns which of the PHASE_COUNT sets of output weights a state is judged by."""
    return 0


def judged(rules: Rules, sums: Words, at: int, state: State, out: Words) -> int:
    """OPTIONAL. Returns what the network behind `rules` says of a state: log-odds in thousandths, for the mover.

    What it leaves in `sums` from `at` on is there at the next call, of the same search: the game may keep the sums of
    the last state and add to them what has changed. At first, they are 0.
    """
    return 0


def planes(rules: Rules, state: State, out: Words) -> int:
    """OPTIONAL. Writes a word for each plane of an observation, for the player on move; returns how many.

    A plane of cells is the set of its cells, any other plane is its number: see `Definition.spaces`. Without it, the
    game has neither observations nor batches.
    """
    _unbound("planes")


# For solvers (``index.py``): all of these, or the game cannot be solved; `predecessors` only where there is no chance,
# `followers` only where there is. A *tier* is a part of the positions that actions leave only for tiers with lower
# numbers; within a tier an entry has a number from 0 up, and positions that a symmetry or an exchange of colours makes
# of one another share it. *numbers* is what the module's ``index_numbers`` returns.

ALTERNATES = True
"""OPTIONAL constant, for solvers: every action within a tier hands the move over. Say False where one does not."""

MAX_PREDECESSORS = 0
"""OPTIONAL constant, for solvers: no state has more predecessors than this."""

WON, LOST, SAFE, MOST_PLIES, MARKED, FREE = 127, 128, 126, 124, 254, 255
"""OPTIONAL constants, for solvers: the codes of ``solve/codes.py``, in a byte. LONG_CODES where wins are longer."""

LONG_CODES = 0x7FFF, 0x8000, 0x7FFE, 0x7FFC, 0xFFFE, 0xFFFF
"""WON, LOST, SAFE, MOST_PLIES, MARKED and FREE in two bytes, for wins in up to 32,764 plies."""

FOLLOWER_ROOM = 0
"""OPTIONAL constant, for solvers: how many words `followers` needs."""

MOST_TOGETHER = 0
"""OPTIONAL constant, for solvers: how many entries `followers` takes together at most."""


def tier_count(rules: Rules) -> int:
    """OPTIONAL. Returns how many tiers there are."""
    _unbound("tier_count")


def tier_entries(rules: Rules, numbers: Words, number: int) -> int:
    """OPTIONAL. Returns how many entries a tier has."""
    _unbound("tier_entries")


def tier(rules: Rules, state: State) -> int:
    """OPTIONAL. Returns the tier of a state."""
    _unbound("tier")


def rank(rules: Rules, numbers: Words, state: State) -> int:
    """OPTIONAL. Returns the number of a state within its tier."""
    _unbound("rank")


def unrank(rules: Rules, numbers: Words, number: int, entry: int) -> State:
    """OPTIONAL. Returns the state of an entry of a tier; its `rank` differs from `entry` if the entry is unused."""
    _unbound("unrank")


def is_used(rules: Rules, numbers: Words, number: int, entry: int, state: State) -> bool:
    """OPTIONAL. Tells whether an entry is the number of its state, as `unrank` returns it. Without it, `rank` tells."""
    return rank(rules, numbers, state) == entry


def exits(rules: Rules, state: State, out: Words) -> int:
    """OPTIONAL. Writes the actions that may end the game or leave the tier, returns how many. Without it, all actions.

    Other actions may be among them; none may be missing.
    """
    return actions(rules, state, out)


def stays(rules: Rules, state: State, part: int, out: Words) -> int:
    """OPTIONAL, together with `exits`. Writes a part of the actions that are not among those, returns how many.

    The parts are numbered from 0, say by pieces: a solver is often content with the first. After the last one, -1.
    All of these actions stay within the tier, end no game and hand the move over.
    """
    return -1


def states_outside(rules: Rules, state: State, out: Words) -> int:
    """OPTIONAL. Writes the states after the actions of `exits`, three words each; returns how many.

    A state that several actions lead to is needed only once. Without it, every action is applied.
    """
    n = exits(rules, state, out)
    for i in range(n - 1, -1, -1):
        following = apply(rules, state, out[i])
        out[3 * i], out[3 * i + 1], out[3 * i + 2] = following[0], following[1], following[2]
    return n


def entries_outside(rules: Rules, numbers: Words, state: State, out: Words) -> int:
    """OPTIONAL. Writes where all actions lead, if they hand the move over and lead to one lower tier: tier, entries.

    Returns how many entries, 0 if actions lead elsewhere. Without it, every state after an action is ranked.
    """
    return 0


def entries_after(rules: Rules, numbers: Words, state: State, part: int, out: Words) -> int:
    """OPTIONAL. Writes the entries to which the actions of a part of `stays` lead; returns how many, or -1 likewise.

    The order and the parts may be others. Without it, every state is ranked from scratch.
    """
    n = stays(rules, state, part, out)
    for i in range(n):
        out[i] = rank(rules, numbers, apply(rules, state, out[i]))
    return n


def entries_before(rules: Rules, numbers: Words, state: State, hands_over: bool, out: Words) -> int:
    """OPTIONAL. Writes the entries of the predecessors with the other player on move, or with the same one.

    Returns how many. Without it, every state that `predecessors` returns is ranked from scratch.
    """
    player = mover(rules, state)
    n = 0
    for i in range(predecessors(rules, state, out)):
        before = (out[3 * i], out[3 * i + 1], out[3 * i + 2])
        if (mover(rules, before) != player) == hands_over:
            out[n] = rank(rules, numbers, before)
            n += 1
    return n


def predecessors(rules: Rules, state: State, out: Words) -> int:
    """OPTIONAL. Writes the states of the same tier from which an action leads to a state, three words each.

    Returns how many. States in which the game is over, and states that no game reaches, do no harm.
    """
    _unbound("predecessors")


def followers(rules: Rules, numbers: Words, number: int, entry: int, out: Words) -> int:
    """OPTIONAL. Writes where actions lead from an entry of a tier and from those beside it that are taken with it.

    `out` begins with the first of these entries and the number of actions. Then come the actions in their order:
    the rolls that allow it (bit 0 for the first), the tier that it leads to, how many of the entries have it; and
    for each of them the distance from the first entry, and an entry that it leads to. That may be a number left
    free, if `unrank` makes of it the right position, turned. Returns the first entry after those taken together.
    """
    _unbound("followers")


# For tables that serve other options, too (``index.py``, with `Definition.covered_by`): both of these, or a table has
# positions of its own options alone, and a search with more pieces cannot end where a table for fewer pieces begins.
# *table* are the rules of the options that the table was built for.


def covered_tiers(rules: Rules, table: Rules) -> int:
    """OPTIONAL. Returns how many tiers of a table, from tier 0 on, may have positions of the game with `rules`."""
    return 0


def covered_tier(table: Rules, state: State) -> int:
    """OPTIONAL. Returns the tier, in a table, of an undecided state of a game with other options; -1 if it has none.

    `Definition.covered_by` says what must be true of a state that a table has.
    """
    return -1


# For search: bound to alpha-beta for games with a `Definition.covered_by`, from ``solve/leaf_lookup.py``.

NO_LEAF = 1 << 20
"""What `leaf` returns for a state that no table has."""


def leaf(leaves: Words, state: State) -> int:
    """OPTIONAL. Returns what a table in memory says of an undecided state, for the player on move; NO_LEAF if nothing.

    A win in n plies is n + 1, a loss in n plies -n - 1, a draw 0. Without it, search looks no position up.
    """
    return NO_LEAF


# For solvers of three players and more (``seats.py``), besides `tier_count`, `tier_entries`, `tier`, `rank`, `unrank`
# and `followers`. *Seats* count the players still in, from the one to roll on in the order of play.


def tier_seats(rules: Rules, number: int) -> int:
    """OPTIONAL. Returns how many players are still in, in the positions of a tier."""
    _unbound("tier_seats")


def fallen(rules: Rules, numbers: Words, number: int, entry: int, out: Words) -> int:
    """OPTIONAL. Writes where a roll without an action leads from the entries that `followers` takes together.

    `out` begins with the tier, then there is an entry for each. Returns how many. Not called where two are in.
    """
    _unbound("fallen")


# For the verifier of tables (``check.py``): the rules a second time, from the rules' page alone, sharing no code with
# ``rules.py``. States are packed as there; *given* is what the module's ``numbers`` makes of the options. All of these,
# or no table of the game can be verified; `successors`, `shown_result` and `player_on_move` only where there is no
# chance, `rolled_successors` only where there is.


def successors(given: Rules, state: State, out: Words) -> int:
    """OPTIONAL. Writes the state after every action of an undecided state, three words each; returns how many."""
    _unbound("successors")


def shown_result(given: Rules, state: State) -> int:
    """OPTIONAL. Returns 0 while the game goes on, 1 if the player on move has won, 2 if they have lost, 3 if drawn."""
    _unbound("shown_result")


def player_on_move(state: State) -> int:
    """OPTIONAL. Returns the player on move."""
    _unbound("player_on_move")


def rolled_successors(given: Rules, state: State, out: Words) -> int:
    """OPTIONAL. Writes the state after every action that a roll allows, four words each; returns how many.

    The first word is the set of the rolls that allow the action, bit 0 for a 1. `out` may be used as a cache behind the
    words for 64 actions.
    """
    _unbound("rolled_successors")


def open_shape(layout: Words, firsts: Words, number: int, entry: int, words: Words) -> int:
    """OPTIONAL, with the two below, in the module that `SHAPE_MODULE` of ``check.py`` names, for games with chance.

    Entries that follow each other have the same *shape* if they differ only in whose the pieces are. Writes to `words`
    what there is to know of the shape of an entry of a tier; returns the first entry behind it. All of it follows the
    specification of the numbering, without the code of ``index.py``. *layout* is what the module's ``shape_numbers``
    makes of the start, and `words` has the module's SHAPE_WORDS, of which the first is the first entry of the shape.
    Without these, the verifier finds every successor by its rank, which takes several times as long.
    """
    _unbound("open_shape")


def shape_state(layout: Words, words: Words, entry: int) -> State:
    """OPTIONAL. Returns the state of an entry of the shape that is open in `words`."""
    _unbound("shape_state")


def shape_places(layout: Words, words: Words, entry: int, out: Words) -> int:
    """OPTIONAL. Writes for every action of an entry of the open shape the rolls that allow it and its place.

    Returns how many; there is room for 90. What is written behind them does no harm.
    """
    _unbound("shape_places")


def is_same(state: State, other: State) -> bool:
    """OPTIONAL. Tells whether two states are one position up to symmetry and up to exchanging the players."""
    _unbound("is_same")


def is_image(state: State, other: State, symmetry: int) -> bool:
    """OPTIONAL. Tells whether a symmetry, numbered from 0 to 7, makes `other` of a state; together they are `is_same`.

    Successors often need the same one. Without it, the verifier asks `is_same` alone.
    """
    return is_same(state, other)


def image_hint(state: State) -> int:
    """OPTIONAL. Returns a number of 12 bits: states that share it often need the same symmetry of `is_image`."""
    return 0


def leads_group(given: Rules, state: State) -> bool:
    """OPTIONAL, together with `group_members`. Tells whether a state is the *leader* of a *group*.

    A group has states in which the same player has the same actions, but for some that are forbidden to all members but
    the leader. All images of a leader under symmetries are leaders. A state without restrictions leads itself.
    """
    return True


def group_members(given: Rules, state: State, count: int, out: Words, at: int) -> int:
    """OPTIONAL. Writes the members of a leader's group besides itself, from `at` on, five words each; returns how many.

    `out` has the `count` states that `successors` has written for the leader. The words are the state, the number of
    the first of these successors that the member does not have, and that of the first behind them: it lacks a range,
    in the order of the members. Without it, the verifier finds the successors of each state apart, which takes longer.
    """
    return 0


# Families, for games without chance: for solvers (``families.py``) and, written a second time from the specification of
# the numbering alone, for the verifier (``check_families.py``). Without the first, a solver finds every successor and
# predecessor by its rank; without the second, the verifier does; both take two to four times as long. *layout* is what
# ``index_numbers`` returns for a solver, and what the module's ``family_numbers`` returns for the verifier.


def family_count(layout: Words, number: int) -> int:
    """OPTIONAL. Returns how many families a tier has.

    A *family* is a set of undecided positions of a tier from which some actions lead into one *block*, a range of
    entries of this tier or the one below, and hand the move over. The families of a tier have all its positions, up to
    symmetry. In this tier, families and blocks go in pairs: member and entry `i` have the same pieces, and the blocks
    are all entries of the tier. If the blocks are in the tier below, all actions of the members lead there.
    """
    return 0


def open_family(layout: Words, number: int, family: int, words: Words) -> None:
    """OPTIONAL. Writes what there is to know of a family.

    That is: the number of members; the number of members of the families before it; tier, first entry and size of the
    block; then, from word 6 to 15, whatever the other functions need.
    """
    _unbound("open_family")


def family_member(layout: Words, words: Words, i: int) -> State:
    """OPTIONAL. Returns member `i` of the family opened in `words`."""
    _unbound("family_member")


def block_alias(layout: Words, words: Words, i: int) -> int:
    """OPTIONAL. Returns the lowest entry of the block that is the same position as entry `i`; only that is in use."""
    return i


def successors_inside(layout: Words, words: Words, i: int, state: State, out: Words) -> int:
    """OPTIONAL, for solvers. Writes the entries of the block to which actions of member `i` lead, `state`.

    Returns how many.
    """
    _unbound("successors_inside")


def count_inside(layout: Words, words: Words, i: int, state: State) -> int:
    """OPTIONAL, for solvers. Returns how many entries `successors_inside` writes; no two are the same."""
    _unbound("count_inside")


def members_before(layout: Words, words: Words, i: int, out: Words) -> int:
    """OPTIONAL, for solvers. Writes the members that have an action to entry `i` of the block; returns how many."""
    _unbound("members_before")


def entries_of(layout: Words, state: State, out: Words) -> int:
    """OPTIONAL, for solvers. Writes all entries of its tier that stand for a state, in use or not; returns how many."""
    _unbound("entries_of")


def best_inside(layout: Words, words: Words, merits: Words, best: Words, lanes: Words, reached: Words) -> None:
    """OPTIONAL, for the verifier. Writes for each member the largest number of the entries to which its actions lead.

    Only actions that lead into the block count. Numbers are from 1 to 255. That of entry `i` is in `merits` at 1 + `i`;
    what is found for member `i` is written to `best` at 1 + `i`, 0 if no action leads into the block. ``merits[0]`` is
    0, and whatever is written to ``best[0]`` counts for nothing, so that no branch is needed where there is no action.
    `lanes` and `reached` are room for 2,048 bytes each.
    """
    _unbound("best_inside")


def successors_outside(layout: Words, words: Words, state: State, out: Words) -> int:
    """OPTIONAL, for the verifier. Writes the states after all other actions of a member, three words each.

    Returns how many.
    """
    return 0


def member_alias(layout: Words, words: Words, i: int) -> int:
    """OPTIONAL, for the verifier. Returns the lowest member that is the same position as member `i` up to symmetry."""
    return i


def member_entry(layout: Words, words: Words, state: State) -> int:
    """OPTIONAL, for the verifier. Returns the entry of a member in its tier: what `numbered` does, quicker."""
    _unbound("member_entry")


def block_state(layout: Words, words: Words, i: int) -> State:
    """OPTIONAL, for the verifier. Returns the state that entry `i` of the block stands for, as `unrank` returns it."""
    _unbound("block_state")


def numbered(layout: Words, state: State) -> tuple[int, int]:
    """OPTIONAL, for the verifier. Returns the tier and the entry of an undecided state by the specification."""
    _unbound("numbered")


def state_image(state: State, symmetry: int) -> State:
    """OPTIONAL, for the verifier. Returns what a symmetry, numbered from 0 to 7, makes of a state.

    Where there is chance, 8 more exchange the players besides.
    """
    return state
