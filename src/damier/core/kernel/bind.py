"""Binds algorithms to games: one source, a copy per game, plain or compiled.

`bind` merges the contract's defaults, the algorithms and a game's rules into one namespace (the game's names win) and
clones every function into it, so that an algorithm's call of ``actions`` is a direct call of that game's kernel. Plain
copies are ready at once and need neither numba nor NumPy; compiled copies are the same functions through
``compile.py``. Measured with numba 0.68: closures and kernels passed as arguments never hit numba's cache in a new
process, clones do.
"""

import functools
import hashlib
import types
from pathlib import Path
from typing import Any

from damier.core import folders
from damier.core.kernel import bits, contract


@functools.cache
def bind(rules: types.ModuleType, *algorithms: types.ModuleType, compiled: bool = False) -> types.SimpleNamespace:
    """Returns the functions of a game's rules and of some algorithms, bound to each other."""
    modules = (contract, *algorithms, rules)
    bound = {module.__name__ for module in modules}
    namespace: dict[str, Any] = {"__builtins__": __builtins__, "__name__": rules.__name__}
    if compiled:
        from damier.core.kernel import compile as compiler

        folder = kernel_folder(rules, *algorithms)
        compiler.make_room(folder)
    _refuse_clashes(modules)
    for module in modules:
        for name, value in vars(module).items():
            if name.startswith("__") or _is_default(module, name, value):
                continue
            if isinstance(value, types.FunctionType):
                if value.__module__ == module.__name__:
                    value = _clone(value, namespace)
                    if compiled:
                        value = compiler.compiled(value, folder)
                elif value.__module__ in bound:
                    continue  # imported from a module that is bound here too: its clone stands
            elif compiled and isinstance(value, list):
                value = compiler.table(value)
            namespace[name] = value
    return types.SimpleNamespace(**namespace)


def _is_default(module: types.ModuleType, name: str, value: Any) -> bool:
    """Tells whether a module only imports the contract's constant, which the game may have set otherwise."""
    return (
        module is not contract and not callable(value) and hasattr(contract, name) and getattr(contract, name) is value
    )


class NameClash(RuntimeError):
    """Two modules give one name two meanings: a fault of the program, not of a person."""


def _refuse_clashes(modules: tuple[types.ModuleType, ...]) -> None:
    """Makes sure that no module replaces what another means by a name; only the contract's names are there for that."""
    meanings: dict[str, Any] = {}
    for module in modules:
        for name, value in vars(module).items():
            if name.startswith("__") or hasattr(contract, name) or isinstance(value, types.ModuleType):
                continue
            if name in meanings and meanings[name] is not value and meanings[name] != value:
                raise NameClash(f"{name} means something else in {module.__name__} than in a module it is bound with.")
            meanings[name] = value


def kernel_folder(rules: types.ModuleType, *algorithms: types.ModuleType) -> Path:
    """Returns the folder in which the compiled functions of `bind` with these modules are kept."""
    names = [rules.__name__.replace(".", "_"), *(module.__name__.rpartition(".")[2] for module in algorithms)]
    sources = hashlib.sha256()
    for module in (contract, *algorithms, rules, bits):
        sources.update(Path(str(module.__file__)).read_bytes())
    sources.update(Path(__file__).with_name("compile.py").read_bytes())
    return folders.cache_folder() / "kernels" / f"{'_'.join(names)}-{sources.hexdigest()[:12]}"


def _clone(function: types.FunctionType, namespace: dict[str, Any]) -> types.FunctionType:
    clone = types.FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    clone.__module__ = function.__module__
    clone.__qualname__ = f"{namespace['__name__']}.{function.__qualname__}"
    clone.__annotations__ = function.__annotations__
    clone.__doc__ = function.__doc__
    return clone
