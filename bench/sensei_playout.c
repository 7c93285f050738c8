/* Sensei (shizukana) in C: the twin against which damier's random games and perft are measured. For the rules see
 * src/damier/games/sensei/rules.py; actions come in the same order.
 *
 * A set of cells is a word with one bit per cell, row by row from a1. A situation is two words: at the end of a turn
 * only the side on move is left of the third.
 */
#include "game.h"

enum { MOVABLE = 6, STONE = 0, CHARACTER = 1, END = 2, TOUCHING = 3, MAX_ACTIONS = 40 };

#define BOARD ((1ull << 49) - 1)
#define ROW_1 0x7Full
#define ROW_7 (ROW_1 << 42)
#define COLUMN_A 0x40810204081ull
#define COLUMN_G (COLUMN_A << 6)
#define FRESH (2u << 1 | 1u << 3)

typedef uint16_t Action; /* kind << 12 | from << 6 | to */

typedef struct {
    uint64_t own, enemy; /* stones; from bit 49 on the cell of the character */
    uint32_t word;       /* side | stone moves left << 1 | character moves left << 3 */
} State;

static const State start_state = {ROW_1 | 3ull << 49, ROW_7 | 45ull << 49, FRESH};

/* Rays along which cell numbers grow (E, N, NE, NW), and the four opposite ones. */
static uint64_t rising[49][4], falling[49][4];

static uint64_t ray(int x, int y, int dx, int dy)
{
    uint64_t cells = 0;
    for (x += dx, y += dy; x >= 0 && x < 7 && y >= 0 && y < 7; x += dx, y += dy)
        cells |= 1ull << (7 * y + x);
    return cells;
}

static void prepare(void)
{
    static const int dx[4] = {1, 0, 1, -1}, dy[4] = {0, 1, 1, 1};
    for (int cell = 0; cell < 49; cell++)
        for (int way = 0; way < 4; way++) {
            rising[cell][way] = ray(cell % 7, cell / 7, dx[way], dy[way]);
            falling[cell][way] = ray(cell % 7, cell / 7, -dx[way], -dy[way]);
        }
}

static inline int lowest(uint64_t set) { return __builtin_ctzll(set); }

static inline int highest(uint64_t set) { return 63 - __builtin_clzll(set); }

static inline int mover(const State *state) { return state->word & 1; }

static inline bool is_settled(const State *state) { return state->word >> 1 == FRESH >> 1; }

/* Writes an action and keeps it only if it is legal: nobody can predict which one is, so a branch would cost more. */
static inline unsigned add(Action *list, unsigned n, unsigned action, unsigned is_legal)
{
    list[n] = action;
    return n + is_legal;
}

/* Own stones in line with a cell that no enemy stone hides. Where a ray meets no enemy, the last cell on the board in
 * its direction stands for one: it hides nothing. */
static inline uint64_t passes(int cell, uint64_t own, uint64_t enemy)
{
    uint64_t targets = 0;
    for (int way = 0; way < 4; way++) {
        uint64_t up = rising[cell][way], down = falling[cell][way];
        targets |= up & ~rising[lowest((up & enemy) | 1ull << 48)][way];
        targets |= down & ~falling[highest((down & enemy) | 1)][way];
    }
    return targets & own;
}

static unsigned generate(const State *state, Action *list)
{
    uint64_t own = state->own & BOARD, enemy = state->enemy & BOARD, empty = BOARD & ~(own | enemy);
    unsigned carrier = state->own >> 49, n = 0;
    if (state->word >> 1 & 3) {
        uint64_t stones = own & ~(1ull << carrier);
        /* From which cells a move in each direction leads to an empty cell. */
        uint64_t to_south = empty << 7, to_west = (empty & ~COLUMN_G) << 1;
        uint64_t to_east = (empty & ~COLUMN_A) >> 1, to_north = empty >> 7;
        for (int i = 0; i < MOVABLE; i++, stones &= stones - 1) {
            unsigned cell = lowest(stones), stay = STONE << 12 | cell << 6 | cell;
            n = add(list, n, stay - 7, to_south >> cell & 1);
            n = add(list, n, stay - 1, to_west >> cell & 1);
            n = add(list, n, stay + 1, to_east >> cell & 1);
            n = add(list, n, stay + 7, to_north >> cell & 1);
        }
    }
    if (state->word >> 3)
        for (uint64_t targets = passes(carrier, own, enemy); targets; targets &= targets - 1)
            list[n++] = CHARACTER << 12 | carrier << 6 | lowest(targets);
    return add(list, n, END << 12, !is_settled(state));
}

static inline State apply(const State *state, Action action)
{
    uint64_t own = state->own, origin = action >> 6 & 63, to = action & 63;
    uint32_t word = state->word, kind = action >> 12;
    if (kind == STONE) {
        own ^= 1ull << origin | 1ull << to;
        word -= 1 << 1;
    } else if (kind == CHARACTER) {
        own = (own & BOARD) | to << 49;
        word -= 1 << 3;
    }
    if (kind == END || word >> 1 == 0)
        return (State){state->enemy, own, FRESH | (1 - (word & 1))};
    return (State){own, state->enemy, word};
}

static inline bool is_home(uint64_t word, int player)
{
    unsigned cell = word >> 49;
    return player ? cell < 7 : cell >= 42;
}

/* Whether a chain of the blocker's stones spans the board with three or more enemy stones in contact. */
static inline bool is_unfair(uint64_t blocker, uint64_t enemy)
{
    uint64_t columns = blocker | blocker >> 28;
    columns |= columns >> 14;
    columns |= columns >> 7;
    if ((columns & ROW_1) != ROW_1)
        return false;
    /* Every column has a stone, so each of the seven has exactly one: a single chain or none. */
    uint64_t chain = blocker & COLUMN_A, before;
    do {
        before = chain;
        uint64_t wide = chain | (chain & ~COLUMN_G) << 1;
        chain |= (wide | wide << 7 | wide >> 7) & blocker;
    } while (chain != before);
    if (!(chain & COLUMN_G))
        return false;
    uint64_t edges = chain << 7 | chain >> 7 | (chain & ~COLUMN_G) << 1 | (chain & ~COLUMN_A) >> 1;
    return __builtin_popcountll(edges & enemy) >= TOUCHING;
}

static inline int outcome(const State *state)
{
    int side = state->word & 1;
    if (is_home(state->enemy, 1 - side)) /* the player who has just acted comes first */
        return 1 - side;
    if (is_home(state->own, side))
        return side;
    if (is_settled(state)) {
        uint64_t own = state->own & BOARD, enemy = state->enemy & BOARD;
        if (is_unfair(own, enemy))
            return 1 - side;
        if (is_unfair(enemy, own))
            return side;
    }
    return PLAYING;
}

typedef struct {
    uint64_t own, enemy;
} Key;

static inline Key key_of(const State *state)
{
    return (Key){state->own | (uint64_t)state->word << 63, state->enemy};
}

static inline uint64_t hash_key(Key key) { return mix(mix(key.own) ^ key.enemy); }

static inline bool same_key(Key a, Key b) { return a.own == b.own && a.enemy == b.enemy; }

#include "twin.h"
