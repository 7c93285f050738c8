/* What the rules of a twin need: how a game stands, and damier's random stream (core/bits.py). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { DRAW = -1, PLAYING = -2 }; /* else the winner */

static inline uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static inline uint64_t advance(uint64_t stream) { return stream + 0x9E3779B97F4A7C15u; }

static inline unsigned below(uint64_t stream, unsigned n) { return (mix(stream) >> 32) * n >> 32; }
