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


def test_without_openspiel_its_adapter_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "damier.adapters.openspiel", raising=False)
    sentence = r'^pyspiel is not installed: pip install "damier\[research\]" installs it where OpenSpiel has wheels\.$'
    with pytest.raises(ModuleNotFoundError, match=sentence):
        importlib.import_module("damier.adapters.openspiel")
