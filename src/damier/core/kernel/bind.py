"""Binds algorithms to games: one source, one copy per game, plain or compiled.

Each bound module gets a namespace of its own, with clones of its functions. There, a function imported from another
bound module is that module's clone, and a name imported from the contract is the game's kernel, so an algorithm's call
of ``actions`` is a direct call of that game's kernel. Nothing else is shared: two modules may use one name for two
things. Plain copies are ready at once and need neither numba nor NumPy; compiled copies are the same functions through
``compile.py``. Measured with numba 0.68: closures and kernels passed as arguments never hit numba's cache in a new
process, clones do.
"""

import functools
import hashlib
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from damier.core import folders
from damier.core.kernel import bits, contract, network


@functools.cache
def bind(rules: types.ModuleType, *algorithms: types.ModuleType, compiled: bool = False) -> types.SimpleNamespace:
    """Returns the functions and constants of a game's rules and of some algorithms, bound to each other.

    The contract's names come from the last module that defines them, and the rules come last. Any other name that two
    modules define differently is left out of the result: each module sees its own.
    """
    modules = (contract, *algorithms, rules)
    if not compiled:
        return _Binding(modules).result()
    from damier.core.kernel import compile as compiler

    folder = kernel_folder(rules, *algorithms)
    compiler.make_room(folder)
    return _Binding(modules, lambda clone: compiler.compiled(clone, folder), compiler.table).result()


class _Binding:
    """The namespaces of some modules, the contract first and the game's rules last.

    `of_function` is applied to every clone and `of_list` to every list, for copies that are compiled.
    """

    def __init__(
        self,
        modules: tuple[types.ModuleType, ...],
        of_function: Callable[[types.FunctionType], Any] = lambda clone: clone,
        of_list: Callable[[list[int]], Any] = lambda numbers: numbers,
    ) -> None:
        self._modules, self._game = modules, modules[-1].__name__
        self._of_function, self._of_list = of_function, of_list
        self._spaces: dict[str, dict[str, Any]] = {
            module.__name__: {"__builtins__": __builtins__, "__name__": module.__name__} for module in modules
        }
        for module in modules:
            self._clone_own(module)
        self._kernels = self._contract_names()
        for module in modules:
            self._link(module)

    def _clone_own(self, module: types.ModuleType) -> None:
        """Fills a namespace with everything but what the module imports from bound modules."""
        space = self._spaces[module.__name__]
        for name, value in vars(module).items():
            if self._is_bound_function(value):
                if value.__module__ == module.__name__:
                    space[name] = self._of_function(_clone(value, space, self._game))
            elif not name.startswith("__"):
                space[name] = self._of_list(value) if isinstance(value, list) else value

    def _contract_names(self) -> dict[str, Any]:
        """Returns what each name of the contract means for this game: the last definition, or the default."""
        found = {}
        for module in self._modules:
            space = self._spaces[module.__name__]
            for name, value in vars(module).items():
                if name in space and hasattr(contract, name) and (module is contract or not _is_default(name, value)):
                    found[name] = space[name]
        return found

    def _link(self, module: types.ModuleType) -> None:
        """Fills a namespace with what the module imports from the contract and from other bound modules."""
        space = self._spaces[module.__name__]
        for name, value in vars(module).items():
            if self._is_bound_function(value) and value.__module__ == contract.__name__:
                space[name] = self._kernels[value.__name__]
            elif self._is_bound_function(value) and value.__module__ != module.__name__:
                space[name] = self._spaces[value.__module__][value.__name__]
            elif name in self._kernels and _is_default(name, value):
                space[name] = self._kernels[name]

    def result(self) -> types.SimpleNamespace:
        """Returns the contract's names and all others that mean one thing."""
        merged: dict[str, Any] = {}
        meanings: dict[str, Any] = {}
        ambiguous = set()
        for module in self._modules:
            for name, value in vars(module).items():
                if name in meanings and meanings[name] is not value and meanings[name] != value:
                    ambiguous.add(name)
                meanings[name] = value
            merged |= self._spaces[module.__name__]
        kept = {name: value for name, value in merged.items() if name not in ambiguous}
        return types.SimpleNamespace(**(kept | self._kernels))

    def _is_bound_function(self, value: Any) -> bool:
        return isinstance(value, types.FunctionType) and value.__module__ in self._spaces


def _is_default(name: str, value: Any) -> bool:
    """Tells whether a value is the contract's own, defined there or imported from there."""
    return getattr(contract, name, None) is value


def kernel_folder(rules: types.ModuleType, *algorithms: types.ModuleType) -> Path:
    """Returns the folder in which the compiled functions of `bind` with these modules are kept."""
    names = [rules.__name__.replace(".", "_"), *(module.__name__.rpartition(".")[2] for module in algorithms)]
    sources = hashlib.sha256()
    for module in (contract, *algorithms, rules, bits, network):  # kernels take functions and constants from these
        sources.update(Path(str(module.__file__)).read_bytes())
    for file in ("bind.py", "compile.py"):
        sources.update(Path(__file__).with_name(file).read_bytes())
    return folders.cache_folder() / "kernels" / f"{'_'.join(names)}-{sources.hexdigest()[:12]}"


def _clone(function: types.FunctionType, namespace: dict[str, Any], game: str) -> types.FunctionType:
    """Returns a copy of a function that looks its globals up in `namespace`, with a name of its own in the cache."""
    clone = types.FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    clone.__module__ = function.__module__
    clone.__qualname__ = f"{game}.{function.__module__}.{function.__qualname__}"
    clone.__annotations__ = function.__annotations__
    clone.__doc__ = function.__doc__
    return clone
