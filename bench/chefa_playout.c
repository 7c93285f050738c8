/* Chefa in C: the twin against which damier's random games and perft are measured. For the rules see
 * src/damier/games/chefa/rules.py; actions come in the same order.
 *
 * A set of cells is a word with one bit per cell, row by row from a1. Own and enemy pawns, side and ko take 61 bits, so
 * a situation is one word.
 */
#include "game.h"

enum { PAWNS = 4, PLACE = 0, STEP = 1, SWAP = 2, MAX_ACTIONS = 40 };

#define HOLE (1u << 12)
#define CELLS (0x1FFFFFFu & ~HOLE)
#define COLUMN_A 0x108421u
#define COLUMN_E (COLUMN_A << 4)
#define FIRST 1u
#define LAST (1u << 24)

typedef uint16_t Action; /* kind << 10 | from << 5 | to */

typedef struct {
    uint32_t own, enemy; /* of the player on move */
    uint32_t word;       /* side | ko << 1; the ko is lower cell << 5 | higher cell, or 0 */
} State;

static const State start_state = {0, 0, 0};

static uint32_t east[25], north[25], west[25], south[25], row[25], column[25], square[25];

static void prepare(void)
{
    for (int cell = 0; cell < 25; cell++) {
        int x = cell % 5, y = cell / 5;
        uint32_t below = (1u << cell) - 1, above = 0x1FFFFFFu & ~(below << 1 | 1);
        row[cell] = 0x1Fu << 5 * y;
        column[cell] = COLUMN_A << x;
        east[cell] = row[cell] & above;
        west[cell] = row[cell] & below;
        north[cell] = column[cell] & above;
        south[cell] = column[cell] & below;
        square[cell] = x < 4 && y < 4 ? 0x63u << cell : 0;
    }
}

static inline int lowest(uint32_t set) { return __builtin_ctz(set); }

static inline int highest(uint32_t set) { return 31 - __builtin_clz(set); }

static inline int mover(const State *state) { return state->word & 1; }

/* Writes an action and keeps it only if it is legal: nobody can predict which one is, so a branch would cost more. */
static inline unsigned add(Action *list, unsigned n, unsigned action, unsigned is_legal)
{
    list[n] = action;
    return n + is_legal;
}

static inline unsigned add_swap(Action *list, unsigned n, unsigned cell, unsigned nearest, uint32_t partners)
{
    return add(list, n, SWAP << 10 | cell << 5 | nearest, partners >> nearest & 1);
}

static unsigned generate(const State *state, Action *list)
{
    uint32_t own = state->own, enemy = state->enemy, pawns = own | enemy, ko = state->word >> 1;
    uint32_t empty = CELLS & ~pawns;
    unsigned n = 0;
    if (__builtin_popcount(own) < PAWNS) {
        for (; empty; empty &= empty - 1)
            list[n++] = lowest(empty);
        return n;
    }
    uint32_t ko_cells = ko ? 1u << (ko >> 5) | 1u << (ko & 31) : 0;
    /* From which cells a step in each direction leads to an empty cell. */
    uint32_t to_south = empty << 5, to_west = (empty & ~COLUMN_E) << 1;
    uint32_t to_east = (empty & ~COLUMN_A) >> 1, to_north = empty >> 5;
    for (int i = 0; i < PAWNS; i++, own &= own - 1) {
        unsigned cell = lowest(own), step = STEP << 10 | cell << 5 | cell;
        n = add(list, n, step - 5, to_south >> cell & 1);
        n = add(list, n, step - 1, to_west >> cell & 1);
        n = add(list, n, step + 1, to_east >> cell & 1);
        n = add(list, n, step + 5, to_north >> cell & 1);
        uint32_t partners = ko_cells >> cell & 1 ? enemy & ~ko_cells : enemy;
        /* The nearest pawn in each direction; where there is none, a corner that is not a partner on the ray. */
        n = add_swap(list, n, cell, lowest((east[cell] & pawns) | LAST), east[cell] & partners);
        n = add_swap(list, n, cell, lowest((north[cell] & pawns) | LAST), north[cell] & partners);
        n = add_swap(list, n, cell, highest((west[cell] & pawns) | FIRST), west[cell] & partners);
        n = add_swap(list, n, cell, highest((south[cell] & pawns) | FIRST), south[cell] & partners);
    }
    return n;
}

static inline uint32_t pair(uint32_t a, uint32_t b) { return a < b ? a << 5 | b : b << 5 | a; }

static inline State apply(const State *state, Action action)
{
    uint32_t origin = action >> 5 & 31, to = action & 31, side = state->word & 1;
    switch (action >> 10) {
    case PLACE:
        return (State){state->enemy, state->own | 1u << to, 1 - side};
    case STEP:
        return (State){state->enemy, state->own ^ (1u << origin | 1u << to), 1 - side};
    default: {
        uint32_t both = 1u << origin | 1u << to;
        return (State){state->enemy ^ both, state->own ^ both, pair(origin, to) << 1 | (1 - side)};
    }
    }
}

static inline bool has_goal(uint32_t pawns)
{
    if (__builtin_popcount(pawns) < PAWNS)
        return false;
    int first = lowest(pawns);
    return !(pawns & ~row[first]) || !(pawns & ~column[first]) || pawns == square[first];
}

static inline int outcome(const State *state)
{
    int side = state->word & 1;
    if (has_goal(state->enemy)) /* the player who has just acted comes first */
        return 1 - side;
    return has_goal(state->own) ? side : PLAYING;
}

static inline bool is_settled(const State *state)
{
    (void)state;
    return true; /* a turn is one action */
}

typedef uint64_t Key;

static inline Key key_of(const State *state)
{
    return state->own | (uint64_t)state->enemy << 25 | (uint64_t)state->word << 50;
}

static inline uint64_t hash_key(Key key) { return mix(key); }

static inline bool same_key(Key a, Key b) { return a == b; }

#include "twin.h"
