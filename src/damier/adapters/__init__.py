"""The games as environments of other projects, with the extra ``damier[research]``."""

from importlib.util import find_spec

for _package in ("gymnasium", "pettingzoo"):
    if find_spec(_package) is None:
        raise ModuleNotFoundError(f'{_package} is not installed: pip install "damier[research]" installs it.')
