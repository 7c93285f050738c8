"""Bit and random-number primitives that mean the same in plain Python and in compiled code.

A word is an int64. Python integers have no width, so the functions below keep every word inside the signed 64-bit
range; the compiler replaces them by single machine instructions (see ``compile.py``). On such words ``&``, ``|``,
``^`` and ``~`` are safe as they are. ``<<``, ``+``, ``-`` and ``*`` may leave the range in plain Python, and ``>>``
copies the sign: kernels use them only on words whose top bit is never set.
"""

_WORD = (1 << 64) - 1
_SIGN = 1 << 63

#: Increment of the random stream (the golden ratio in 64 bits, odd), as in the published SplitMix64 generator.
_GOLDEN = 0x9E3779B97F4A7C15


def _signed(x: int) -> int:
    return (x & _WORD ^ _SIGN) - _SIGN


def bit(i: int) -> int:
    """Returns the word in which only bit `i` (0 to 63) is set."""
    return 1 << i if i < 63 else -_SIGN


def bit_count(x: int) -> int:
    """Returns how many bits of the word are set."""
    return (x & _WORD).bit_count()


def lowest(x: int) -> int:
    """Returns the number of the lowest set bit; the word must not be 0."""
    return (x & -x).bit_length() - 1


def highest(x: int) -> int:
    """Returns the number of the highest set bit; the word must not be 0."""
    return (x & _WORD).bit_length() - 1


def advance(stream: int) -> int:
    """Returns the next state of a random stream."""
    return _signed(stream + _GOLDEN)


def mix(x: int) -> int:
    """Returns a word in which every bit of `x` has stirred every other: the output of a stream, or a hash."""
    x &= _WORD
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & _WORD
    return _signed(x ^ x >> 31)


def blend(x: int, y: int, z: int) -> int:
    """Returns a hash of three words."""
    return mix(_signed(mix(_signed(x + z * _GOLDEN)) + y))


def below(stream: int, n: int) -> int:
    """Returns a number from 0 to n - 1 for a state of a stream (each as likely as any other up to n / 2**32)."""
    return ((mix(stream) & _WORD) >> 32) * n >> 32
