"""Compiles kernels with numba: the only file that imports it.

The compiled code is kept on disk in a folder of its own per set of sources (``<cache>/kernels/<name>-<digest>``), so a
changed source is never answered with old code, two games never share an entry, and any number of processes may read
and fill the cache at once (numba writes to a temporary name and renames). Whatever goes wrong with the cache (nothing
writable, a damaged file, a full disk), the kernel is compiled afresh and the program goes on.
"""

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.ir as ir
import numpy as np
from numba import njit, uint64
from numba import types as nt
from numba.core import caching
from numba.extending import intrinsic, overload

from damier.core import bits
from damier.core.places import cache_folder

#: Folders of earlier sources kept per name, for a checkout that goes back and forth.
_KEPT_FOLDERS = 4


class _Locator(caching.UserProvidedCacheLocator):
    """Puts the cache of a function into the folder named in its ``cache_folder`` attribute."""

    def __init__(self, function: FunctionType, file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = str(function.__dict__["cache_folder"])

    @classmethod
    def from_function(cls, function: FunctionType, file: str) -> "_Locator | None":
        locator = cls(function, file)
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator

    def get_source_stamp(self) -> str:
        return Path(self._cache_path).name  # the digest of all sources, not of this file alone


class _Impl(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]


class _Cache(caching.FunctionCache):
    """numba's cache, in which an unreadable entry is a missing one and an entry that cannot be written is not."""

    _impl_class = _Impl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # unpickling a damaged file may raise anything
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except Exception:  # a damaged index, a full disk, a folder that has vanished
            with contextlib.suppress(OSError):
                self.flush()


def compiled(function: FunctionType, folder: Path) -> Callable[..., Any]:
    """Returns the compiled form of a function, cached in `folder` where that can be written."""
    # Without reference counting (_nrt) a kernel must not allocate; all arrays come from outside.
    kernel = njit(error_model="numpy", nogil=True, _nrt=False)(function)
    function.__dict__["cache_folder"] = folder
    with contextlib.suppress(RuntimeError, OSError):  # "no locator available": nothing can be written
        kernel._cache = _Cache(function)
    return kernel


def table(numbers: list[int]) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """Returns a list of words as an array that compiled code can read."""
    return np.array(numbers, dtype=np.int64)


def kernel_folder(name: str, digest: str) -> Path:
    """Returns the cache folder of one set of sources and removes the oldest folders of earlier ones."""
    home = cache_folder() / "kernels"
    folder = home / f"{name}-{digest}"
    if not folder.is_dir():
        with contextlib.suppress(OSError):
            earlier = sorted(home.glob(f"{name}-*"), key=lambda old: old.stat().st_mtime)
            for old in earlier[:-_KEPT_FOLDERS]:
                shutil.rmtree(old, ignore_errors=True)
    return folder


# The primitives of bits.py as machine instructions. numba compares signatures, so these bear no type hints.


def _instruction(emit: Callable[[Any, Any], Any]) -> Any:
    @intrinsic
    def instruction(_context: Any, _x: Any) -> Any:
        return nt.int64(nt.int64), lambda _c, builder, _sig, args: emit(builder, args[0])

    return instruction


_NONZERO = ir.Constant(ir.IntType(1), 1)  # the result for 0 may be anything: callers never ask
_bit_count = _instruction(lambda builder, x: builder.ctpop(x))
_trailing_zeros = _instruction(lambda builder, x: builder.cttz(x, _NONZERO))
_leading_zeros = _instruction(lambda builder, x: builder.ctlz(x, _NONZERO))


@overload(bits.bit, inline="always")
def _bit_overload(i):
    return lambda i: nt.int64(1) << nt.int64(i)


@overload(bits.bit_count, inline="always")
def _bit_count_overload(x):
    return lambda x: _bit_count(x)


@overload(bits.lowest, inline="always")
def _lowest_overload(x):
    return lambda x: _trailing_zeros(x)


@overload(bits.highest, inline="always")
def _highest_overload(x):
    return lambda x: 63 - _leading_zeros(x)


@overload(bits.advance)
def _advance_overload(stream):
    return lambda stream: nt.int64(uint64(stream) + uint64(0x9E3779B97F4A7C15))


def _mix(x):
    word = uint64(x)
    word = (word ^ (word >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> uint64(27))) * uint64(0x94D049BB133111EB)
    return word ^ (word >> uint64(31))


_mix_word = njit(_mix)


@overload(bits.mix)
def _mix_overload(x):
    return lambda x: nt.int64(_mix_word(x))


@overload(bits.below)
def _below_overload(stream, n):
    return lambda stream, n: nt.int64(((_mix_word(stream) >> uint64(32)) * uint64(n)) >> uint64(32))
