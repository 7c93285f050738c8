"""Compiles kernels with numba: the only file that imports it.

The compiled code is kept on disk in a folder of its own per set of sources (``<cache>/kernels/<name>-<digest>``), so a
changed source is never answered with old code, two games never share an entry, any number of processes may read the
cache at once, and one at a time fills it. Whatever goes wrong with the cache (nothing writable, a damaged file, a full
disk), the kernel is compiled afresh and the program goes on.
"""

import contextlib
import functools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.ir as ir
import numpy as np
from filelock import BaseFileLock, FileLock, Timeout
from numba import njit
from numba import types as nt
from numba.core import caching
from numba.core.typing import signature
from numba.extending import lower_builtin, type_callable

from damier.core.kernel import bits

#: Folders of earlier sources kept per name, for a checkout that goes back and forth.
_KEPT_FOLDERS = 4
_LONGEST_COMPILE = 60.0  # seconds for one function, on a busy machine


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
    """numba's cache, but unreadable entries count as missing and entries that cannot be written are dropped."""

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
    is_recursive = function.__name__ in function.__code__.co_names
    kernel = njit(error_model="numpy", nogil=True, _nrt=False, forceinline=not is_recursive, no_cfunc_wrapper=True)(
        function
    )
    function.__dict__["cache_folder"] = folder
    template = kernel.get_call_template
    # One copy for all numbers: numba would compile another for each constant that a kernel is called with.
    kernel.get_call_template = lambda args, kws: template([nt.unliteral(arg) for arg in args], kws)
    with contextlib.suppress(RuntimeError, OSError):  # "no locator available": nothing can be written
        kernel._cache = _Cache(function)
        compile_here = kernel.compile

        def compile_once(sig: Any) -> Any:
            with _one_at_a_time(folder):
                return compile_here(sig)

        kernel.compile = compile_once
    return kernel


@contextlib.contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Lets one process at a time compile into `folder`; those that waited find what it has written.

    A process that holds the lock for too long, and a folder that cannot be locked, are not waited for.
    """
    lock, is_held = _lock(folder), False
    try:
        lock.acquire()
        is_held = True
    except Timeout:
        lock.timeout = 0  # wait once, not for each function
    except OSError:
        pass
    try:
        yield
    finally:
        if is_held:
            lock.release()


@functools.cache
def _lock(folder: Path) -> BaseFileLock:
    return FileLock(folder / "lock", timeout=_LONGEST_COMPILE)


def table(numbers: list[int]) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """Returns a list of words as an array that compiled code can read."""
    return np.array(numbers, dtype=np.int64)


def make_room(folder: Path) -> None:
    """Removes the oldest folders of earlier sources, if this one is not there yet."""
    if not folder.is_dir():
        with contextlib.suppress(OSError):
            name = folder.name.rpartition("-")[0]
            earlier = sorted(folder.parent.glob(f"{name}-*"), key=lambda old: old.stat().st_mtime)
            for old in earlier[:-_KEPT_FOLDERS]:
                shutil.rmtree(old, ignore_errors=True)


# The primitives of bits.py as machine instructions.

_WORD = ir.IntType(64)
_NONZERO = ir.Constant(ir.IntType(1), 1)  # the result for 0 may be anything: callers never ask


def _primitive(function: Callable[..., int], emit: Callable[..., Any]) -> None:
    """Lets `emit` write the instructions for calls of a function of one to three words."""
    words = (nt.int64,) * function.__code__.co_argcount
    typings: dict[int, Callable[..., Any]] = {
        1: lambda _x: signature(nt.int64, *words),
        2: lambda _x, _y: signature(nt.int64, *words),
        3: lambda _x, _y, _z: signature(nt.int64, *words),
    }
    type_callable(function)(lambda _context: typings[len(words)])
    lower_builtin(function, *words)(lambda _context, build, _signature, args: emit(build, *args))


def _number(value: int) -> Any:
    return ir.Constant(_WORD, value)


def _stirred(build: Any, x: Any, shift: int, factor: int) -> Any:
    return build.mul(build.xor(x, build.lshr(x, _number(shift))), _number(factor))


def _mix(build: Any, x: Any) -> Any:
    x = _stirred(build, x, 30, 0xBF58476D1CE4E5B9)
    x = _stirred(build, x, 27, 0x94D049BB133111EB)
    return build.xor(x, build.lshr(x, _number(31)))


def _blend(build: Any, x: Any, y: Any, z: Any) -> Any:
    x = _mix(build, build.add(x, build.mul(z, _number(0x9E3779B97F4A7C15))))
    return _mix(build, build.add(x, y))


def _below(build: Any, stream: Any, n: Any) -> Any:
    half = _number(32)
    return build.lshr(build.mul(build.lshr(_mix(build, stream), half), n), half)


_primitive(bits.bit, lambda build, i: build.shl(_number(1), i))
_primitive(bits.bit_count, lambda build, x: build.ctpop(x))
_primitive(bits.lowest, lambda build, x: build.cttz(x, _NONZERO))
_primitive(bits.highest, lambda build, x: build.sub(_number(63), build.ctlz(x, _NONZERO)))
_primitive(bits.advance, lambda build, stream: build.add(stream, _number(0x9E3779B97F4A7C15)))
_primitive(bits.mix, _mix)
_primitive(bits.blend, _blend)
_primitive(bits.below, _below)
