"""Without the extra, the import says what to install."""

import importlib
import sys

import pytest

import damier.adapters


@pytest.mark.parametrize("package", ["gymnasium", "pettingzoo"])
def test_a_package_that_is_missing_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    sentence = rf'^{package} is not installed: pip install "damier\[research\]" installs it\.$'
    with pytest.raises(ModuleNotFoundError, match=sentence):
        importlib.reload(damier.adapters)
    monkeypatch.undo()
    importlib.reload(damier.adapters)
