/* What the C twins share beside game.h: the table of situations, the random game, perft and the two commands.
 *
 * A twin includes this file after defining, for its game,
 *
 *     State, start_state, mover, outcome, apply, Action, MAX_ACTIONS, generate (writes the actions, returns how many),
 *     is_settled, Key, key_of, hash_key, same_key (what repetition compares), prepare (fills the tables)
 *
 * and so gets a program of its own in which everything can be inlined. Streams, action order and rules are those of
 * damier, so a twin plays the very same games: results, lengths and their checksum must be equal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "game.h"

/* Situations of one game, counted, in an open table. A slot belongs to the game whose number is its stamp, so nothing
 * is cleared between games. There are at least twice as many slots as situations. */

typedef struct {
    Key key;
    uint32_t stamp, count;
} Slot;

static Slot *slots;
static uint64_t slot_mask;

static unsigned note(uint32_t stamp, Key key)
{
    for (uint64_t i = hash_key(key);; i++) {
        Slot *slot = &slots[i & slot_mask];
        if (slot->stamp != stamp) {
            *slot = (Slot){key, stamp, 1};
            return 1;
        }
        if (same_key(slot->key, key))
            return ++slot->count;
    }
}

static int play_game(uint64_t stream, uint32_t stamp, int limit, int *length)
{
    Action list[MAX_ACTIONS];
    State state = start_state;
    int played = 0, result;
    if (is_settled(&state))
        note(stamp, key_of(&state));
    while ((result = outcome(&state)) == PLAYING && played < limit) {
        unsigned n = generate(&state, list);
        if (n == 0) {
            result = 1 - mover(&state);
            break;
        }
        stream = advance(stream);
        state = apply(&state, list[below(stream, n)]);
        played++;
        if (is_settled(&state) && note(stamp, key_of(&state)) >= 3) {
            result = DRAW;
            break;
        }
    }
    *length = played;
    return result;
}

/* The path is short, so its situations are simply scanned. */

static uint64_t count_lines(const State *state, int depth, Key *path, int settled)
{
    Action list[MAX_ACTIONS];
    if (outcome(state) != PLAYING)
        return 0;
    if (is_settled(state)) {
        Key key = key_of(state);
        int times = 1;
        for (int i = 0; i < settled; i++)
            times += same_key(path[i], key);
        if (times >= 3)
            return 0;
        path[settled++] = key;
    }
    unsigned n = generate(state, list);
    if (depth == 1)
        return n;
    uint64_t total = 0;
    for (unsigned i = 0; i < n; i++) {
        State next = apply(state, list[i]);
        total += count_lines(&next, depth - 1, path, settled);
    }
    return total;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static int run_playouts(uint32_t games, uint64_t seed, int limit)
{
    uint64_t size = 16;
    while (size <= 2 * ((uint64_t)limit + 1))
        size *= 2;
    slots = calloc(size, sizeof *slots);
    if (!slots)
        return 1;
    slot_mask = size - 1;
    uint64_t actions = 0, checksum = 0;
    double begin = cpu_seconds();
    for (uint32_t i = 0; i < games; i++) {
        int length, result = play_game(mix(mix(seed) ^ i), i + 1, limit, &length);
        actions += length;
        checksum = mix(checksum ^ (uint64_t)length << 8 ^ (uint8_t)result);
    }
    printf("{\"seconds\": %.6f, \"actions\": %" PRIu64 ", \"checksum\": %" PRIu64 "}\n", cpu_seconds() - begin, actions,
           checksum);
    return 0;
}

static int run_perft(int depth, State state)
{
    Key path[64];
    if (depth < 1 || depth > 64)
        return 1;
    double begin = cpu_seconds();
    uint64_t count = count_lines(&state, depth, path, 0);
    printf("{\"seconds\": %.6f, \"nodes\": %" PRIu64 "}\n", cpu_seconds() - begin, count);
    return 0;
}

int main(int argc, char **argv)
{
    prepare();
    if (argc == 5 && !strcmp(argv[1], "playouts"))
        return run_playouts(strtoul(argv[2], NULL, 10), strtoull(argv[3], NULL, 10), atoi(argv[4]));
    if (argc == 3 && !strcmp(argv[1], "perft"))
        return run_perft(atoi(argv[2]), start_state);
    if (argc == 6 && !strcmp(argv[1], "perft")) {
        State state = {strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10), strtoull(argv[5], NULL, 10)};
        return run_perft(atoi(argv[2]), state);
    }
    fprintf(stderr, "usage: %s playouts GAMES SEED MAX_ACTIONS | perft DEPTH [the three words of a state]\n", argv[0]);
    return 2;
}
